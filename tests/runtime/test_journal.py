"""The journal: what is finished stays finished, whatever instant the process is killed at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillsandbox.runtime.journal import JournalError, open_journal

INPUTS = {"skills": "abc", "seed": "0"}


def filled(path: Path) -> bytes:
    with open_journal(path, INPUTS) as journal:
        journal.record(("run", "a"), {"won": True, "text": "é\u2028"})
        journal.record(("run", "b"), [1, None])
    return path.read_bytes()


def test_finished_units_are_found_again(tmp_path: Path) -> None:
    filled(tmp_path / "new" / "journal.jsonl")
    with open_journal(tmp_path / "new" / "journal.jsonl", INPUTS) as journal:
        assert len(journal) == 2
        assert journal[("run", "a")] == {"won": True, "text": "é\u2028"}
        assert ("run", "b") in journal
        assert ("run", "c") not in journal


def test_a_journal_cut_at_any_byte_is_continued_to_the_same_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = filled(path)
    ends = [n + 1 for n, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        with open_journal(path, INPUTS) as journal:
            assert len(journal) == max(0, sum(end <= length for end in ends) - 1)
            for key, data in ((("run", "a"), {"won": True, "text": "é\u2028"}), (("run", "b"), [1, None])):
                if key not in journal:
                    journal.record(key, data)
        assert path.read_bytes() == whole


def test_a_last_line_of_rubbish_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = filled(path)
    path.write_bytes(whole + b"\0\0\0\n")
    with open_journal(path, INPUTS) as journal:
        assert len(journal) == 2
    assert path.read_bytes() == whole


def test_a_damaged_line_in_the_middle_is_not_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = filled(path).splitlines(keepends=True)
    path.write_bytes(lines[0] + b'{"key": 3}\n' + lines[2])
    with (
        pytest.raises(JournalError, match=r"line 2: this is not a line of a run's journal"),
        open_journal(path, INPUTS),
    ):
        pass


def test_another_run_is_not_continued_and_the_message_says_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    filled(path)
    with (
        pytest.raises(
            JournalError, match=r"another run.*: seed was 0, now 7; step limit was not given, now 30"
        ),
        open_journal(path, {"skills": "abc", "seed": "7", "step limit": "30"}),
    ):
        pass


def test_a_run_in_another_format_is_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text(json.dumps({"format": 99, "inputs": INPUTS}) + "\n")
    with pytest.raises(JournalError, match="format 99"), open_journal(path, INPUTS):
        pass


@pytest.mark.parametrize("content", ["my notes", "my notes\n", '{"key": ["x"], "data": 1}\n', "a\nb\n"])
def test_somebody_elses_file_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text(content)
    with pytest.raises(JournalError, match="line 1: this is not a line"), open_journal(path, INPUTS):
        pass
    assert path.read_text() == content


def test_two_processes_do_not_write_to_one_run(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with (
        open_journal(path, INPUTS),
        pytest.raises(JournalError, match="another process"),
        open_journal(path, INPUTS),
    ):
        pass


def test_a_unit_is_finished_once(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.jsonl", INPUTS) as journal:
        journal.record(("run", "a"), 1)
        with pytest.raises(ValueError, match="recorded already"):
            journal.record(("run", "a"), 2)
