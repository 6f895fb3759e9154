"""Runs with eight threads, killed at random instants: nothing finished is lost or done again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import kills
import pytest

RUNS = 50


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the folders of killed runs, and `whole`."""
    folder = tmp_path_factory.mktemp("kills")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, kills.__file__, str(folder), str(RUNS)]
    subprocess.run(command, env=environment, check=True, timeout=300)
    return folder


def whole_lines(folder: Path) -> list[bytes]:
    journal = folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True) if journal.exists() else []
    return [line for line in lines if line.endswith(b"\n")]


def reports(folder: Path) -> dict[str, bytes]:
    paths = (folder / "report.html", folder / "report.json")
    return {path.name: path.read_bytes() for path in paths if path.exists()}


def work(lines: list[bytes]) -> Counter[str]:
    """Count the units of work in a journal by kind: scenarios built, and episodes played."""
    kinds = (json.loads(line).get("key", ["header"])[0] for line in lines)
    return Counter(kinds)


@pytest.mark.parametrize("number", range(RUNS))
def test_a_run_killed_at_a_random_instant_goes_on_where_it_was(folder: Path, number: int) -> None:
    killed, whole = folder / str(number), folder / "whole"
    before = whole_lines(killed)
    assert reports(killed).items() <= reports(whole).items()
    stage = kills.run_in(killed)
    after = whole_lines(killed)
    assert after[: len(before)] == before
    assert sorted(after) == sorted(whole_lines(whole))
    left = work(after) - work(before)
    assert (stage.compiled, stage.played) == (left["candidate"], left["run"])
    assert reports(killed) == reports(whole)
