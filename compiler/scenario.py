"""A scenario: a value from which everything else can be rebuilt, and its manifest in a folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.environment import Environment, Moment, Refused, Task
from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.printer import print_expression
from skillsandbox.compiler.resolver import checks
from skillsandbox.compiler.temporal import Monitor
from skillsandbox.compiler.values import Binding, Entity, GroundCall, Value

MANIFEST = "scenario.json"
FORMAT = 1


class ManifestError(Exception):
    """A scenario folder cannot be read; the text says which file, what is wrong with it, and what to do."""


@attrs.frozen
class Scenario:
    """A compiled scenario.

    `program` is the canonical text of the one scenario program that it comes from; `history` holds commands
    that are executed before the first step, `plan` a shortest solution after them; `novelty` pairs the text
    of each dimension with its value. `digest` is the same for two scenarios that pose the same: it hashes
    environment, goal, wording, bound entities, history and what the operations changed.
    """

    name: str
    environment: str
    program: str
    seed: int
    data_version: str
    binding: Binding
    configuration: Any
    goal: GroundCall
    instruction: str
    history: tuple[str, ...]
    plan: tuple[str, ...]
    novelty: tuple[tuple[str, Value], ...]
    difference: str

    @property
    def digest(self) -> str:
        """Return the hash by which distinct scenarios are told apart."""
        canonical = [
            self.environment,
            value_to_data(self.goal),
            self.instruction,
            binding_to_data(self.binding),
            list(self.history),
            self.difference,
        ]
        return hashlib.sha256(json.dumps(canonical, sort_keys=True).encode()).hexdigest()[:16]

    def task(self, environment: Environment) -> Task:
        """Return the task that this scenario poses."""
        return environment.task(self.configuration, self.goal, self.instruction)

    def encounters(self, environment: Environment) -> dict[str, Monitor]:
        """Return a monitor for each encounter check, by label."""
        return {check.label: self._monitor(check) for check in checks(self.syntax(environment).encounter)}

    def _monitor(self, check: s.Check) -> Monitor:
        return monitor_of(check.condition, self.binding)

    def syntax(self, environment: Environment) -> s.Scenario:
        """Return the program as a syntax tree."""
        parsed = parse(Source(self.name, self.program), {self.environment: lambda: environment})
        return parsed.program.scenarios[0]


def monitor_of(formula: s.Expression, binding: Binding) -> Monitor:
    """Return the monitor of a formula whose variables are bound."""

    def holds(atom: s.Expression, moment: Moment) -> bool:
        return bool(evaluate(atom, binding, moment))

    return Monitor(formula, holds)


def value_to_data(value: Value) -> Any:
    """Return a value as JSON data."""
    match value:
        case Entity(type=type, key=key):
            return {"type": type, "key": key}
        case GroundCall(symbol=symbol, arguments=arguments):
            return {"symbol": symbol, "arguments": [value_to_data(argument) for argument in arguments]}
        case tuple():
            return [value_to_data(item) for item in value]
        case _:
            return value


def value_from_data(data: Any) -> Value:
    """Return the value that `value_to_data` wrote."""
    match data:
        case {"type": type, "key": key}:
            return Entity(type, key)
        case {"symbol": symbol, "arguments": arguments}:
            return GroundCall(symbol, tuple(map(value_from_data, arguments)))
        case list():
            return tuple(value_from_data(item) for item in data)
        case _:
            return data  # type: ignore[no-any-return]  # a text, a number or a truth value


def binding_to_data(binding: Binding) -> Any:
    """Return a binding as JSON data."""
    return {
        "context": binding.context,
        "variables": {name: value_to_data(entity) for name, entity in binding.entities},
    }


def _binding_from_data(data: Any) -> Binding:
    entities = ((name, Entity(**entity)) for name, entity in data["variables"].items())
    return Binding(data["context"], tuple(entities))


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
        data = json.loads(file.read_text("utf-8"))
        environment = environments[data["environment"]]()
        return _from_data(data, environment)
    except OSError as error:
        raise ManifestError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ManifestError(f"{file} is not a scenario's manifest; compile the program again") from error
    except Refused as refusal:
        raise ManifestError(f"{file} cannot be loaded: {refusal}") from refusal


def _from_data(data: Any, environment: Environment) -> Scenario:
    goal = GroundCall(data["goal"]["symbol"], tuple(map(value_from_data, data["goal"]["arguments"])))
    return Scenario(
        name=_text(data["name"]),
        environment=data["environment"],
        program=_text(data["program"]),
        seed=data["seed"],
        data_version=data["data_version"],
        binding=_binding_from_data(data["binding"]),
        configuration=environment.load(data["configuration"]),
        goal=goal,
        instruction=_text(data["instruction"]),
        history=tuple(map(_text, data["history"])),
        plan=tuple(map(_text, data["plan"])),
        novelty=tuple((text, value_from_data(value)) for text, value in data["novelty"]),
        difference=data["difference"],
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, found {value!r}")
    return value
