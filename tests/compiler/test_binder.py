"""Binding: every answer satisfies every constraint, seeds pick among all answers, and conflicts are minimal.

What the binder asks in SQL is asked here in Python, of every combination of a small market's goods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product

import attrs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from installed import INTERFACES, program, resolved
from programs import Scope, expressions
from toy import CATEGORIES, INTERFACE, Goods, Product, Stall, ToyStore

from skillsandbox.compiler import errors
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.binder import Binder, Novelty, query_of
from skillsandbox.compiler.checker import Stage, is_data
from skillsandbox.compiler.diagnostics import Diagnostic
from skillsandbox.compiler.environment import SourceTask
from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.printer import print_expression, print_program
from skillsandbox.compiler.resolver import Resolved, checks
from skillsandbox.compiler.values import Binding, Entity, Value
from skillsandbox.envs.alfworld import environment

DRAWN = settings(
    max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)
GOODS = st.builds(
    Goods,
    st.lists(
        st.tuples(
            st.sampled_from(["pear", "old cheese", "a bag", ""]),
            st.integers(0, 3),
            st.sampled_from(CATEGORIES),
            st.integers(0, 2),
            st.booleans(),
        ),
        max_size=3,
    ).map(lambda rows: tuple(Product(f"p{number}", *row) for number, row in enumerate(rows))),
    st.lists(st.integers(0, 3), max_size=3).map(
        lambda aisles: tuple(Stall(f"s{number}", aisle) for number, aisle in enumerate(aisles))
    ),
)
SEEDS = range(60)


@attrs.frozen
class Demand:
    """One thing that a program demands of a binding: its text, its variables, and whether it holds."""

    text: str
    variables: tuple[str, ...]
    holds: Callable[[Binding, Goods], bool]


def demands(one: Resolved) -> Iterator[Demand]:
    """Yield what a program in the market demands of the data, one conjunct at a time."""
    types = {name: let.type for name, let in one.lets.items()}
    for let in one.scenario.lets:
        yield Demand(
            f"let ?{let.variable.name}: {let.type}", (let.variable.name,), lambda binding, goods: True
        )
        if let.where is not None:
            yield from conjuncts(let.where)
    assert one.scenario.goal is not None
    match one.scenario.goal.call:
        case s.Call("buy_below", (s.Variable(name), s.Money(cents))) as call:
            text = f"{print_expression(call, INTERFACE)}` needing `a product that costs less"
            yield Demand(text, (name,), lambda binding, goods: price(goods, binding[name]) < cents)
    for check in checks(one.scenario.require):
        if is_data(check.condition, types, INTERFACE):
            yield from conjuncts(check.condition)


def price(goods: Goods, entity: Entity) -> int:
    value = goods.field(entity, "price")
    assert isinstance(value, int)
    return value


def conjuncts(expression: s.Expression) -> Iterator[Demand]:
    if isinstance(expression, s.And):
        for operand in expression.operands:
            yield from conjuncts(operand)
    else:
        yield Demand(
            print_expression(expression, INTERFACE),
            s.variables(expression),
            lambda binding, goods: bool(evaluate(expression, binding, goods)),
        )


def answers(types: dict[str, str], wanted: Sequence[Demand], goods: Goods) -> list[Binding]:
    """Return every binding of the variables in the demands that satisfies all of them."""
    names = [name for name in types if any(name in demand.variables for demand in wanted)]
    every = product(*(goods.entities(types[name]) for name in names))
    bindings = (Binding(None, tuple(zip(names, entities, strict=True))) for entities in every)
    return [binding for binding in bindings if all(demand.holds(binding, goods) for demand in wanted)]


@st.composite
def wanting(draw: st.DrawFn) -> Resolved:
    """Draw a scenario in the market whose variables are told apart by conditions on the data."""
    types = dict(
        zip(
            "abc", draw(st.lists(st.sampled_from(["Product", "Stall"]), min_size=1, max_size=3)), strict=False
        )
    )
    scope = Scope(INTERFACE, types, Stage.DATA)
    conditions = [draw(st.none() | expressions(scope, 2)) for _ in types]
    lets = [s.Let(s.Variable(name), types[name], one) for name, one in zip(types, conditions, strict=True)]
    products = [name for name, type in types.items() if type == "Product"]
    cheap = [f"buy ?{products[0]} below $0.02"] if products else []
    goal = draw(st.sampled_from(["buy Fruit", *cheap]))
    text = "\n".join(
        ["scenario one for market {", '  condition "" arises in rollout']
        + [f"let ?{let.variable.name}: {let.type}" + where(let) for let in lets]
        + [f'goal {goal} say "" encounter {{ it: cheers }}', "}"]
    )
    return resolved(text)


def where(let: s.Let) -> str:
    return "" if let.where is None else f" where {print_expression(let.where, INTERFACE)}"


def binder(one: Resolved, goods: Goods, novelty: Novelty | None = None) -> Binder:
    return Binder(query_of(one, INTERFACE, novelty or Novelty()), INTERFACE, ToyStore(goods))


def types_of(one: Resolved) -> dict[str, str]:
    return {name: let.type for name, let in one.lets.items()}


@DRAWN
@given(wanting(), GOODS)
def test_seeds_pick_answers_and_nothing_else(one: Resolved, goods: Goods) -> None:
    right = answers(types_of(one), list(demands(one)), goods)
    asked = binder(one, goods)
    found = [asked.binding(str(seed)) for seed in SEEDS]
    if not right:
        assert set(found) == {None}
        return
    assert set(found) <= set(right)
    assert len(set(found)) >= min(2, len(right))
    assert asked.conflict() is None


@DRAWN
@given(wanting(), GOODS)
def test_the_same_seed_picks_the_same_answer(one: Resolved, goods: Goods) -> None:
    for seed in ("0", "1"):
        assert binder(one, goods).binding(seed) == binder(one, goods).binding(seed)


@DRAWN
@given(wanting(), GOODS)
def test_a_conflict_is_minimal_and_a_conflict_whatever_else_is_demanded(one: Resolved, goods: Goods) -> None:
    wanted = {demand.text: demand for demand in demands(one)}
    types = types_of(one)
    assume(not answers(types, list(wanted.values()), goods))
    clauses = culprits(binder(one, goods).conflict())
    assert clauses
    conflict = [wanted[text] for text in clauses]
    assert not answers(types, conflict, goods)
    for left_out in conflict:
        assert answers(types, [demand for demand in conflict if demand is not left_out], goods)


def culprits(found: Diagnostic | None) -> list[str]:
    """Return the texts of the constraints that a diagnostic names."""
    match found:
        case errors.Unsatisfiable(clauses=clauses):
            return [clause.text for clause in clauses]
        case errors.Impossible(text=text, reason=reason):
            return [f"{text}` needing `{reason}"]
        case _:
            return []


@DRAWN
@given(wanting(), GOODS)
def test_a_conflict_says_how_many_candidates_each_constraint_leaves(one: Resolved, goods: Goods) -> None:
    wanted = {demand.text: demand for demand in demands(one)}
    found = binder(one, goods).conflict()
    for clause in found.clauses if isinstance(found, errors.Unsatisfiable) else ():
        demand = wanted[clause.text]
        if len(demand.variables) in (1, 2):
            assert clause.left == len(answers(types_of(one), [demand], goods))
            assert clause.total == len(answers(types_of(one), [attrs.evolve(demand, holds=always)], goods))


def always(binding: Binding, goods: Goods) -> bool:
    return True


MARKET = Goods(
    tuple(Product(f"p{number}", "", number % 3, CATEGORIES[number % 2], 0, False) for number in range(6)), ()
)
FRUIT_OR_CHEESE = """scenario one for market {
  condition "" arises in rollout
  let ?a: Product
  goal buy Fruit
  say ""
  encounter { it: cheers }
  novel in ?a.category, ?a.price
}"""


@given(st.lists(st.tuples(st.sampled_from(CATEGORIES), st.integers(0, 2)), max_size=5), st.integers(0, 20))
def test_a_scenario_differs_from_every_sibling_in_some_novel_dimension(
    siblings: list[tuple[Value, ...]], seed: int
) -> None:
    one = resolved(FRUIT_OR_CHEESE)
    found = binder(one, MARKET, Novelty(siblings=tuple(siblings))).binding(str(seed))
    left = {dimensions(entity) for entity in MARKET.entities("Product")} - set(siblings)
    assert (found is not None) == bool(left)
    assert found is None or dimensions(found["a"]) in left


def dimensions(entity: Entity) -> tuple[Value, ...]:
    return (MARKET.field(entity, "category"), MARKET.field(entity, "price"))


@given(st.sets(st.sampled_from(CATEGORIES)), st.integers(0, 20))
def test_a_scenario_differs_from_the_source_task_in_every_novel_dimension(known: set[str], seed: int) -> None:
    one = resolved(FRUIT_OR_CHEESE)
    source = SourceTask({"Category": frozenset(known)})
    asked = binder(one, MARKET, Novelty(source))
    found = asked.binding(str(seed))
    assert (found is not None) == (not {"Fruit", "Cheese"} <= known)
    assert found is None or MARKET.field(found["a"], "category") not in known
    assert asked.conflict() is None


def test_siblings_of_another_program_are_no_hindrance() -> None:
    one = resolved(FRUIT_OR_CHEESE)
    assert binder(one, MARKET, Novelty(siblings=(("Fruit",), ("a", "b", "c")))).binding("0") is not None


def test_a_market_without_goods_is_no_place_to_bind_in() -> None:
    found = binder(resolved(FRUIT_OR_CHEESE), Goods((), ())).conflict()
    assert culprits(found) == ["let ?a: Product"]


ALFWORLD = """scenario one for alfworld {{
  condition "" arises in rollout
  {lets}
  goal {goal}
  say ""
  build {{ {build} }}
  require {{ {require} }}
  encounter {{ it: nothing happens }}
}}"""
DESIGN = {
    "lets": """
    let ?food: Object where ?food.type in [Bread, Apple, Tomato]
    let ?start: Receptacle where ?start.type in [DiningTable, CounterTop]
    let ?tool: Receptacle where ?tool.type == Fridge and distance(?start, ?tool) >= 4
    let ?dest: Receptacle where ?dest.type == CounterTop and ?dest != ?start""",
    "goal": "put cool ?food.type in ?dest.type",
    "build": "place ?food on ?start close ?tool",
    "require": "",
}


def in_alfworld(**parts: str) -> Resolved:
    return resolved(ALFWORLD.format(**{**DESIGN, **parts}))


def asked_of_alfworld(one: Resolved) -> Binder:
    return Binder(
        query_of(one, INTERFACES["alfworld"], Novelty()), INTERFACES["alfworld"], environment().open_store()
    )


@pytest.mark.parametrize("seed", range(20))
def test_an_answer_satisfies_the_program_in_the_scene_that_it_names(seed: int) -> None:
    one = in_alfworld(require="near: fits(?food.type, ?dest.type) and ?tool.openable")
    found = asked_of_alfworld(one).binding(str(seed))
    assert found is not None
    moment = environment().moment(environment().start(environment().open_store(), found))
    conditions = [let.where for let in one.scenario.lets] + [
        check.condition for check in checks(one.scenario.require)
    ]
    for condition in conditions:
        assert condition is not None
        assert evaluate(condition, found, moment) is True
    assert (
        moment.call("fits", (moment.field(found["food"], "type"), moment.field(found["start"], "type")))
        is True
    )


def test_seeds_reach_many_scenes_and_entities() -> None:
    asked = asked_of_alfworld(in_alfworld())
    found = [asked.binding(str(seed)) for seed in range(60)]
    assert len({one.context for one in found if one}) > 10
    assert {one["food"].key.split("|")[0] for one in found if one} == {"Bread", "Apple", "Tomato"}


CONFLICTS = {
    "types": (
        {"lets": "let ?a: Receptacle where ?a.type == Fridge and ?a.type == Microwave", "build": ""},
        ["?a.type == Fridge", "?a.type == Microwave"],
    ),
    "rooms": (
        {
            "lets": "let ?a: Receptacle where ?a.type == Fridge let ?b: Receptacle where ?b.type == Bed",
            "build": "",
        },
        ["?a.type == Fridge", "?b.type == Bed"],
    ),
    "numbers": (
        {
            "lets": "let ?a: Receptacle where ?a.type == Fridge let ?b: Receptacle where ?b.type == Fridge "
            "and ?a != ?b",
            "build": "",
        },
        ["?a.type == Fridge", "?b.type == Fridge", "?a != ?b"],
    ),
    "a place": (
        {
            "lets": "let ?a: Object where ?a.type == Book let ?b: Receptacle where ?b.type == Fridge",
            "build": "place ?a in ?b",
        },
        [
            "?a.type == Book",
            "?b.type == Fridge",
            "place ?a in ?b` needing `a receptacle that can hold the object",
        ],
    ),
    "far apart": (
        {
            "lets": "let ?a: Receptacle let ?b: Receptacle let ?c: Receptacle let ?d: Receptacle where "
            + " and ".join(f"distance(?{a}, ?{b}) == 13" for a, b in combinations("abcd", 2)),
            "build": "",
        },
        ["distance(?a, ?b) == 13", "distance(?a, ?c) == 13", "distance(?b, ?c) == 13"],
    ),
}


@pytest.mark.parametrize(("parts", "expected"), CONFLICTS.values(), ids=CONFLICTS.keys())
def test_a_conflict_in_the_shipped_data_is_named(parts: dict[str, str], expected: list[str]) -> None:
    one = in_alfworld(**{"goal": "put Apple in CounterTop", **parts})
    asked = asked_of_alfworld(one)
    assert asked.binding("0") is None
    assert sorted(culprits(asked.conflict())) == sorted(expected)


def test_a_search_that_would_take_for_ever_is_given_up() -> None:
    letters = "abcdefghijklmn"
    lets = "".join(
        f"let ?{one}: Receptacle where ?{one}.type == Shelf "
        + "".join(f"and ?{one} != ?{other} " for other in letters if other != one)
        for one in letters
    )
    asked = asked_of_alfworld(in_alfworld(lets=lets, goal="put Apple in CounterTop", build=""))
    assert asked.binding("0") is None
    assert isinstance(asked.conflict(), errors.TooManyCombinations)


def test_thousands_of_conditions_are_asked_at_once() -> None:
    """SQLite bounds the depth of an expression to 1000."""
    many = "let ?a: Scene where " + " and ".join(f"?a.number<{number}" for number in range(1000, 2010))
    wide = "let ?a: Scene let ?b: Scene where " + " or ".join(["?a==?b"] * 1500)
    for lets in (many, wide):
        assert asked_of_alfworld(in_alfworld(lets=lets, goal="put Apple in CounterTop", build="")).binding(
            "0"
        )


def test_programs_are_bound_as_they_are_printed() -> None:
    one = in_alfworld()
    text = print_program(s.Program((one.scenario,)), INTERFACES)
    assert asked_of_alfworld(resolved(text)).binding("3") == asked_of_alfworld(one).binding("3")
    assert program(text)
