"""Solving tasks with a library: which skills are given, what is compared, and that runs are continued."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
import benchmark
import pytest
from benchmark import FAR, RIGHT, SHELF, Halls, Words, solve_in
from hypothesis import given, settings
from hypothesis import strategies as st

from skillsandbox.compiler.environment import Agent, Decision, Guidance, Situation, Split
from skillsandbox.runtime.crew import crew
from skillsandbox.runtime.journal import JournalError
from skillsandbox.runtime.metrics import SkillEffect, library_effect, skill_effects
from skillsandbox.runtime.retrieval import Retriever
from skillsandbox.runtime.solve_report import SolveReport, write_report
from skillsandbox.runtime.solving import Given, Shelf, TaskResult
from skillsandbox.runtime.tasks import TaskTable


class Interrupted(Exception):  # noqa: N818 - nothing is wrong
    """A made-up end of a process."""


def test_each_task_is_played_without_skills_and_with_the_nearest(tmp_path: Path) -> None:
    halls = Halls()
    results = solve_in(tmp_path, halls).results
    assert [result.name for result in results] == [f"hall-{number}" for number in range(10)]
    assert len(halls.played) == 20
    assert {result.given for result in results[::2]} == {(Given(FAR.id, 1.0),)}
    assert {result.given for result in results[1::2]} == {(Given(FAR.id, 0.0),)}
    with_library = [result.with_library for result in results]
    assert [run.success for run in with_library if run] == [False] * 2 + [True] * 8
    assert all(run.steps[0].cites for run in with_library if run)
    assert not any(step.cites for result in results for step in result.without.steps)


def test_what_the_library_did_follows_from_the_runs(tmp_path: Path) -> None:
    results = solve_in(tmp_path, Halls()).results
    effect = library_effect(results)
    assert (effect.recovered, effect.regressed) == (2, 2)
    assert skill_effects([FAR.id, RIGHT.id], results) == (
        SkillEffect(FAR.id, given=10, cited=10, helped=2, harmed=2),
        SkillEffect(RIGHT.id, given=0, cited=0, helped=0, harmed=0),
    )


def test_without_a_library_there_is_one_run_of_each_task(tmp_path: Path) -> None:
    halls = Halls()
    results = solve_in(tmp_path, halls, 4, shelf=None).results
    assert len(halls.played) == 4
    assert {(result.given, result.with_library) for result in results} == {((), None)}


def test_more_tasks_go_on_from_fewer_and_nothing_is_played_twice(tmp_path: Path) -> None:
    halls = Halls()
    few = solve_in(tmp_path, halls, 3)
    more = solve_in(tmp_path, halls, 5)
    assert len(halls.played) == 10
    assert more.results[:3] == few.results


@settings(deadline=None, max_examples=8)
@given(st.integers(0, 9), st.integers(1, 4))
def test_a_run_that_was_interrupted_gives_the_report_of_one_that_was_not(stop: int, concurrency: int) -> None:
    whole, halls = Halls(), Halls()
    count = iter(range(100))

    def interrupt(result: TaskResult) -> None:
        if next(count) == stop:
            raise Interrupted

    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        expected = write_report(SolveReport(solve_in(Path(one), whole), {}), Path(one)).read_bytes()
        with pytest.raises(Interrupted):
            solve_in(Path(other), halls, concurrency=concurrency, played=interrupt)
        resumed = solve_in(Path(other), halls, concurrency=concurrency)
        assert write_report(SolveReport(resumed, {}), Path(other)).read_bytes() == expected
    assert len(halls.played) <= 20 + concurrency


def test_a_process_that_is_killed_leaves_what_was_finished(tmp_path: Path) -> None:
    arguments = [sys.executable, benchmark.__file__, str(tmp_path)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        for _ in range(3):
            process.stdout.readline()
            process.stdin.write("\n")
            process.stdin.flush()
        process.kill()
    halls = Halls()
    results = solve_in(tmp_path, halls).results
    assert len(results) == 10
    assert len(halls.played) <= 20 - 2 * 3


def test_another_library_is_another_run(tmp_path: Path) -> None:
    solve_in(tmp_path, Halls(), 1)
    other = Shelf(Retriever((RIGHT,), Words()), 1)
    with pytest.raises(JournalError, match="library was"):
        solve_in(tmp_path, Halls(), 1, other)
    with pytest.raises(JournalError, match="top was 1, now 2"):
        solve_in(tmp_path, Halls(), 1, attrs.evolve(SHELF, top=2))


@attrs.frozen
class Quoting:
    """A player whose rationale is the ids of its skills; keeps the seeds that it is given."""

    seeds: list[int]
    identity: str = "quoting"

    def agent_with(self, skills: tuple[Guidance, ...], seed: int) -> Agent:
        self.seeds.append(seed)
        ids = " and ".join(skill.id for skill in skills)

        class Quoter:
            def decide(self, situation: Situation) -> Decision:
                return Decision(ids, situation.admissible[0])

        return Quoter()


def test_a_player_gets_all_skills_at_once_and_the_same_seed_both_times(tmp_path: Path) -> None:
    player = Quoting([])
    at: TaskTable = attrs.evolve(benchmark.table(Halls()), player=player)
    posed = at.tasks[0]
    with crew(1) as workers:
        both = at.play(posed, (FAR, RIGHT), workers)
        none = at.play(posed, (), workers)
    assert player.seeds[0] == player.seeds[1]
    assert both.steps[0].rationale == "c/far and c/right"
    assert both.steps[0].cites
    assert not none.steps[0].cites


def test_what_determines_a_run_is_in_its_inputs() -> None:
    one = benchmark.table(Halls())
    others = [
        benchmark.table(Halls(), seed=1),
        attrs.evolve(one, split=Split.SOURCE),
        attrs.evolve(one, engine="official"),
        attrs.evolve(one, tasks=Halls(version="2")),
        attrs.evolve(one, player=Quoting([])),
    ]
    assert all(other.identity != one.identity for other in others)
