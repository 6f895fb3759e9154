"""Monitors for temporal checks: LTL on finite traces, by formula progression.

Semantics: De Giacomo and Vardi, "Linear Temporal Logic and Linear Dynamic Logic on Finite Traces", IJCAI
2013. Progression: Bacchus and Kabanza, "Using Temporal Logics to Express Search Control Knowledge for
Planning", Artificial Intelligence 116, 2000.

A formula is brought into negation normal form and progressed through one moment at a time. What is left are
obligations on the rest of the run, which may be empty: a strong one (until, within) fails on the empty rest,
a weak one (its dual) holds there, so that strong and weak next need no case for the end of the run.
Obligations are combined in disjunctive normal form without absorbed clauses; for monotone formulas that form
is unique, so residuals that say the same are equal, and there are finitely many of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache

import attrs

from skillsandbox.compiler.environment import Moment
from skillsandbox.compiler.syntax import (
    Always,
    And,
    AtStart,
    Before,
    Eventually,
    Expression,
    Never,
    Not,
    Or,
    Then,
    Within,
)

Valuation = Callable[[Expression, Moment], bool]
_Truth = Callable[[Expression], bool]


class Verdict(StrEnum):
    """What is known of a formula after a prefix of a run.

    The first two hold for good: no continuation changes them. The others say how the formula stands if the
    run ends here. Only what progression shows is reported as for good: `eventually a and never a` is violated
    at the first `a`, not before.
    """

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    SO_FAR_TRUE = "so far true"
    SO_FAR_FALSE = "so far false"


@attrs.frozen(cache_hash=True)
class _Literal:
    atom: Expression
    positive: bool


@attrs.frozen(cache_hash=True)
class _All:
    parts: tuple[_Formula, ...]


@attrs.frozen(cache_hash=True)
class _Any:
    parts: tuple[_Formula, ...]


@attrs.frozen(cache_hash=True)
class _Next:
    """The operand, strong or weak as it is itself, from the next instant on."""

    operand: _Obligation


@attrs.frozen(cache_hash=True)
class _Until:
    hold: _Formula
    goal: _Formula


@attrs.frozen(cache_hash=True)
class _Release:
    """The dual of until: `hold` up to and including the first instant of `escape`, or to the run's end."""

    escape: _Formula
    hold: _Formula


@attrs.frozen(cache_hash=True)
class _Soon:
    """The operand at one of the instants now, …, `steps` later."""

    steps: int
    operand: _Formula


@attrs.frozen(cache_hash=True)
class _Throughout:
    """The operand at each of the instants now, …, `steps` later that the run has."""

    steps: int
    operand: _Formula


_Obligation = _Until | _Release | _Soon | _Throughout
_Formula = _Literal | _All | _Any | _Next | _Obligation
_Clause = frozenset[_Obligation]
_Clauses = frozenset[_Clause]

_TRUE = _All(())
_FALSE = _Any(())
_HOLDS: _Clauses = frozenset({frozenset()})
_FAILS: _Clauses = frozenset()


def _sorted_repr(factors: frozenset[_Clauses]) -> str:
    return str(sorted(sorted(sorted(map(repr, clause)) for clause in clauses) for clauses in factors))


@attrs.frozen(cache_hash=True)
class Residual:
    """What the rest of a run, possibly empty, must satisfy: a conjunction of disjunctive normal forms.

    The outer conjunction is that of the formula itself, kept apart so that checks which share a monitor do
    not multiply.
    """

    factors: frozenset[_Clauses] = attrs.field(repr=_sorted_repr)


