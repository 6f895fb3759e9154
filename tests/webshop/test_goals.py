"""Goals: their wording, bounds, order and splits, and what can be read from an instruction."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_shop import backpacks, goal, option, product

from skillsandbox.envs.webshop.catalogue import HumanInstruction, SyntheticInstruction
from skillsandbox.envs.webshop.goals import (
    NO_BOUND,
    GoalIndexError,
    Split,
    WantedOption,
    draw,
    drawn_price,
    goal_at,
    human_goals,
    options_clause,
    price_bound,
    price_clause,
    shuffled,
    synthetic_goals,
)
from skillsandbox.envs.webshop.requests import Request, attributes_in, read_instruction

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "webshop"


def data(name: str) -> Any:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} of the shared inputs is not here")
    return json.loads(path.read_text("utf-8"))


def people(*texts: str, attributes: tuple[str, ...] = ("easy clean",)) -> tuple[HumanInstruction, ...]:
    return tuple(HumanInstruction(text, attributes, ("red",)) for text in texts)


# Price bounds


@given(st.floats(0, 2_000), st.integers())
def test_a_bound_is_one_of_the_four_multiples_of_ten_above_the_price_but_not_the_first(
    price: float, seed: int
) -> None:
    bound = price_bound(price, Random(seed))
    above = [ten for ten in range(10, 1_000, 10) if ten > price]
    assert bound in (above[1:4] if len(above) >= 2 else [NO_BOUND])


@pytest.mark.parametrize(("price", "bounded"), [(979.99, True), (980.0, False), (1_500.0, False)])
def test_a_price_with_fewer_than_two_bounds_above_it_is_free(price: float, bounded: bool) -> None:
    assert (price_bound(price, Random(0)) != NO_BOUND) is bounded


def test_a_price_on_a_multiple_of_ten_is_below_its_bound() -> None:
    assert {price_bound(50.0, Random(seed)) for seed in range(50)} == {70.0, 80.0, 90.0}


# Goals


def test_a_human_goal_loses_its_full_stops_and_gets_a_price_clause() -> None:
    wanted = product(human=people("i need a bag.", "...bags..", "bag!"))
    texts = [one.instruction for one in human_goals([wanted], drawn_price, Random(0))]
    assert [text.partition(", and price")[0] for text in texts] == ["i need a bag", "bags", "bag!"]
    assert all(text.endswith("0.00 dollars") for text in texts)


def test_instructions_without_attributes_make_no_goal() -> None:
    assert human_goals([product(human=people("skip me", attributes=()))], drawn_price, Random(0)) == []
    synthetic = product(synthetic=SyntheticInstruction("Find me a bag", ()))
    assert synthetic_goals([synthetic], drawn_price, Random(0)) == []


def test_synthetic_goals_are_the_product_of_the_options_with_names_in_order() -> None:
    wanted = product(
        synthetic=SyntheticInstruction("Find me easy clean bags", ("easy clean",)),
        options=(option("size", "s", "m"), option("color", "red", "blue")),
        prices=(995.0,),
    )
    assert [one.instruction for one in synthetic_goals([wanted], drawn_price, Random(0))] == [
        "Find me easy clean bags with color: red, and size: s",
        "Find me easy clean bags with color: red, and size: m",
        "Find me easy clean bags with color: blue, and size: s",
        "Find me easy clean bags with color: blue, and size: m",
    ]


def test_all_goals_of_a_product_share_one_bound() -> None:
    wanted = product(synthetic=SyntheticInstruction("Find me bags", ("easy clean",)))
    assert len({one.price_upper for one in synthetic_goals([wanted], drawn_price, Random(3))}) == 1


def test_an_option_without_values_leaves_no_synthetic_goal() -> None:
    wanted = product(synthetic=SyntheticInstruction("Find me bags", ("a",)), options=(option("size"),))
    assert synthetic_goals([wanted], drawn_price, Random(0)) == []


def test_goals_with_rare_attributes_weigh_more() -> None:
    rare = product(synthetic=SyntheticInstruction("rare", ("a", "b")), options=())
    common = product("B2", synthetic=SyntheticInstruction("common", ("a",)), options=())
    assert [one.weight for one in synthetic_goals([rare, common], drawn_price, Random(0))] == [0.75, 0.5]


def test_goals_are_the_same_in_every_process() -> None:
    program = (
        "from random import Random; from small_shop import product;"
        "from skillsandbox.envs.webshop.goals import *;"
        "from skillsandbox.envs.webshop.catalogue import SyntheticInstruction;"
        "wanted = [product(f'B{n}', synthetic=SyntheticInstruction('bag', ('a',)), prices=(9.0, 90.0))"
        " for n in range(20)];"
        "print(shuffled(synthetic_goals(wanted, drawn_price, Random(0))))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            cwd=Path(__file__).parent,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_a_price_within_a_range_does_not_depend_on_the_other_products() -> None:
    ranged = product(prices=(10.0, 20.0))
    assert 10.0 <= drawn_price(ranged) <= 20.0
    assert drawn_price(ranged) == drawn_price(product(title="Another", prices=(10.0, 20.0)))
    assert drawn_price(ranged) != drawn_price(ranged, seed=1)
    assert drawn_price(product(prices=(12.5,))) == 12.5


# Order and choice


def test_the_order_is_the_official_one() -> None:
    numbers = list(range(2_000))
    Random(233).shuffle(numbers)
    goals = [goal(one) for one in backpacks(2_000)]
    assert shuffled(goals) == [goals[number] for number in numbers]


def test_the_splits_are_the_first_500_the_next_1000_and_the_rest() -> None:
    goals = [goal(one) for one in backpacks(1_502)]
    assert [len(split.of(goals)) for split in (Split.TEST, Split.EVAL, Split.TRAIN)] == [500, 1_000, 2]
    assert [*Split.TEST.of(goals), *Split.EVAL.of(goals), *Split.TRAIN.of(goals)] == goals


@pytest.mark.parametrize("number", [2, np.int64(2), np.int8(2), np.uint32(2), True + 1])
def test_goals_are_found_by_integers_of_every_type(number: Any) -> None:
    goals = [goal(one) for one in backpacks(5)]
    assert goal_at(goals, number) is goals[2]


@pytest.mark.parametrize("number", [-1, 5, np.int64(5), 10**30])
def test_a_number_that_no_goal_has_is_refused(number: Any) -> None:
    with pytest.raises(GoalIndexError, match="numbered from 0 to 4"):
        goal_at([goal(one) for one in backpacks(5)], number)


@pytest.mark.parametrize("number", ["2", 2.0, None, np.float64(2.0)])
def test_what_is_no_integer_chooses_no_goal(number: Any) -> None:
    with pytest.raises(TypeError):
        goal_at([goal(one) for one in backpacks(5)], number)


def test_goals_are_drawn_by_weight() -> None:
    goals = [goal(product(), weight=weight) for weight in (0.0, 3.0, 1.0)]
    random = Random(0)
    drawn = [draw(goals, random) for _ in range(400)]
    assert (drawn.count(0), 280 < drawn.count(1) < 320, drawn.count(1) + drawn.count(2)) == (0, True, 400)
    with pytest.raises(GoalIndexError, match="there are no goals"):
        draw([], random)


# Reading instructions

NAMES = st.from_regex(r"[a-z]{1,8}( [a-z]{1,8})?", fullmatch=True).filter(lambda name: " with " not in name)
VALUES = st.from_regex(r"[a-z0-9]{1,6}([ |#./-][a-z0-9]{1,6}){0,2}", fullmatch=True)


@given(
    options=st.lists(st.builds(WantedOption, VALUES, NAMES), max_size=3),
    bound=st.sampled_from([NO_BOUND, *map(float, range(10, 1_000, 10))]),
)
def test_the_clauses_of_a_goal_are_read_as_they_were_written(
    options: list[WantedOption], bound: float
) -> None:
    text = "Find me easy clean bags for women with rose gold" + options_clause(options) + price_clause(bound)
    assert read_instruction(text) == Request(
        "Find me easy clean bags for women with rose gold",
        tuple(options),
        None if bound == NO_BOUND else bound,
    )


@pytest.mark.parametrize(
    ("text", "wording", "bound"),
    [
        ("a bag that is easy to clean, under $50", "a bag that is easy to clean", 50.0),
        ("a bag for less than 40 dollars please", "a bag please", 40.0),
        ("a bag up to $1,200.50", "a bag", 1200.5),
        ("a bag priced below $30, and price lower than 20.00 dollars", "a bag", 20.0),
        ("a table under 60 inches", "a table under 60 inches", None),
        ("a $20 bag", "a $20 bag", None),
    ],
)
def test_a_bound_is_read_from_free_wording(text: str, wording: str, bound: float | None) -> None:
    assert read_instruction(text) == Request(wording, (), bound)


def test_every_human_goal_can_be_read_and_keeps_its_wording() -> None:
    for text in data("human_goals.json"):
        for bound in (NO_BOUND, 70.0):
            request = read_instruction(text.strip(".") + price_clause(bound))
            assert request.price_upper == (None if bound == NO_BOUND else bound)
            if not request.options:
                assert request.wording == text.strip(".").strip()


def test_human_goals_have_options_without_names() -> None:
    named = [text for text in data("human_goals.json") if read_instruction(text).options]
    assert len(named) < 30


def test_the_attributes_of_synthetic_instructions_are_found_in_them() -> None:
    entries = [entry for entry in data("items_ins_v2_1000.json").values() if entry.get("instruction")]
    vocabulary = sorted({attribute for entry in entries for attribute in entry["attributes"]})
    assert len(entries) == 415
    for entry in entries:
        assert set(entry["instruction_attributes"]) <= set(attributes_in(entry["instruction"], vocabulary))


def test_most_human_goals_speak_of_known_attributes() -> None:
    entries = data("items_ins_v2_1000.json").values()
    vocabulary = sorted({attribute for entry in entries for attribute in entry["attributes"]})
    goals = data("human_goals.json")
    assert sum(bool(attributes_in(text, vocabulary)) for text in goals) > 0.6 * len(goals)


@pytest.mark.parametrize(
    ("wording", "found"),
    [
        ("easy to clean", True),
        ("Easy, clean!", True),
        ("clean and easy", False),
        ("easy and quick to really clean", False),
        ("uneasy clean", False),
    ],
)
def test_an_attribute_is_spoken_of_in_order_with_few_words_between(wording: str, found: bool) -> None:
    assert bool(attributes_in(wording, ["easy clean", ""])) is found
