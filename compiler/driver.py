"""Runs the passes over a source text: parse, resolve, check, bind, build, verify; lowering happens when a
scenario is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import attrs

from skillsandbox.compiler import errors
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.binder import Binder, Novelty, Query, query_of
from skillsandbox.compiler.builder import Built, build
from skillsandbox.compiler.checker import check
from skillsandbox.compiler.diagnostics import Diagnostic, Severity, Source
from skillsandbox.compiler.environment import Environment, Refused, Store
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.printer import print_program
from skillsandbox.compiler.resolver import Resolved, resolve
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.compiler.values import GroundCall
from skillsandbox.compiler.verifier import Verified, verify
from skillsandbox.compiler.vocabulary import unknown_words

ANSWERS_TRIED = 12
"""How many answers of the binder are built and verified for a seed before the program is held at fault."""
SEARCHES_TRIED = 3
"""How many of them may fail in a search for a plan or an encounter, which takes longer than all else."""

Environments = Mapping[str, Callable[[], Environment]]
NOTHING = Novelty()


@attrs.frozen
class Compiled:
    """What came of a compilation: the scenarios that are valid, and all that was found to say of the program.

    One scenario program gives at most one scenario for a seed. Warnings may stand beside scenarios.
    """

    scenarios: tuple[Scenario, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def failed(self) -> bool:
        """Say whether any diagnostic is an error."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)


@attrs.frozen
class Analysed:
    """A source text after the passes that need no data: each scenario that is free of errors, and the
    diagnostics.
    """

    scenarios: tuple[Resolved, ...]
    diagnostics: tuple[Diagnostic, ...]


def analyse(source: Source, environments: Environments) -> Analysed:
    """Parse, resolve and check a text."""
    parsed = parse(source, environments)
    resolved, unresolved = resolve(parsed.program)
    fragments, unresolved_there = resolve(s.Program(parsed.fragments))
    diagnostics = [*parsed.diagnostics, *unresolved, *unresolved_there]
    for one in fragments:
        diagnostics += _faults(one, environments[one.scenario.environment]())
    sound = []
    for one in resolved:
        found = _faults(one, environments[one.scenario.environment]())
        diagnostics += found
        own = [*found, *unresolved]
        if not any(
            diagnostic.severity is Severity.ERROR and _inside(diagnostic, one.scenario) for diagnostic in own
        ):
            sound.append(one)
    return Analysed(tuple(sound), _ordered(diagnostics))


def compile_source(
    source: Source, environments: Environments, seed: int, novelty: Novelty = NOTHING
) -> Compiled:
    """Compile every scenario program of a text with a seed: the same text, seed and data give the same
    scenarios.
    """
    analysed = analyse(source, environments)
    scenarios: list[Scenario] = []
    diagnostics = list(analysed.diagnostics)
    for resolved in analysed.scenarios:
        if resolved.scenario.condition.mode is None:
            condition = resolved.scenario.condition
            diagnostics.append(errors.ConditionUnsupported(condition.span, condition.reason or ""))
            continue
        environment = environments[resolved.scenario.environment]()
        outcome = compile_scenario(resolved, environment, seed, novelty)
        if isinstance(outcome, Scenario):
            scenarios.append(outcome)
        else:
            diagnostics += outcome
    return Compiled(tuple(scenarios), _ordered(diagnostics))


