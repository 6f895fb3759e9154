"""A scenario's manifest: the file by which a compiled scenario's folder is read again.

Anybody may have changed the file, so that all in it is held against its own program and the environment's
interface. What it says then fits together; that it is what was compiled, its digest says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import msgspec

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.checker import type_of
from skillsandbox.compiler.decoding import (
    Malformed,
    decoded_json,
    expected,
    goal_from_data,
    one_of,
    value_from_data,
)
from skillsandbox.compiler.diagnostics import Severity, Source
from skillsandbox.compiler.driver import analyse
from skillsandbox.compiler.environment import Environment, Refused
from skillsandbox.compiler.evaluator import gone
from skillsandbox.compiler.printer import print_expression
from skillsandbox.compiler.resolver import Resolved, checks
from skillsandbox.compiler.scenario import Scenario, binding_to_data, value_to_data
from skillsandbox.compiler.values import Binding, Entity, Value

MANIFEST = "scenario.json"
FORMAT = 1


class ManifestError(Exception):
    """A scenario folder cannot be read; the text says which file, what is wrong with it, and what to do."""


def manifest(scenario: Scenario, environment: Environment) -> dict[str, Any]:
    """Return the manifest of a scenario as JSON data; the checks stand there as text, for people to read."""
    syntax = scenario.syntax(environment)
    interface = environment.interface()

    def texts(block: s.Block | None) -> dict[str, str]:
        return {check.label: print_expression(check.condition, interface) for check in checks(block)}

    return {
        "format": FORMAT,
        "name": scenario.name,
        "environment": scenario.environment,
        "digest": scenario.digest,
        "seed": scenario.seed,
        "data_version": scenario.data_version,
        "instruction": scenario.instruction,
        "goal": value_to_data(scenario.goal),
        "binding": binding_to_data(scenario.binding),
        "require": texts(syntax.require),
        "encounter": texts(syntax.encounter),
        "novelty": [[text, value_to_data(value)] for text, value in scenario.novelty],
        "history": list(scenario.history),
        "plan": list(scenario.plan),
        "difference": scenario.difference,
        "program": scenario.program,
        "configuration": environment.dump(scenario.configuration),
    }


def load(path: Path, environments: Mapping[str, Callable[[], Environment]]) -> Scenario:
    """Read the scenario that a manifest, or the folder around it, describes; raise `ManifestError` where it
    can't be.
    """
    file = path / MANIFEST if path.is_dir() else path
    try:
        return _scenario(decoded_json(file.read_bytes(), _Manifest), environments)
    except OSError as error:
        raise ManifestError(f"{file} cannot be read: {error.strerror}") from error
    except Malformed as fault:
        raise ManifestError(
            f"{file} is not a scenario's manifest: {fault}; compile the program again"
        ) from fault
    except Refused as refusal:
        raise ManifestError(f"{file} cannot be loaded: {refusal}") from refusal


class _Binding(msgspec.Struct, frozen=True):
    context: str | None
    variables: dict[str, Any]


class _Manifest(msgspec.Struct, frozen=True):
    """What is read of a manifest; what else stands there is for people."""

    format: int
    name: str
    environment: str
    digest: str
    seed: int
    data_version: str
    instruction: str
    goal: Any
    binding: _Binding
    novelty: tuple[tuple[str, Any], ...]
    history: tuple[str, ...]
    plan: tuple[str, ...]
    difference: str
    program: str
    configuration: Any


def _scenario(data: _Manifest, environments: Mapping[str, Callable[[], Environment]]) -> Scenario:
    if data.format != FORMAT:
        raise expected("format", f"{FORMAT}, the one that this version writes", data.format)
    if data.environment not in environments:
        raise expected("environment", one_of(environments), data.environment)
    environment = environments[data.environment]()
    reader = _Reader(data, environment, _program(data, environment))
    scenario = Scenario(
        name=data.name,
        environment=data.environment,
        program=data.program,
        seed=data.seed,
        data_version=data.data_version,
        binding=reader.binding(),
        configuration=environment.load(data.configuration),
        goal=goal_from_data(data.goal, environment.interface(), "goal"),
        instruction=reader.instruction(),
        history=data.history,
        plan=data.plan,
        novelty=reader.novelty(),
        difference=data.difference,
    )
    reader.check(scenario)
    return scenario


def _program(data: _Manifest, environment: Environment) -> Resolved:
    analysed = analyse(Source(data.name, data.program), {environment.name: lambda: environment})
    for diagnostic in analysed.diagnostics:
        if diagnostic.severity is Severity.ERROR:
            raise Malformed("program", f"{diagnostic.code}: {diagnostic.message}")
    match analysed.scenarios:
        case [Resolved(scenario=scenario) as resolved] if scenario.condition.mode is not None:
            if scenario.name != data.name:
                raise expected("name", f"{json.dumps(scenario.name)}, as its program is called", data.name)
            return resolved
        case _:
            raise Malformed("program", "expected one program, of a condition that is supported")


@attrs.frozen
class _Reader:
    """Reads what a manifest says of its program."""

    data: _Manifest
    environment: Environment
    program: Resolved

    def binding(self) -> Binding:
        """Return the binding, which has an entity of the right type for each variable of the program."""
        interface, bound = self.environment.interface(), self.data.binding
        types = {name: let.type for name, let in self.program.lets.items()}
        if bound.variables.keys() != types.keys():
            variables = ", ".join(sorted(types)) or "nothing"
            raise expected("binding.variables", f"{variables}, as in its program", sorted(bound.variables))
        entities = []
        for name, data in bound.variables.items():
            entity = value_from_data(data, types[name], interface, f"binding.variables.{name}")
            assert isinstance(entity, Entity)
            entities.append((name, entity))
        return Binding(bound.context, tuple(entities))

    def instruction(self) -> str:
        """Return the wording, which the environment can carry."""
        fault = self.environment.wording_fault(self.data.instruction)
        if fault is not None:
            raise Malformed("instruction", fault)
        return self.data.instruction

    def novelty(self) -> tuple[tuple[str, Value], ...]:
        """Return the values of the dimensions that the program names."""
        interface, novel = self.environment.interface(), self.program.scenario.novel
        types = {name: let.type for name, let in self.program.lets.items()}
        dimensions = novel.dimensions if novel else ()
        texts = [print_expression(one, interface) for one in dimensions]
        found = [text for text, _ in self.data.novelty]
        if found != texts:
            raise expected("novelty", f"{', '.join(texts) or 'nothing'}, as in its program", found)
        return tuple(
            (text, value_from_data(value, type_of(one, types, interface), interface, f"novelty[{index}][1]"))
            for index, (one, (text, value)) in enumerate(zip(dimensions, self.data.novelty, strict=True))
        )

    def check(self, scenario: Scenario) -> None:
        """Check what the parts of a scenario say together."""
        self._check_encounters(scenario)
        self._check_start(scenario)
        if scenario.digest != self.data.digest:
            hashed = "goal, instruction, binding, history and difference"
            raise expected("digest", f"{scenario.digest}, the hash of {hashed}", self.data.digest)

    def _check_encounters(self, scenario: Scenario) -> None:
        moment = self.environment.moment(scenario.configuration)
        for check in checks(self.program.scenario.encounter):
            fault = gone(check.condition, scenario.binding, moment)
            if fault is not None:
                raise Malformed("binding.variables", f"of `{check.label}`, {fault}")

    def _check_start(self, scenario: Scenario) -> None:
        """Check that the history can be executed and leaves something to do."""
        try:
            task = scenario.task(self.environment)
        except Refused as refusal:
            raise Malformed("goal", str(refusal)) from refusal
        run = task.run(scenario.history)
        for index in run.refused:
            raise expected(
                f"history[{index}]", "a command that does something there", scenario.history[index]
            )
        if any(run.won):
            raise Malformed("history" if scenario.history else "goal", "nothing is left to do")
        if scenario.history:
            episode = task.episode(scenario.history, self.environment.step_limit)
            try:
                episode.reset()
            except Refused as refusal:
                raise Malformed("history", str(refusal)) from refusal
            finally:
                episode.close()
