"""Resolve: every name of a program to what it stands for, or a diagnostic where it stands for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from skillsandbox.compiler import errors
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Diagnostic, Span
from skillsandbox.compiler.suggestion import closest

_MAY_DECLARE = ("condition", "from", "let")
"""The sections that can hold a `let`: with a mistake in its keyword it counts as part of the one before."""


@attrs.frozen
class Resolved:
    """A scenario whose names are known: each variable's `let`, in the order of the program."""

    scenario: s.Scenario
    lets: dict[str, s.Let]


def resolve(program: s.Program) -> tuple[tuple[Resolved, ...], tuple[Diagnostic, ...]]:
    """Resolve the names of every scenario; what could be resolved is returned beside the diagnostics."""
    resolved = tuple(Resolved(scenario, _declarations(scenario)) for scenario in program.scenarios)
    diagnostics = [
        *_duplicates("scenario", ((scenario.name, scenario.name_span) for scenario in program.scenarios)),
        *(diagnostic for one in resolved for diagnostic in _scenario(one)),
    ]
    return resolved, tuple(diagnostics)


def _declarations(scenario: s.Scenario) -> dict[str, s.Let]:
    declared: dict[str, s.Let] = {}
    for let in scenario.lets:
        declared.setdefault(let.variable.name, let)
    return declared


def _scenario(resolved: Resolved) -> Iterator[Diagnostic]:
    scenario = resolved.scenario
    yield from _duplicates("variable", ((let.variable.name, let.variable.span) for let in scenario.lets))
    for block in (scenario.require, scenario.encounter):
        yield from _duplicates("check", ((check.label, check.label_span) for check in checks(block)))
    if scenario.unread.isdisjoint(_MAY_DECLARE):
        yield from _unknown_variables(resolved)
    if not scenario.unread:
        yield from _unknown_labels(scenario)
        yield from _unused_variables(resolved)


def _duplicates(what: str, names: Iterable[tuple[str, Span]]) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for name, span in names:
        if name in first:
            yield errors.Duplicate(span, what, name, first[name])
        else:
            first[name] = span


def _unknown_variables(resolved: Resolved) -> Iterator[Diagnostic]:
    declared = tuple(resolved.lets)
    for expression in expressions(resolved.scenario):
        for part in s.walk(expression):
            if isinstance(part, s.Variable) and part.name not in resolved.lets:
                nearest = closest(part.name, declared)
                yield errors.UnknownVariable(part.span, part.name, declared, nearest and f"?{nearest}")


def _unknown_labels(scenario: s.Scenario) -> Iterator[Diagnostic]:
    labels = tuple(check.label for check in checks(scenario.require))
    for operation in operations(scenario):
        name = operation.establishes
        if name is not None and name not in labels:
            yield errors.UnknownLabel(operation.label_span, name, labels, closest(name, labels))


def _unused_variables(resolved: Resolved) -> Iterator[Diagnostic]:
    where_of = {id(let.where): name for name, let in resolved.lets.items() if let.where is not None}
    used = {
        name
        for expression in expressions(resolved.scenario)
        for name in s.variables(expression)
        if name != where_of.get(id(expression))
    }
    for let in resolved.scenario.lets:
        if let.variable.name not in used:
            yield errors.UnusedVariable(let.variable.span, let.variable.name)


def checks(block: s.Block | None) -> tuple[s.Check, ...]:
    """Return the checks of a `require` or `encounter` block."""
    return () if block is None else tuple(item for item in block.items if isinstance(item, s.Check))


def operations(scenario: s.Scenario) -> tuple[s.Operation, ...]:
    """Return the operations of a scenario, in order."""
    block = scenario.build
    return () if block is None else tuple(item for item in block.items if isinstance(item, s.Operation))


def actions(scenario: s.Scenario) -> tuple[s.Action, ...]:
    """Return the actions of a scenario's history, in order."""
    block = scenario.history
    return () if block is None else tuple(item for item in block.items if isinstance(item, s.Action))


def expressions(scenario: s.Scenario) -> Iterator[s.Expression]:
    """Yield every outermost expression of a scenario, in the order of the program."""
    yield from (let.where for let in scenario.lets if let.where is not None)
    if scenario.goal is not None:
        yield scenario.goal.call
    if scenario.say is not None:
        yield from scenario.say.parts
    yield from (operation.call for operation in operations(scenario))
    yield from (action.call for action in actions(scenario))
    yield from (
        check.condition for block in (scenario.require, scenario.encounter) for check in checks(block)
    )
    if scenario.novel is not None:
        yield from scenario.novel.dimensions
