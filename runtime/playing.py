"""The stage of an installed environment: scenarios are compiled into a run's folder and played from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs

from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.diagnostics import Diagnostic, Severity
from skillsandbox.compiler.diagnostics import Source as Program
from skillsandbox.compiler.driver import Compiled, compile_source
from skillsandbox.compiler.environment import Agent, Environment, Episode, Guidance, SourceTask
from skillsandbox.compiler.lowerer import lower, save
from skillsandbox.compiler.manifest import ManifestError, load
from skillsandbox.compiler.rendering import to_data
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.runtime.encounters import encountered
from skillsandbox.runtime.skills import Source
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Encounter, Executor, Refusal


@attrs.define(frozen=True, slots=False)
class InstalledStage:
    """Compiles and plays scenarios of one environment, each in a folder of its own under `folder`.

    Without an `executor`, the environment's built-in agent plays.
    """

    environment: Environment
    folder: Path
    engine: str
    executor: Executor | None = None

    @cached_property
    def identity(self) -> Mapping[str, str]:
        """Return the environment's name, its engine, the version of its data, its step limit, and who plays
        if it is not the environment's own agent.
        """
        executor = {} if self.executor is None else {"executor": self.executor.identity}
        return {
            "environment": self.environment.name,
            "engine": self.engine,
            "data": self.environment.open_store().data_version,
            "step limit": str(self.environment.step_limit),
            **executor,
        }

    @property
    def step_limit(self) -> int:
        """Return how many actions a run may take."""
        return self.environment.step_limit

    def compile(
        self, candidate: Candidate, siblings: Sequence[BuiltScenario], source: Source | None = None
    ) -> BuiltScenario | Refusal:
        """Compile a candidate, whose name is its scenario's, and save what comes of it."""
        compiled = self._compiled(candidate, siblings, source)
        if compiled.failed:
            return Refusal(tuple(map(_complaint, filter(_is_error, compiled.diagnostics))))
        if len(compiled.scenarios) != 1:
            return Refusal((_not_one(compiled),))
        return self._saved(compiled.scenarios[0])

    def faults(
        self, candidate: Candidate, siblings: Sequence[BuiltScenario], source: Source | None = None
    ) -> tuple[dict[str, Any], ...]:
        """Return why a candidate would be refused, as JSON data for a repair turn; nothing is saved."""
        compiled = self._compiled(candidate, siblings, source)
        if compiled.failed:
            program = Program(candidate.name, candidate.text)
            return tuple(to_data(one, program) for one in compiled.diagnostics if _is_error(one))
        return () if len(compiled.scenarios) == 1 else ({"message": _not_one(compiled)},)

    def episode(self, scenario: BuiltScenario) -> Episode:
        """Return a fresh episode."""
        loaded = self._scenario(scenario)
        return loaded.task(self.environment).episode(loaded.history, self.step_limit, self.engine)

    def agent(self, guidance: Guidance | None, seed: int) -> Agent:
        """Return an agent for one episode."""
        return (self.executor or self.environment).agent(guidance, seed)

    def encounters(self, scenario: BuiltScenario, commands: Sequence[str]) -> tuple[Encounter, ...]:
        """Evaluate the scenario's condition checks on a run's commands."""
        found = encountered(self._scenario(scenario), self.environment, commands)
        return tuple(Encounter(label, satisfied) for label, satisfied in found.items())

    def particulars(self, scenario: BuiltScenario) -> str:
        """Return what a scenario's variables stand for, and what the operations changed, line by line."""
        loaded = self._scenario(scenario)
        bound = [f"?{name} is {entity.key}" for name, entity in loaded.binding.entities]
        return "\n".join([*bound, loaded.difference])

    def _compiled(
        self, candidate: Candidate, siblings: Sequence[BuiltScenario], source: Source | None
    ) -> Compiled:
        alike = [sibling for sibling in map(self._scenario, siblings) if sibling.name == candidate.name]
        novelty = Novelty(
            self._source_task(source), tuple(tuple(value for _, value in one.novelty) for one in alike)
        )
        program = Program(candidate.name, candidate.text)
        return compile_source(program, self._environments, candidate.seed, novelty)

    def _source_task(self, source: Source | None) -> SourceTask | None:
        if source is None or source.environment != self.environment.name:
            return None
        return SourceTask({name: frozenset(values) for name, values in source.values.items()})

    def _saved(self, scenario: Scenario) -> BuiltScenario:
        place = save(lower(scenario, self.environment), self.folder / scenario.digest).relative_to(
            self.folder
        )
        return BuiltScenario(
            scenario.instruction, scenario.digest, scenario.program, scenario.history, place.as_posix()
        )

    def _scenario(self, scenario: BuiltScenario) -> Scenario:
        loaded = load(self.folder / scenario.place, self._environments)
        if loaded.digest != scenario.digest:
            raise ManifestError(f"{self.folder / scenario.place} holds another scenario than was built there")
        return loaded

    @property
    def _environments(self) -> dict[str, Callable[[], Environment]]:
        return {self.environment.name: lambda: self.environment}


def _is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.ERROR


def _not_one(compiled: Compiled) -> str:
    return f"expected one scenario in the program, found {len(compiled.scenarios)}"


def _complaint(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.code}: {diagnostic.message}"
