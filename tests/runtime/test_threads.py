"""Several threads at once: scenarios are built and played in them as in one, and files are whole."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import attrs
import pytest

from skillsandbox.compiler.environment import Guidance, environments
from skillsandbox.compiler.files import write_whole
from skillsandbox.runtime.library import shipped_programs
from skillsandbox.runtime.matching import LibraryProgram
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.rollout import Trajectory, rollout
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Encounter, Refusal

THREADS = 4
SKILL = Guidance("first", "A task begins.", "Open a closed container first; compare the prices.")


@attrs.frozen
class Played:
    """A scenario, what came of a run on it, and which of its condition checks the run satisfied."""

    scenario: BuiltScenario
    trajectory: Trajectory
    encounters: tuple[Encounter, ...]


def played(stage: InstalledStage, program: LibraryProgram, skill: Guidance | None) -> Played | Refusal:
    scenario = stage.compile(Candidate(program.name, program.text, 0), [])
    if isinstance(scenario, Refusal):
        return scenario
    episode = stage.episode(scenario)
    trajectory = rollout(episode, stage.agent(skill, 0), skill, stage.step_limit)
    episode.close()
    return Played(scenario, trajectory, stage.encounters(scenario, trajectory.actions))


@pytest.mark.parametrize(("name", "number"), [("alfworld", 4), ("webshop", 1)])
def test_threads_build_and_play_what_one_alone_does(name: str, number: int, tmp_path: Path) -> None:
    environment = environments()[name]()
    programs = [one for one in shipped_programs(environment) if one.unsupported is None][:number]
    # Each program twice: two threads may well build the same scenario.
    work = [(program, skill) for program in programs for skill in (SKILL, None)]
    at_once, alone = (
        InstalledStage(environment, tmp_path / folder, environment.engines[0])
        for folder in ("at once", "alone")
    )
    with ThreadPoolExecutor(len(work)) as pool:
        found = [pool.submit(played, at_once, *one) for one in work]
    expected = [played(alone, *one) for one in work]
    assert any(isinstance(one, Played) for one in expected)
    assert [one.result() for one in found] == expected
    assert contents(at_once.folder) == contents(alone.folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_written_by_threads_are_whole(tmp_path: Path) -> None:
    path, texts = tmp_path / "shared.json", [str(number) * 100_000 for number in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(partial(write_whole, path), texts * 25):
            assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_has_the_mode_that_the_umask_leaves_and_no_thread_sees_another_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patched:
            patched.delattr(os, "umask")
            write_whole(tmp_path / "file", "text")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


def test_a_store_answers_queries_of_several_threads_that_take_long() -> None:
    store = environments()["alfworld"]().open_store()
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)"
    answers: list[object] = []

    def ask() -> None:
        for _ in range(5):
            answers.extend(store.query(f"{numbers} SELECT count(*) FROM n"))

    # Threads that wait for each other for ever are not to hold up the other tests.
    threads = [threading.Thread(target=ask, daemon=True) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == [(20_000,)] * 5 * THREADS
