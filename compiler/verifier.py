"""Verify: that a built scenario is one: requirements hold, the goal is open, a plan exists, the condition can
arise.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from skillsandbox.compiler import errors
from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.builder import Built
from skillsandbox.compiler.diagnostics import Diagnostic
from skillsandbox.compiler.environment import Environment, Moment, Refused, Task
from skillsandbox.compiler.evaluator import evaluate, gone, ground
from skillsandbox.compiler.printer import print_expression
from skillsandbox.compiler.resolver import actions, checks, operations
from skillsandbox.compiler.scenario import monitor_of
from skillsandbox.compiler.syntax import Expression, Text, walk
from skillsandbox.compiler.values import GroundCall, Value


@attrs.frozen
class Verified:
    """What the verification found out: the history's commands, a shortest plan after them,
    the novel values.
    """

    history: tuple[str, ...]
    plan: tuple[str, ...]
    novelty: tuple[tuple[str, Value], ...]


def verify(built: Built, environment: Environment, novelty: Novelty) -> Verified | tuple[Diagnostic, ...]:
    """Return what a run needs to know of a valid scenario, or everything that is wrong with
    an invalid one.
    """
    found = [*_requirements(built, environment), *_wording(built, environment)]
    values = novel_values(built, environment)
    found += _novelty(built, values, novelty)
    if found:
        return tuple(found)
    assert built.scenario.goal is not None
    try:
        task = environment.task(built.configuration, built.goal, built.instruction)
    except Refused as refusal:
        return (errors.TaskRefused(built.scenario.goal.span, str(refusal)),)
    if task.goal_holds():
        return (errors.GoalAlreadyTrue(built.scenario.goal.span, after_history=False),)
    history = tuple(environment.command(built.configuration, call) for call in _history(built, environment))
    found += _history_faults(built, task, history)
    if found:
        return tuple(found)
    return _solved(built, environment, task, Verified(history, (), values))


def _solved(
    built: Built, environment: Environment, task: Task, verified: Verified
) -> Verified | tuple[Diagnostic, ...]:
    assert built.scenario.goal is not None
    try:
        plan = task.solve(verified.history, environment.step_limit)
    except Refused as refusal:
        return (errors.Unsolvable(built.scenario.goal.span, str(refusal)),)
    verified = attrs.evolve(verified, plan=plan)
    return tuple(_encounters(built, environment, task, verified)) or verified


def _requirements(built: Built, environment: Environment) -> Iterator[Diagnostic]:
    moment = environment.moment(built.configuration)
    for check in checks(built.scenario.require):
        if not _holds(check.condition, built, moment):
            by = tuple(one.call.span for one in operations(built.scenario) if one.establishes == check.label)
            yield errors.RequirementFails(check.span, check.label, by)


def _holds(condition: Expression, built: Built, moment: Moment) -> bool:
    """Say whether a condition holds; one that speaks of what has been removed does not."""
    try:
        return bool(evaluate(condition, built.binding, moment))
    except Refused:
        return False


def _wording(built: Built, environment: Environment) -> Iterator[Diagnostic]:
    assert built.scenario.say is not None
    fault = environment.wording_fault(built.instruction)
    if fault is not None:
        yield errors.WordingRefused(built.scenario.say.span, fault)


def novel_values(built: Built, environment: Environment) -> tuple[tuple[str, Value], ...]:
    """Return the text and the value of each dimension of novelty; they speak of the data, so of the base."""
    interface = environment.interface()
    moment = environment.moment(built.base)
    dimensions = built.scenario.novel.dimensions if built.scenario.novel else ()
    return tuple(
        (print_expression(one, interface), evaluate(one, built.binding, moment)) for one in dimensions
    )


def _novelty(built: Built, values: tuple[tuple[str, Value], ...], novelty: Novelty) -> Iterator[Diagnostic]:
    """Check what the binder has not: dimensions that the data do not say."""
    if values and tuple(value for _, value in values) in novelty.siblings:
        assert built.scenario.novel is not None
        yield errors.NothingNovel(built.scenario.novel.span, len(novelty.siblings), source=False)


def _history(built: Built, environment: Environment) -> Iterator[GroundCall]:
    moment = environment.moment(built.configuration)
    for action in actions(built.scenario):
        yield ground(action.call, built.binding, moment, environment.interface())


def _history_faults(built: Built, task: Task, history: tuple[str, ...]) -> Iterator[Diagnostic]:
    run = task.run(history)
    block = actions(built.scenario)
    for index in run.refused:
        yield errors.HistoryInadmissible(block[index].span, history[index])
    won = next((index for index, state in enumerate(run.won) if state), None)
    if won is not None:
        yield errors.GoalAlreadyTrue(block[won - 1].span, after_history=True)


def _encounters(
    built: Built, environment: Environment, task: Task, verified: Verified
) -> Iterator[Diagnostic]:
    moments = task.run((*verified.history, *verified.plan)).moments
    condition = built.scenario.condition
    entities = tuple(entity for _, entity in built.binding.entities)
    for check in checks(built.scenario.encounter):
        missing = gone(check.condition, built.binding, moments[0])
        if missing is not None:
            yield errors.EncounterUnreachable(check.span, check.label, missing)
            continue
        monitor = monitor_of(check.condition, built.binding)
        state = monitor.start(moments[0])
        if condition.mode == "initial" and not monitor.accepts(state):
            yield errors.NotInitially(check.span, check.label, condition.span)
            continue
        for moment in moments[1:]:
            state = monitor.advance(state, moment)
        if not monitor.accepts(state):
            try:
                focus: tuple[Value, ...] = (*entities, *_texts(check.condition))
                task.reach(verified.history, monitor, environment.step_limit, focus)
            except Refused as refusal:
                yield errors.EncounterUnreachable(check.span, check.label, str(refusal))


def _texts(condition: Expression) -> Iterator[str]:
    yield from (part.value for part in walk(condition) if isinstance(part, Text))