@attrs.frozen
class Monitor:
    """A deterministic automaton that accepts the runs which satisfy a formula.

    `valuation` says whether an atom, an expression that is neither a connective nor a temporal operator,
    holds at a moment; it must be a pure function. States are residuals, equal when they say the same.
    """

    formula: Expression
    valuation: Valuation

    def start(self, moment: Moment) -> Residual:
        """Return the residual after the first moment, with `at start` decided there."""
        truth = self._truth_at(moment)
        formula = _normal_form(self.formula, True, truth)
        factors = formula.parts if isinstance(formula, _All) else (formula,)
        return _residual(_progress(factor, truth) for factor in factors)

    def advance(self, state: Residual, moment: Moment) -> Residual:
        """Return the residual after one more moment."""
        truth = self._truth_at(moment)
        return _residual(_advance(clauses, truth) for clauses in state.factors)

    def accepts(self, state: Residual) -> bool:
        """Say whether the formula holds of a run that ends here."""
        return all(any(map(_is_weak, clauses)) for clauses in state.factors)

    def verdict(self, state: Residual) -> Verdict:
        """Say how the formula stands, and whether for good."""
        if not state.factors:
            return Verdict.SATISFIED
        if _FAILS in state.factors:
            return Verdict.VIOLATED
        return Verdict.SO_FAR_TRUE if self.accepts(state) else Verdict.SO_FAR_FALSE

    def _truth_at(self, moment: Moment) -> _Truth:
        return cache(lambda atom: self.valuation(atom, moment))


def _residual(factors: Iterable[_Clauses]) -> Residual:
    open_factors = frozenset(factors) - {_HOLDS}
    return Residual(frozenset({_FAILS}) if _FAILS in open_factors else open_factors)


def _is_weak(clause: _Clause) -> bool:
    return all(isinstance(obligation, _Release | _Throughout) for obligation in clause)


def _normal_form(expression: Expression, positive: bool, truth: _Truth) -> _Formula:
    """Return an expression or its negation, negated at the atoms only, with the truth for each `at start`."""

    def operand_form(operand: Expression, sign: bool = True) -> _Formula:
        return _normal_form(operand, positive == sign, truth)

    match expression:
        case Not(operand=operand):
            return operand_form(operand, False)
        case And(operands=operands):
            return (_all if positive else _any)(map(operand_form, operands))
        case Or(operands=operands):
            return (_any if positive else _all)(map(operand_form, operands))
        case AtStart(operand=operand):
            return _TRUE if _holds_now(operand, truth) == positive else _FALSE
        case Eventually(operand=operand):
            return (_eventually if positive else _always)(operand_form(operand))
        case Always(operand=operand):
            return (_always if positive else _eventually)(operand_form(operand))
        case Never(operand=operand):
            return (_always if positive else _eventually)(operand_form(operand, False))
        case Within(steps=steps, operand=operand):
            return (_soon if positive else _throughout)(steps, operand_form(operand))
        case Before(left=left, right=right):
            now = (operand_form(left), operand_form(right, False))
            if positive:
                return _until(operand_form(right, False), _all(now))
            return _release(operand_form(right, False), _any(now))
        case Then(left=left, right=right):
            if positive:
                return _eventually(_all((operand_form(left), _next(_eventually(operand_form(right))))))
            return _always(_any((operand_form(left), _next(_always(operand_form(right))))))
        case _:
            return _Literal(expression, positive)


def _holds_now(expression: Expression, truth: _Truth) -> bool:
    match expression:
        case Not(operand=operand):
            return not _holds_now(operand, truth)
        case And(operands=operands):
            return all(_holds_now(operand, truth) for operand in operands)
        case Or(operands=operands):
            return any(_holds_now(operand, truth) for operand in operands)
        case AtStart(operand=operand):
            return _holds_now(operand, truth)
        case _:
            return truth(expression)


def _all(parts: Iterable[_Formula]) -> _Formula:
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, _All) else (part,))]
    distinct = tuple(dict.fromkeys(flat))
    if _FALSE in distinct:
        return _FALSE
    return distinct[0] if len(distinct) == 1 else _All(distinct)


def _any(parts: Iterable[_Formula]) -> _Formula:
    distinct = tuple(dict.fromkeys(part for part in parts if part != _FALSE))
    if _TRUE in distinct:
        return _TRUE
    return distinct[0] if len(distinct) == 1 else _Any(distinct)


