"""`skillsandbox library` as a user meets it: what is added, what is refused, and that nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from scripted import ScriptedServer

from skillsandbox.runtime.cli import NAME, app
from skillsandbox.runtime.skills import load_skills

COAT = {"id": "coat", "condition": "It is cold.", "principle": "Wear a coat."}
LAMP = {"id": "lamp", "condition": "It is dark.", "principle": "Light a lamp.", "notes": "mine"}
DONE, FAULTY, MISUSED = 0, 1, 2


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["library", *arguments], prog_name=NAME, catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def write(name: str, *entries: object) -> str:
    Path(name).write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    return name


def reported(id: str, verdict: str, r: float | None) -> dict[str, Any]:
    """A skill as the report of a verification has it."""
    return {
        **{name: COAT[name] for name in ("condition", "principle")},
        "id": id,
        "title": "",
        "verdict": verdict,
        "R": r,
        "rescored": {"0.9": r},
        "exercised": 1,
        "scenarios": [] if r is None else [{"digest": "d1"}, {"digest": "d2"}],
    }


def write_report(folder: str) -> str:
    skills = [
        reported("a", "keep", 0.1),
        reported("b", "reject", -0.1),
        reported("c", "no program matches", None),
    ]
    report = {"inputs": {"environment": "alfworld"}, "seed": 0, "gamma": 0.95, "skills": skills}
    Path(folder).mkdir()
    Path(folder, "report.json").write_text(json.dumps(report))
    return folder


def test_skills_are_added_once_and_what_else_a_line_says_is_kept() -> None:
    first = run("add", write("a.jsonl", COAT, LAMP))
    assert first.stdout == "coat: added\nlamp: added\nlibrary.jsonl: 2 skills\n"
    assert run("add", "a.jsonl").stdout == "coat: unchanged\nlamp: unchanged\nlibrary.jsonl: 2 skills\n"
    assert [json.loads(line) for line in Path("library.jsonl").read_text().splitlines()] == [COAT, LAMP]


def test_another_skill_of_a_present_id_is_refused_and_the_library_stays_as_it_was() -> None:
    run("add", write("a.jsonl", COAT))
    before = Path("library.jsonl").read_bytes()
    result = run("add", write("b.jsonl", LAMP, {**COAT, "condition": "It snows."}))
    assert result.exit_code == FAULTY
    assert (
        "nothing was added to library.jsonl:\n  coat: the library has another skill of this id"
        in result.stderr
    )
    assert "“It snows.”" in result.stderr
    assert Path("library.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{oops", "library.jsonl, line 2: this line is not JSON"),
        ('{"id": "x"}', "`condition` is missing"),
        (json.dumps({**LAMP, "id": "coat"}), "the id `coat` is taken already (library.jsonl, line 1)"),
        (json.dumps({**LAMP, "verdict": 3}), "line 2: `verdict` is not of its form"),
    ],
)
def test_a_broken_line_is_named_and_the_library_stays_as_it_was(line: str, what: str) -> None:
    Path("library.jsonl").write_text(f"{json.dumps(COAT)}\n{line}\n")
    before = Path("library.jsonl").read_bytes()
    result = run("add", write("a.jsonl", {**LAMP, "id": "new"}))
    assert result.exit_code == FAULTY
    assert what in result.stderr
    assert Path("library.jsonl").read_bytes() == before
    assert run("list").exit_code == FAULTY


def test_from_a_run_come_the_verdicts_and_the_kept_ones_alone_where_asked() -> None:
    run("add", write_report("run"))
    listed = {one["id"]: one.get("verdict") for one in json.loads(run("list", "--json").stdout)}
    assert {id: verdict and verdict["R"] for id, verdict in listed.items()} == {
        "a": 0.1,
        "b": -0.1,
        "c": None,
    }
    assert listed["a"]["scenarios"] == ["d1", "d2"]
    assert listed["a"]["inputs"] == {"environment": "alfworld"}
    assert run("add", "run/report.json", "--kept", "-l", "kept.jsonl").stdout.endswith(
        "kept.jsonl: 1 skill\n"
    )
    assert run("export", "agents", "--kept").stdout == "agents: 1 skill\n"
    assert [path.name for path in Path("agents").iterdir()] == ["a"]


def test_a_new_verdict_takes_the_place_of_the_old_one() -> None:
    run("add", write_report("run"))
    Path("run/report.json").write_text(Path("run/report.json").read_text().replace("0.1", "0.2"))
    assert run("add", "run").stdout.startswith("a: updated\nb: updated\nc: unchanged\n")


@pytest.mark.parametrize("report", ["", "[]", '{"skills": [{}]}', '{"skills": 3}', "{"])
def test_what_is_no_report_is_said_to_be_none(report: str) -> None:
    Path("run").mkdir()
    Path("run/report.json").write_text(report)
    result = run("add", "run")
    assert result.exit_code == FAULTY
    assert "run/report.json: this is not" in result.stderr


def test_without_verdicts_none_is_kept_and_that_is_said() -> None:
    result = run("add", write("a.jsonl", COAT, LAMP), "--kept")
    assert result.exit_code == FAULTY
    assert "no skill whose verdict is Keep: 0 skills of 2 have a verdict" in result.stderr


def test_a_library_of_another_format_is_read_and_never_rewritten() -> None:
    Path("skillrl.json").write_text('{"general_skills": [], "common_mistakes": []}')
    agents = run("add", write("a.jsonl", COAT), "-l", "library.jsonl") and run("export", "agents")
    assert agents.exit_code == DONE
    assert [skill.id for skill in load_skills(Path("agents"))] == ["coat"]
    assert run("search", "cold", "-l", "agents").exit_code == DONE
    for other in ("skillrl.json", "agents"):
        result = run("add", "a.jsonl", "-l", other)
        assert result.exit_code == FAULTY
        assert "common_mistakes" in Path("skillrl.json").read_text()


def test_an_export_overwrites_nothing() -> None:
    run("add", write("a.jsonl", COAT))
    assert run("export", "b.jsonl").exit_code == DONE
    for taken in ("b.jsonl", "."):
        result = run("export", taken)
        assert result.exit_code == FAULTY
        assert "is there already; choose another name" in result.stderr


def test_the_skills_most_like_a_task_are_found() -> None:
    run("add", write("a.jsonl", COAT, LAMP))
    found = run("search", "the lamp in the dark room", "--top", "1")
    assert found.stdout.split()[1:] == ["lamp:", "It", "is", "dark.", "Light", "a", "lamp."]
    assert [one["id"] for one in json.loads(run("search", "cold", "--json").stdout)] == ["coat", "lamp"]


def test_an_embedding_model_can_be_asked_in_place_of_the_packaged_one(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILLSANDBOX_CACHE", "cache")
    run("add", write("a.jsonl", COAT, LAMP))
    asked = ("--embedding-model", "openai/vectors", "--embedding-api-base", server.url)
    assert len(json.loads(run("search", "cold", "--json", *asked).stdout)) == 2
    assert [request.path for request in server.requests] == ["/v1/embeddings"] * 3
    misused = run("search", "warm", "--embedding-model", "openai/vectors", "--embedding-api-base", "x")
    assert misused.exit_code == MISUSED


def test_what_would_steer_a_terminal_is_shown_as_a_sign() -> None:
    run("add", write("a.jsonl", {**COAT, "principle": "\x1b[2J"}))
    assert "\x1b" not in run("search", "cold").stdout + run("list").stdout


def test_a_library_that_is_not_there_is_said_not_to_be() -> None:
    for arguments in (["list"], ["search", "x"], ["export", "x"]):
        result = run(*arguments)
        assert result.exit_code == FAULTY
        assert "there is no library library.jsonl" in result.stderr
    assert run("add", "absent.jsonl").exit_code == MISUSED
    assert run("search", "x", "--top", "0").exit_code == MISUSED


def test_a_library_that_cannot_be_written_is_said_not_to_be() -> None:
    Path("blocked").write_text("a file")
    result = run("add", write("a.jsonl", COAT), "-l", "blocked/library.jsonl")
    assert result.exit_code == FAULTY
    assert "blocked" in result.stderr


def test_processes_that_add_at_the_same_time_lose_nothing() -> None:
    code = "from skillsandbox.runtime.cli import main; main()"
    files = [write(f"{number}.jsonl", {**COAT, "id": f"s{number}"}) for number in range(4)]
    started = [subprocess.Popen([sys.executable, "-c", code, "library", "add", file]) for file in files]
    assert [process.wait() for process in started] == [DONE] * 4
    assert {skill.id for skill in load_skills(Path("library.jsonl"))} == {f"s{number}" for number in range(4)}
