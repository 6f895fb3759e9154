"""Distilling skills: source tasks are played, and a model writes down what each run teaches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import partial

import attrs
import msgspec

from skillsandbox.compiler.environment import PosedTask
from skillsandbox.runtime.crew import Crew, crew
from skillsandbox.runtime.distiller import Distilled, distilled
from skillsandbox.runtime.journal import Journal
from skillsandbox.runtime.models.request import LanguageModel
from skillsandbox.runtime.prompting import prompts_identity
from skillsandbox.runtime.proposer import derived_seed
from skillsandbox.runtime.rollout import Trajectory
from skillsandbox.runtime.skills import Source
from skillsandbox.runtime.tasks import TaskTable

_LONGEST_SUMMARY = 600


@attrs.frozen
class SourceRun:
    """A run on a source task, and what was learned from it."""

    task: str
    instruction: str
    trajectory: Trajectory
    learned: Distilled


@attrs.frozen
class Distillery:
    """A model that distils skills from runs, each under an id that begins with `prefix`."""

    model: LanguageModel
    prefix: str

    @property
    def identity(self) -> dict[str, str]:
        """Return what determines what is distilled, besides the runs."""
        return {
            "distiller": f"{self.model.identity} {prompts_identity()}",
            "ids": self.prefix,
        }


def run_inputs(table: TaskTable, distillery: Distillery) -> dict[str, str]:
    """Return what determines the runs and skills: the header of their journal. More tasks continue a run."""
    return {**table.identity, **distillery.identity}


def distil(
    table: TaskTable,
    number: int,
    distillery: Distillery,
    journal: Journal,
    concurrency: int,
    done: Callable[[SourceRun], None],
) -> tuple[SourceRun, ...]:
    """Play the first tasks, several at once, and distil a skill from each run; return them in their order.

    What the journal holds already is not done again; it is to be opened with `run_inputs`. `done` is told
    of each task by the thread that played it. A model or an environment that fails raises its own error,
    after which nothing new is begun.
    """
    with crew(concurrency) as workers:
        worker = _Worker(table, distillery, journal, workers, done)
        return workers.lead(partial(worker.learned, index) for index in range(number))


@attrs.frozen
class _Worker:
    table: TaskTable
    distillery: Distillery
    journal: Journal
    workers: Crew
    done: Callable[[SourceRun], None]

    def learned(self, index: int) -> SourceRun:
        self.workers.go_on()
        posed = self.table.tasks[index]
        trajectory = self._trajectory(posed)
        run = SourceRun(posed.name, posed.instruction, trajectory, self._distilled(posed, trajectory))
        self.done(run)
        return run

    def _trajectory(self, posed: PosedTask) -> Trajectory:
        key = ("run", posed.name)
        if key not in self.journal:
            self.journal.record(key, self.table.play(posed, (), self.workers).to_data())
        return Trajectory.from_data(self.journal[key])

    def _distilled(self, posed: PosedTask, trajectory: Trajectory) -> Distilled:
        key = ("skill", posed.name)
        if key not in self.journal:
            self.workers.go_on()
            self.journal.record(key, msgspec.to_builtins(self._asked(posed, trajectory)))
        return msgspec.convert(self.journal[key], Distilled)

    def _asked(self, posed: PosedTask, trajectory: Trajectory) -> Distilled:
        seed = derived_seed("distiller", str(self.table.seed), posed.name)
        identity = f"{self.distillery.prefix}{posed.name}"
        answer = distilled(self.distillery.model, posed.instruction, trajectory, identity, seed)
        if answer.skill is None:
            return answer
        source = source_of(self.table, posed, trajectory, self.distillery.model.identity, seed)
        return attrs.evolve(answer, skill=attrs.evolve(answer.skill, source=source))


def source_of(table: TaskTable, posed: PosedTask, trajectory: Trajectory, model: str, seed: int) -> Source:
    """Return what a skill was learned from that a model distilled from a run."""
    return Source(
        environment=table.environment.name,
        task=posed.name,
        instruction=posed.instruction,
        values={name: tuple(sorted(values)) for name, values in sorted(posed.values.values.items())},
        success=trajectory.success,
        trajectory=digest(trajectory),
        summary=summary(trajectory),
        model=model,
        seed=seed,
    )


def digest(trajectory: Trajectory) -> str:
    """Return a hash that tells runs apart."""
    return hashlib.sha256(json.dumps(trajectory.to_data(), sort_keys=True).encode()).hexdigest()[:16]


def summary(trajectory: Trajectory) -> str:
    """Return a run in a line: its end and its actions, as many as there is room for."""
    steps = len(trajectory.steps)
    end = "solved" if trajectory.success else "not solved"
    line = f"{end} in {steps} {'action' if steps == 1 else 'actions'}: {'; '.join(trajectory.actions)}"
    return line if len(line) <= _LONGEST_SUMMARY else f"{line[: _LONGEST_SUMMARY - 1]}…"