def _until(hold: _Formula, goal: _Formula) -> _Formula:
    return _FALSE if goal == _FALSE else _Until(hold, goal)


def _release(escape: _Formula, hold: _Formula) -> _Formula:
    return _TRUE if hold == _TRUE else _Release(escape, hold)


def _eventually(operand: _Formula) -> _Formula:
    return _until(_TRUE, operand)


def _always(operand: _Formula) -> _Formula:
    return _release(_FALSE, operand)


def _soon(steps: int, operand: _Formula) -> _Formula:
    return _FALSE if operand == _FALSE else _Soon(steps, operand)


def _throughout(steps: int, operand: _Formula) -> _Formula:
    return _TRUE if operand == _TRUE else _Throughout(steps, operand)


def _next(operand: _Formula) -> _Formula:
    return _Next(operand) if isinstance(operand, _Obligation) else operand


def _progress(formula: _Formula, truth: _Truth) -> _Clauses:
    """Return what the rest of the run owes so that the formula holds from the present moment on."""
    match formula:
        case _Literal(atom, positive):
            return _HOLDS if truth(atom) == positive else _FAILS
        case _All(parts):
            return _conjunction(_progress(part, truth) for part in parts)
        case _Any(parts):
            return _disjunction(_progress(part, truth) for part in parts)
        case _Next(operand):
            return _owed(operand)
        case _Until(hold, goal):
            waiting = _conjunction((_progress(hold, truth), _owed(formula)))
            return _disjunction((_progress(goal, truth), waiting))
        case _Release(escape, hold):
            released = _disjunction((_progress(escape, truth), _owed(formula)))
            return _conjunction((_progress(hold, truth), released))
        case _Soon(0, operand) | _Throughout(0, operand):
            return _progress(operand, truth)
        case _Soon(steps, operand):
            return _disjunction((_progress(operand, truth), _owed(_Soon(steps - 1, operand))))
        case _Throughout(steps, operand):
            return _conjunction((_progress(operand, truth), _owed(_Throughout(steps - 1, operand))))


def _advance(clauses: _Clauses, truth: _Truth) -> _Clauses:
    return _disjunction(
        _conjunction(_progress(obligation, truth) for obligation in clause) for clause in clauses
    )


def _owed(obligation: _Obligation) -> _Clauses:
    return frozenset({frozenset({obligation})})


def _disjunction(operands: Iterable[_Clauses]) -> _Clauses:
    return _without_absorbed(frozenset(clause for clauses in operands for clause in clauses))


def _conjunction(operands: Iterable[_Clauses]) -> _Clauses:
    product = _HOLDS
    for clauses in operands:
        product = _without_absorbed(
            frozenset(_without_entailed(left | right) for left in product for right in clauses)
        )
    return product


def _without_entailed(clause: _Clause) -> _Clause:
    return frozenset(
        weaker
        for weaker in clause
        if not any(stronger != weaker and _entails(stronger, weaker) for stronger in clause)
    )


def _without_absorbed(clauses: _Clauses) -> _Clauses:
    return frozenset(
        stronger
        for stronger in clauses
        if not any(weaker != stronger and _absorbs(weaker, stronger) for weaker in clauses)
    )


def _absorbs(weaker: _Clause, stronger: _Clause) -> bool:
    return all(any(_entails(given, owed) for given in stronger) for owed in weaker)


def _entails(stronger: _Obligation, weaker: _Obligation) -> bool:
    """Say whether one obligation implies another; without the bounded cases, countdowns would pile up."""
    match stronger, weaker:
        case _Soon(sooner, operand), _Soon(later, same):
            return operand == same and sooner <= later
        case _Throughout(longer, operand), _Throughout(shorter, same):
            return operand == same and longer >= shorter
        case _:
            return stronger == weaker
