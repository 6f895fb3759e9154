"""Build: apply the operations of a bound scenario, in order, to its starting configuration."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs

from skillsandbox.compiler import errors
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Diagnostic
from skillsandbox.compiler.environment import Environment, Moment, Refused, Store
from skillsandbox.compiler.evaluator import evaluate, ground
from skillsandbox.compiler.printer import print_expression
from skillsandbox.compiler.resolver import operations
from skillsandbox.compiler.values import Binding, GroundCall


@attrs.frozen
class Built:
    """A bound scenario with its configurations, before and after the operations, its goal and its wording."""

    scenario: s.Scenario
    binding: Binding
    base: Any
    configuration: Any
    goal: GroundCall
    instruction: str


def build(
    scenario: s.Scenario, binding: Binding, environment: Environment, store: Store, seed: str
) -> Built | Diagnostic:
    """Return the built scenario, or the first operation that cannot be applied.

    A seed decides what the operations leave open, such as where added objects stand.
    """
    base = environment.start(store, binding)
    goal, instruction = _task(scenario, binding, environment, base)
    configuration, random = base, Random(seed)
    for operation in operations(scenario):
        try:
            moment = environment.moment(configuration)
            call = ground(operation.call, binding, moment, environment.interface())
            configuration = environment.apply(configuration, call, random)
        except Refused as refusal:
            return errors.OperationRefused(operation.call.span, str(refusal))
    return Built(scenario, binding, base, configuration, goal, instruction)


def _task(
    scenario: s.Scenario, binding: Binding, environment: Environment, base: Any
) -> tuple[GroundCall, str]:
    """Return goal and wording; both speak of data alone, so that the base configuration knows all of it."""
    assert scenario.goal is not None
    assert scenario.say is not None
    moment = environment.moment(base)
    goal = ground(scenario.goal.call, binding, moment, environment.interface())
    words = (
        part.value if isinstance(part, s.Text) else _words(part, binding, environment, moment)
        for part in scenario.say.parts
    )
    return goal, "".join(words)


def _words(part: s.Expression, binding: Binding, environment: Environment, moment: Moment) -> str:
    """Return what fills a hole of the wording; amounts are written as in programs."""
    value, interface = evaluate(part, binding, moment), environment.interface()
    if isinstance(part, s.Field) and isinstance(value, int):
        field = interface.fields_of[binding[part.subject.name].type, part.name]
        if field.result == "Money":
            return print_expression(s.Money(value), interface)
    return environment.wording(value)
