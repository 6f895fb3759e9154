"""The monitors against the textbook semantics of LTL on finite traces."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillsandbox.compiler import environment
from skillsandbox.compiler.diagnostics import Span
from skillsandbox.compiler.syntax import (
    Always,
    And,
    AtStart,
    Before,
    Call,
    Compare,
    Constant,
    Eventually,
    Expression,
    Field,
    Never,
    Not,
    Or,
    Then,
    Variable,
    Within,
)
from skillsandbox.compiler.temporal import Monitor, Residual, Verdict
from skillsandbox.compiler.values import Entity, Value

A, B, C = (Call(name, ()) for name in "abc")


@attrs.frozen
class Instant:
    """A moment at which the named events hold and no others."""

    events: frozenset[str]

    def field(self, entity: Entity, name: str) -> Value:
        raise AssertionError("no fields here")

    def call(self, symbol: str, arguments: tuple[Value, ...]) -> Value:
        return symbol in self.events


def happens(expression: Expression, moment: environment.Moment) -> bool:
    assert isinstance(expression, Call)
    return moment.call(expression.symbol, ()) is True


def run(*instants: str) -> tuple[Instant, ...]:
    """Return a run; each text holds the letters of the events of one instant."""
    return tuple(Instant(frozenset(events)) for events in instants)


def holds(formula: Expression, trace: Sequence[Instant], now: int = 0) -> bool:
    """Say whether a formula holds at an instant of a finite trace: the definition, word for word."""
    rest = range(now, len(trace))
    match formula:
        case Not(operand=operand):
            return not holds(operand, trace, now)
        case And(operands=operands):
            return all(holds(operand, trace, now) for operand in operands)
        case Or(operands=operands):
            return any(holds(operand, trace, now) for operand in operands)
        case Eventually(operand=operand):
            return any(holds(operand, trace, i) for i in rest)
        case Always(operand=operand):
            return all(holds(operand, trace, i) for i in rest)
        case Never(operand=operand):
            return not any(holds(operand, trace, i) for i in rest)
        case Within(steps=steps, operand=operand):
            return any(holds(operand, trace, i) for i in rest[: steps + 1])
        case AtStart(operand=operand):
            return holds(operand, trace, 0)
        case Before(left=left, right=right):
            return any(
                holds(left, trace, i) and not any(holds(right, trace, j) for j in range(now, i + 1))
                for i in rest
            )
        case Then(left=left, right=right):
            return any(
                holds(left, trace, i) and any(holds(right, trace, j) for j in range(i + 1, len(trace)))
                for i in rest
            )
        case _:
            return happens(formula, trace[now])


def states(monitor: environment.Monitor, trace: Sequence[Instant]) -> list[Residual]:
    """Return the state after each instant of a trace."""
    found = [monitor.start(trace[0])]
    for moment in trace[1:]:
        found.append(monitor.advance(found[-1], moment))
    assert all(isinstance(state, Residual) for state in found)
    return [state for state in found if isinstance(state, Residual)]


def verdict(formula: Expression, *instants: str) -> Verdict:
    monitor = Monitor(formula, happens)
    return monitor.verdict(states(monitor, run(*instants))[-1])


def connectives(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    operands = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(st.builds(Not, inner), st.builds(And, operands), st.builds(Or, operands))


def temporal(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        connectives(inner),
        st.builds(Eventually, inner),
        st.builds(Always, inner),
        st.builds(Never, inner),
        st.builds(Within, st.integers(0, 4), inner),
        st.builds(Before, inner, inner),
        st.builds(Then, inner, inner),
    )


ATOMS = st.sampled_from([A, B, C])
STATE_FORMULAS: st.SearchStrategy[Expression] = st.recursive(ATOMS, connectives, max_leaves=4)
FORMULAS: st.SearchStrategy[Expression] = st.recursive(
    ATOMS | st.builds(AtStart, STATE_FORMULAS), temporal, max_leaves=6
)
INSTANTS = st.frozensets(st.sampled_from("abc")).map(Instant)
TRACES = st.lists(INSTANTS, min_size=1, max_size=9)


@settings(max_examples=400, deadline=None)
@given(FORMULAS, TRACES)
def test_a_monitor_accepts_exactly_the_prefixes_that_satisfy_the_formula(
    formula: Expression, trace: list[Instant]
) -> None:
    monitor = Monitor(formula, happens)
    accepted = [monitor.accepts(state) for state in states(monitor, trace)]
    assert accepted == [holds(formula, trace[:length]) for length in range(1, len(trace) + 1)]


@settings(max_examples=200, deadline=None)
@given(FORMULAS, TRACES)
def test_a_verdict_says_how_the_formula_stands_and_for_good_is_for_good(
    formula: Expression, trace: list[Instant]
) -> None:
    monitor = Monitor(formula, happens)
    verdicts = [monitor.verdict(state) for state in states(monitor, trace)]
    for length, found in enumerate(verdicts, start=1):
        assert (found in (Verdict.SATISFIED, Verdict.SO_FAR_TRUE)) == holds(formula, trace[:length])
        if found in (Verdict.SATISFIED, Verdict.VIOLATED):
            assert set(verdicts[length - 1 :]) == {found}


@settings(max_examples=200, deadline=None)
@given(FORMULAS, TRACES)
def test_a_formula_and_its_negation_have_opposite_verdicts(formula: Expression, trace: list[Instant]) -> None:
    opposite = {
        Verdict.SATISFIED: Verdict.VIOLATED,
        Verdict.VIOLATED: Verdict.SATISFIED,
        Verdict.SO_FAR_TRUE: Verdict.SO_FAR_FALSE,
        Verdict.SO_FAR_FALSE: Verdict.SO_FAR_TRUE,
    }
    plain, negated = Monitor(formula, happens), Monitor(Not(formula), happens)
    for state, other in zip(states(plain, trace), states(negated, trace), strict=True):
        assert negated.verdict(other) == opposite[plain.verdict(state)]


@pytest.mark.parametrize(
    "formula",
    [
        Always(Eventually(A)),
        Always(Or((Not(A), Within(4, B)))),
        Eventually(And((A, Always(Or((B, Eventually(C))))))),
        Always(Before(A, Always(B))),
        Before(Eventually(A), Always(Then(B, C))),
        Not(Then(Within(3, A), Before(B, Eventually(C)))),
        And((Eventually(A), Always(Or((B, Then(C, A)))), Never(And((A, B, C))))),
    ],
)
def test_a_monitor_has_few_states_however_long_the_run(formula: Expression) -> None:
    monitor = Monitor(formula, happens)
    letters = run("", "a", "b", "c", "ab", "ac", "bc", "abc")
    frontier = {monitor.start(letter) for letter in letters}
    found = set(frontier)
    for _ in range(40):
        frontier = {monitor.advance(state, letter) for state in frontier for letter in letters} - found
        found |= frontier
    assert not frontier
    assert len(found) <= 60


@pytest.mark.parametrize("formula", [Always(Within(6, A)), Never(And((B, Within(6, A))))])
def test_countdowns_under_always_keep_only_the_tightest(formula: Expression) -> None:
    monitor = Monitor(formula, happens)
    (clauses,) = states(monitor, run(*["b"] * 4))[-1].factors
    assert [len(clause) for clause in clauses] == [2]


def test_checks_that_share_a_monitor_do_not_multiply() -> None:
    checks = [Or((Eventually(Call(f"e{i}", ())), Always(Call(f"g{i}", ())))) for i in range(6)]
    nested = And((And(tuple(checks[:3])), Not(Or(tuple(map(Not, checks[3:]))))))
    monitor = Monitor(nested, happens)
    state = monitor.start(Instant(frozenset(f"g{i}" for i in range(6))))
    assert [len(clauses) for clauses in state.factors] == [2] * 6


@pytest.mark.parametrize(
    ("formula", "instants", "expected"),
    [
        (Eventually(A), ["", ""], Verdict.SO_FAR_FALSE),
        (Eventually(A), ["", "a", ""], Verdict.SATISFIED),
        (Always(A), ["a", "a"], Verdict.SO_FAR_TRUE),
        (Always(A), ["a", "", "a"], Verdict.VIOLATED),
        (Never(A), ["", "b"], Verdict.SO_FAR_TRUE),
        (Never(A), ["", "a"], Verdict.VIOLATED),
        (Within(0, A), ["", "a"], Verdict.VIOLATED),
        (Within(2, A), ["", ""], Verdict.SO_FAR_FALSE),
        (Within(2, A), ["", "", "a"], Verdict.SATISFIED),
        (Within(2, A), ["", "", "", "a"], Verdict.VIOLATED),
        (Not(Within(2, A)), ["", ""], Verdict.SO_FAR_TRUE),
        (Always(Or((Not(A), Within(3, B)))), ["a", "a", "", "b"], Verdict.SO_FAR_TRUE),
        (Always(Or((Not(A), Within(3, B)))), ["a", "a", "", "", "b"], Verdict.VIOLATED),
        (Never(And((A, Within(3, B)))), ["a", "a", "", ""], Verdict.SO_FAR_TRUE),
        (Never(And((A, Within(3, B)))), ["a", "a", "", "", "b"], Verdict.VIOLATED),
        (Never(And((A, Within(3, B)))), ["a", "", "", "", "b"], Verdict.SO_FAR_TRUE),
        (AtStart(A), ["a", ""], Verdict.SATISFIED),
        (AtStart(A), ["", "a"], Verdict.VIOLATED),
        (Eventually(And((B, AtStart(A)))), ["a", "b"], Verdict.SATISFIED),
        (Eventually(And((B, AtStart(A)))), ["", "b"], Verdict.VIOLATED),
        (Before(A, B), ["", "a", "b"], Verdict.SATISFIED),
        (Before(A, B), ["", "b", "a"], Verdict.VIOLATED),
        (Before(A, B), ["", "ab"], Verdict.VIOLATED),
        (Before(A, B), ["", ""], Verdict.SO_FAR_FALSE),
        (Then(A, B), ["ab"], Verdict.SO_FAR_FALSE),
        (Then(A, B), ["ab", "b"], Verdict.SATISFIED),
        (Then(A, B), ["b", "a"], Verdict.SO_FAR_FALSE),
        (Then(A, A), ["a"], Verdict.SO_FAR_FALSE),
        (Then(A, A), ["a", "", "a"], Verdict.SATISFIED),
    ],
)
def test_the_verdict_of_each_operator(formula: Expression, instants: list[str], expected: Verdict) -> None:
    assert verdict(formula, *instants) == expected


def test_formulas_that_say_the_same_reach_equal_states() -> None:
    left = Monitor(And((Eventually(A), Eventually(B))), happens)
    right = Monitor(And((Eventually(B), Eventually(A), Eventually(B))), happens)
    (one,), (other,) = states(left, run("")), states(right, run(""))
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)


def test_an_atom_is_asked_once_a_moment_wherever_it_stands() -> None:
    atom = Compare("==", Field(Variable("food"), "type"), Constant("Bread"))
    elsewhere = attrs.evolve(atom, span=Span(40, 60))
    asked: list[Expression] = []

    def watched(expression: Expression, moment: environment.Moment) -> bool:
        asked.append(expression)
        return False

    Monitor(Or((Eventually(atom), Always(elsewhere), Then(elsewhere, atom))), watched).start(*run(""))
    assert asked == [atom]
