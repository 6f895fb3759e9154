"""Solving a benchmark's own tasks with a library of skills and without, all else equal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import attrs
import msgspec

from skillsandbox.runtime.crew import Crew, crew
from skillsandbox.runtime.journal import Journal, Key
from skillsandbox.runtime.retrieval import Retrieved, Retriever
from skillsandbox.runtime.rollout import Trajectory
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.tasks import TaskTable


@attrs.frozen
class Given:
    """A skill that was retrieved for a task and given to the player: its id and its similarity."""

    id: str
    similarity: float


@attrs.frozen
class TaskResult:
    """A task, and the runs on it without skills and with those of the library that were given.

    `with_library` is None where there is no library.
    """

    name: str
    instruction: str
    without: Trajectory
    given: tuple[Given, ...] = ()
    with_library: Trajectory | None = None


@attrs.frozen
class Shelf:
    """A library as it is used: what finds its skills, and how many are given for a task."""

    retriever: Retriever
    top: int

    @property
    def identity(self) -> dict[str, str]:
        """Return what determines which skills are given, and what they say."""
        skills = self.retriever.skills
        texts = json.dumps([[one.id, one.title, one.condition, one.principle] for one in skills])
        return {
            "library": hashlib.sha256(texts.encode()).hexdigest(),
            "retrieval": self.retriever.embedder.identity,
            "top": str(self.top),
        }


@attrs.frozen
class Solving:
    """What came of all tasks, in their order."""

    identity: dict[str, str] = attrs.field(hash=False)
    description: str
    skills: tuple[Skill, ...]
    results: tuple[TaskResult, ...]


def run_inputs(table: TaskTable, shelf: Shelf | None) -> dict[str, str]:
    """Return what determines the runs: the header of their journal. More tasks continue a run."""
    return {**table.identity, **(shelf.identity if shelf else {})}


def solve(
    table: TaskTable,
    number: int,
    shelf: Shelf | None,
    journal: Journal,
    concurrency: int,
    played: Callable[[TaskResult], None],
) -> Solving:
    """Play the first tasks, several at once; what the journal holds already is not played again.

    The journal is to be opened with `run_inputs`. `played` is told of each task by the thread that played
    it. A model or an environment that fails raises its own error, after which nothing new is begun.
    """
    with crew(concurrency) as workers:
        solver = _Solver(table, shelf, journal, workers, played)
        results = workers.lead(partial(solver.solved, index) for index in range(number))
    skills = shelf.retriever.skills if shelf else ()
    return Solving(run_inputs(table, shelf), table.tasks.description, skills, results)


@attrs.frozen
class _Solver:
    table: TaskTable
    shelf: Shelf | None
    journal: Journal
    workers: Crew
    played: Callable[[TaskResult], None]

    def solved(self, index: int) -> TaskResult:
        self.workers.go_on()
        posed = self.table.tasks[index]

        def run(skills: Sequence[Skill]) -> dict[str, Any]:
            return {"trajectory": self.table.play(posed, skills, self.workers).to_data()}

        def run_with_library(shelf: Shelf) -> dict[str, Any]:
            found = shelf.retriever.retrieve(posed.instruction, shelf.top)
            return {"given": [_given(one) for one in found], **run([one.skill for one in found])}

        without = self._once(("without", posed.name), partial(run, ()))
        result = TaskResult(posed.name, posed.instruction, Trajectory.from_data(without["trajectory"]))
        if self.shelf is not None:
            unit = self._once(("with library", posed.name), partial(run_with_library, self.shelf))
            result = attrs.evolve(
                result,
                given=msgspec.convert(unit["given"], tuple[Given, ...]),
                with_library=Trajectory.from_data(unit["trajectory"]),
            )
        self.played(result)
        return result

    def _once(self, key: Key, unit: Callable[[], dict[str, Any]]) -> Any:
        if key not in self.journal:
            self.journal.record(key, unit())
        return self.journal[key]


def _given(found: Retrieved) -> Any:
    return msgspec.to_builtins(Given(found.skill.id, found.similarity))
