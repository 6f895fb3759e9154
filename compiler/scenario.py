"""A scenario: a value from which everything else can be rebuilt."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import attrs

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.environment import Environment, Moment, Task
from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.resolver import checks
from skillsandbox.compiler.temporal import Monitor
from skillsandbox.compiler.values import Binding, Entity, GroundCall, Value


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


def binding_to_data(binding: Binding) -> Any:
    """Return a binding as JSON data."""
    return {
        "context": binding.context,
        "variables": {name: value_to_data(entity) for name, entity in binding.entities},
    }
