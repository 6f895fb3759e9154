"""Scenarios for the official code: what is written, read back, gives the same episode."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_task import ENTITY, KIN, OPTION, PRODUCTS, TARGET, VALUE, Small, task

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import compile_source
from skillsandbox.compiler.environment import Frame, Refused
from skillsandbox.compiler.values import Entity, GroundCall
from skillsandbox.envs.webshop import environment
from skillsandbox.envs.webshop.catalogue import MemoryCatalogue, index_text
from skillsandbox.envs.webshop.configuration import Configuration
from skillsandbox.envs.webshop.episode import STEP_LIMIT
from skillsandbox.envs.webshop.goals import NO_BOUND, Goal, WantedOption
from skillsandbox.envs.webshop.index import Index
from skillsandbox.envs.webshop.loading import official_files
from skillsandbox.envs.webshop.official import (
    DOCUMENTS_FILE,
    NOTE_FILE,
    Export,
    export_scenario,
    official_goal,
)
from skillsandbox.envs.webshop.overlay import Overlay
from skillsandbox.envs.webshop.places import placing_texts
from skillsandbox.envs.webshop.store import open_official
from skillsandbox.envs.webshop.task import ShoppingTask
from skillsandbox.grammar.cache import CACHE_VARIABLE

WITHOUT = (GroundCall("differ_without", (TARGET.attributes[0],)), GroundCall("differ_price", (100,)))

PROGRAMS = Path(__file__).parents[2] / "specs" / "webshop"
OPERATIONS: dict[str, tuple[GroundCall, ...]] = {
    "nothing": (),
    "distractors": (GroundCall("add_distractors", (3, ENTITY, WITHOUT)),),
    "text and price": (
        GroundCall("alter_add", (ENTITY, "features", "Pack it & go: <b>50%</b> {{ 7 * 7 }}")),
        GroundCall("alter_remove", (ENTITY, "description", "the")),
        GroundCall("alter_price", (Entity("Product", KIN[2].asin), 12_345)),
        GroundCall("add_attribute", (Entity("Product", KIN[2].asin), TARGET.attributes[0])),
    ),
    "options": (
        GroundCall("add_option", (ENTITY, OPTION, f"{VALUE} / near")),
        GroundCall("withdraw_option", (ENTITY, OPTION, VALUE)),
    ),
    "removal": tuple(GroundCall("remove", (Entity("Product", one.asin),)) for one in KIN[:2]),
    "rank for a query": (GroundCall("rank_for_query", (ENTITY, 4, TARGET.kind)),),
    "rank for every query": (GroundCall("rank_everywhere", (ENTITY, 3)),),
    "two ranks": (
        GroundCall("rank_for_query", (Entity("Product", KIN[0].asin), 1, "something nice to have")),
        GroundCall("rank_for_query", (ENTITY, 2, "something nice to have")),
    ),
}


def written(folder: Path, one: ShoppingTask, history: Sequence[str] = (), **more: int) -> Export:
    return export_scenario(one, history, one.solve(history, STEP_LIMIT), folder, **more)


def note_in(folder: Path) -> dict[str, Any]:
    note: dict[str, Any] = json.loads((folder / NOTE_FILE).read_text("utf-8"))
    return note


def documents_in(folder: Path) -> dict[str, str]:
    lines = (folder / DOCUMENTS_FILE).read_text("utf-8").splitlines()
    return {one["id"]: one["contents"] for one in map(json.loads, lines)}


def read_back(folder: Path) -> ShoppingTask:
    """Read an export as the official code does: products from their file, search over the documents."""
    store = open_official(official_files(folder))
    assert list(store.findings()) == []
    stock = Small("export", store, Index.of(documents_in(folder).items()))
    goal = note_in(folder)["goal"]
    options = tuple(WantedOption(value, name) for name, value in dict(goal["goal_options"]).items())
    kind = (goal["asin"], goal["category"], goal["query"], goal["name"], goal["product_category"])
    read = Goal(*kind, goal["instruction_text"], tuple(goal["attributes"]), options, goal["price_upper"])
    return ShoppingTask(Configuration(stock, Overlay(store.data_version)), read)


def played(one: ShoppingTask, commands: Sequence[str]) -> list[Frame]:
    episode = one.episode((), len(commands))
    return [episode.reset(), *map(episode.step, commands)]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_export_that_is_read_back_gives_the_same_episode(name: str, tmp_path: Path) -> None:
    one = task(OPERATIONS[name])
    export = written(tmp_path, one)
    again = read_back(tmp_path)
    wrong = [f"click[{KIN[-1].asin.lower()}]", "click[features]", "click[< prev]", "click[buy now]"]

    assert export.products == len(one.configuration.catalogue)
    assert played(one, export.plan)[-1].reward == 1.0
    for commands in (export.plan, (*export.plan[:1], *wrong), (*export.plan[:1], "click[next >]")):
        assert played(again, commands) == played(one, commands)


@pytest.mark.parametrize("name", ["nothing", "distractors", "text and price", "options", "removal"])
def test_without_places_documents_are_the_texts_that_the_official_script_makes(
    name: str, tmp_path: Path
) -> None:
    one = task(OPERATIONS[name])
    written(tmp_path, one)
    assert documents_in(tmp_path) == {
        product.asin: index_text(product) for product in one.configuration.catalogue.products()
    }


def test_the_history_comes_before_the_plan(tmp_path: Path) -> None:
    history = ("search[something nice to have]", f"click[{KIN[0].asin.lower()}]")
    one = task(OPERATIONS["two ranks"])
    export = written(tmp_path, one, history)
    commands = (*history, *export.plan)

    assert note_in(tmp_path)["history"] == list(history)
    assert played(read_back(tmp_path), commands) == played(one, commands)


def test_a_place_for_every_query_is_said_to_hold_for_the_plan_alone(tmp_path: Path) -> None:
    export = written(tmp_path, task(OPERATIONS["rank for every query"]))
    assert f"{TARGET.asin} is in place 3 for the queries of the plan alone" in export.differences
    assert note_in(tmp_path)["differences"] == list(export.differences)


def test_a_large_catalogue_is_cut_to_what_the_scenario_shows(tmp_path: Path) -> None:
    one = task((*OPERATIONS["distractors"], *OPERATIONS["removal"], *OPERATIONS["text and price"]))
    export = written(tmp_path, one, most=30)
    again = read_back(tmp_path)

    assert export.products == 30 + 3 - 2
    assert export.differences[0].startswith("31 of 61 products are there")
    assert played(again, export.plan)[-1].reward == 1.0
    for asin in again.configuration.catalogue.asins():
        there, here = (each.configuration.catalogue.product(asin) for each in (again, one))
        assert attrs.evolve(there, human=()) == attrs.evolve(here, human=())


def test_a_page_of_the_plan_that_is_another_in_the_export_is_named(tmp_path: Path) -> None:
    one = task(())
    export = written(tmp_path, one, most=5)
    again = read_back(tmp_path)
    ours, theirs = (played(each, export.plan)[1:] for each in (one, again))
    different = [
        command for command, here, there in zip(export.plan, ours, theirs, strict=True) if here != there
    ]

    assert different
    assert export.differences[1:] == tuple(f"after {each} the page is another one" for each in different)


def test_a_scenario_that_needs_more_than_may_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="needs 4 products of the catalogue"):
        written(tmp_path, task((*OPERATIONS["text and price"], *OPERATIONS["removal"])), most=3)


def test_a_goal_without_attributes_is_refused_since_the_official_code_divides_by_zero(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="divides by zero unless"):
        written(tmp_path, task((), attributes=()))
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_no_text_brings_about_is_refused(tmp_path: Path) -> None:
    # Nothing but their ids tells these apart, and more than may get another text have to change places.
    texts = {f"B{number:03}": "red mug" for number in range(12)}
    wanted = tuple(reversed(texts))
    with pytest.raises(Refused, match="B011 in its place among the results of a text search: 1 for 'red'"):
        placing_texts(Index.of(texts.items()), {"red": wanted}, ["B011"], texts.__getitem__)


def test_what_a_new_text_puts_out_of_its_place_gets_one_too() -> None:
    texts = dict.fromkeys(("B001", "B002", "B003"), "red mug")
    index = Index.of(texts.items())
    wanted = ("B002", "B001", "B003")
    new = placing_texts(index, {"red": wanted}, ["B003"], texts.__getitem__)
    assert tuple(hit.id for hit in index.edited(new).search("red")) == wanted


def test_a_query_that_finds_nothing_stands_in_the_way_of_no_place() -> None:
    texts = {"B001": "red mug", "B002": "blue cup"}
    wanted = {"green": (), "mug": ("B002", "B001")}
    new = placing_texts(Index.of(texts.items()), wanted, ["B002"], texts.__getitem__)
    assert tuple(hit.id for hit in Index.of((texts | new).items()).search("mug")) == ("B002", "B001")


def test_an_export_that_was_not_finished_has_no_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, task(()))
    broken = task(())
    monkeypatch.setattr(MemoryCatalogue, "products", lambda self: iter([TARGET, None]))
    with pytest.raises(AttributeError):
        written(tmp_path, broken)
    assert not (tmp_path / NOTE_FILE).exists()
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".")]


def test_goals_are_as_the_official_code_has_them_in_memory() -> None:
    goal = task(()).goal
    free = attrs.evolve(goal, options=(WantedOption("red"), WantedOption("large")), price_upper=NO_BOUND)

    assert official_goal(goal)["goal_options"] == {OPTION: VALUE}
    assert official_goal(free)["goal_options"] == ["red", "large"]
    assert official_goal(free)["price_upper"] == 1_000_000


def test_prices_of_products_with_a_range_are_told(tmp_path: Path) -> None:
    ranged = attrs.evolve(KIN[0], prices=(10.0, 90.0))
    base = Small.of(MemoryCatalogue(ranged if one == KIN[0] else one for one in PRODUCTS))
    one = task((), base)
    written(tmp_path, one)

    prices = {each.asin for each in base.store.products() if len(each.prices) > 1}
    assert set(note_in(tmp_path)["prices"]) == prices
    assert note_in(tmp_path)["prices"][ranged.asin] == one.configuration.shop.prices(ranged)


@pytest.mark.parametrize(
    "name",
    [
        "cheaper_rivals_lack_the_attribute",
        "claim_moved_to_description",
        "filters_for_footwear",
        "nothing_meets_every_wish",
        "target_on_the_second_page",
    ],
)
def test_a_program_of_every_mechanism_is_exported_with_the_same_pages_on_the_way(
    name: str, tmp_path: Path
) -> None:
    source = Source(f"{name}.scn", (PROGRAMS / f"{name}.scn").read_text("utf-8"))
    (made,) = compile_source(source, {"webshop": environment}, 0).scenarios
    one = made.task(environment())
    assert isinstance(one, ShoppingTask)
    export = export_scenario(one, made.history, made.plan, tmp_path)
    commands = (*made.history, *made.plan)

    assert export.plan == made.plan
    assert [line for line in export.differences if line.startswith("after ")] == []
    assert played(read_back(tmp_path), commands) == played(one, commands)


# Places


WORDS = ["red", "blue", "mug", "cup", "large", "small", "steel"]
corpora = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=2, max_size=12
)


@given(corpora, st.data())
@settings(max_examples=15, deadline=None)
def test_with_placing_texts_a_query_finds_what_is_wanted_in_that_order(
    corpus: list[str], data: st.DataObject
) -> None:
    texts = {f"B{number:03}": text for number, text in enumerate(corpus)}
    index = Index.of(texts.items())
    query = " ".join(data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)))
    found = [hit.id for hit in index.search(query)]
    moved = data.draw(st.sampled_from(sorted(texts)))
    wanted = [each for each in found if each != moved]
    wanted.insert(data.draw(st.integers(0, len(wanted))), moved)
    try:
        new = placing_texts(index, {query: tuple(wanted)}, [moved], texts.__getitem__)
    except Refused:
        return
    fresh = Index.of((texts | new).items())
    assert [hit.id for hit in fresh.search(query)] == wanted


def test_a_document_is_brought_to_every_place_among_unlike_ones() -> None:
    texts = {f"B{number:03}": " ".join(["mug"] * 3 + ["blue"] * (8 * number)) for number in range(8)}
    index = Index.of((texts | {"B100": "a large steel cup"}).items())
    found = [hit.id for hit in index.search("mug")]
    assert found == sorted(texts)
    for place in range(len(found) + 1):
        wanted = (*found[:place], "B100", *found[place:])
        new = placing_texts(index, {"mug": wanted}, ["B100"], lambda each: "a large steel cup")
        assert list(new) == ["B100"]
        assert tuple(hit.id for hit in index.edited(new).search("mug")) == wanted