def compile_scenario(
    resolved: Resolved, environment: Environment, seed: int, novelty: Novelty = NOTHING
) -> Scenario | tuple[Diagnostic, ...]:
    """Bind, build and verify one scenario program, or return what is wrong with the first answer that was
    tried.
    """
    store, context = environment.open_store(), None
    if resolved.scenario.base is not None:
        base = resolved.scenario.base
        try:
            store, context = environment.with_base(store, _ground_base(base.call))
        except Refused as refusal:
            return (errors.BaseNotFound(base.span, str(refusal)),)
    unknown = tuple(unknown_words(resolved, environment.interface(), store))
    if unknown:
        return unknown
    query = query_of(resolved, environment.interface(), novelty, context)
    failures: list[tuple[Diagnostic, ...]] = []
    for attempt in range(ANSWERS_TRIED):
        outcome = _attempt(resolved, environment, store, query, novelty, f"{seed}:{attempt}")
        if not isinstance(outcome, tuple):
            return _scenario(outcome, environment, store, seed)
        failures.append(outcome)
        searches = sum(isinstance(one[0], _SEARCHED) for one in failures)
        if isinstance(outcome[0], _FINAL) or searches == SEARCHES_TRIED:
            break
    return failures[0]


_FINAL = (errors.Unsatisfiable, errors.Impossible, errors.NothingNovel, errors.TooManyCombinations)
_SEARCHED = (errors.Unsolvable, errors.EncounterUnreachable)


@attrs.frozen
class _Accepted:
    built: Built
    verified: Verified


def _attempt(
    resolved: Resolved, environment: Environment, store: Store, query: Query, novelty: Novelty, seed: str
) -> _Accepted | tuple[Diagnostic, ...]:
    binder = Binder(query, environment.interface(), store)
    binding = binder.binding(seed)
    if binding is None:
        return (binder.conflict() or _nothing_novel(resolved.scenario, novelty),)
    built = build(resolved.scenario, binding, environment, store, seed)
    if isinstance(built, Diagnostic):
        return (built,)
    verified = verify(built, environment, novelty)
    return _Accepted(built, verified) if isinstance(verified, Verified) else verified


def _nothing_novel(scenario: s.Scenario, novelty: Novelty) -> Diagnostic:
    span = scenario.novel.span if scenario.novel else scenario.name_span
    return errors.NothingNovel(span, len(novelty.siblings), novelty.source is not None)


def _ground_base(call: s.Call) -> GroundCall:
    return GroundCall(call.symbol, tuple(part.value for part in call.arguments if isinstance(part, s.Text)))


def _scenario(accepted: _Accepted, environment: Environment, store: Store, seed: int) -> Scenario:
    built, verified = accepted.built, accepted.verified
    interfaces = {built.scenario.environment: environment.interface()}
    return Scenario(
        name=built.scenario.name,
        environment=built.scenario.environment,
        program=print_program(s.Program((built.scenario,)), interfaces),
        seed=seed,
        data_version=store.data_version,
        binding=built.binding,
        configuration=built.configuration,
        goal=built.goal,
        instruction=built.instruction,
        history=verified.history,
        plan=verified.plan,
        novelty=verified.novelty,
        difference=environment.difference(built.base, built.configuration),
    )


def _faults(resolved: Resolved, environment: Environment) -> list[Diagnostic]:
    return [*check(resolved, environment.interface()), *_wording_faults(resolved.scenario, environment)]


def _wording_faults(scenario: s.Scenario, environment: Environment) -> Iterator[Diagnostic]:
    """Report what the environment cannot carry in the fixed texts of the wording, which are known before
    binding.
    """
    for part in scenario.say.parts if scenario.say else ():
        fault = environment.wording_fault(part.value) if isinstance(part, s.Text) else None
        if fault is not None:
            yield errors.WordingRefused(part.span, fault)


def _inside(diagnostic: Diagnostic, scenario: s.Scenario) -> bool:
    return scenario.span.start <= diagnostic.span.start < scenario.span.end


def _ordered(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda one: (one.span.start, one.span.end, one.code)))


def format_source(source: Source, environments: Environments) -> str | tuple[Diagnostic, ...]:
    """Return the canonical form of a text, or what is wrong with its syntax."""
    parsed = parse(source, environments)
    if parsed.diagnostics:
        return _ordered(list(parsed.diagnostics))
    used = {scenario.environment for scenario in parsed.program.scenarios}
    return print_program(parsed.program, {name: environments[name]().interface() for name in sorted(used)})
