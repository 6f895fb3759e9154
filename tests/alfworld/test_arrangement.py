"""The scenes of ALFRED and their default arrangements."""

from __future__ import annotations

import random
import re
from collections import Counter

import attrs
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.arrangement import (
    LAMP_STANDS,
    MAX_INSTANCES,
    SPREAD,
    arrange,
    free_identifier,
)
from skillsandbox.envs.alfworld.household import Configuration, Receptacle
from skillsandbox.envs.alfworld.layouts import (
    Layout,
    cell_of,
    identifier_at,
    point_of,
    read_layout,
    read_layouts,
)

COORDINATE = r"(?:[+-]\d{2,}\.\d\d|00\.00|[+-]00\.00)"
IDENTIFIER = re.compile(
    rf"[A-Z][A-Za-z]+(?:\|{COORDINATE}){{3}}(?:\|(?:Sink|Bathtub)?(?:Sink|Bathtub)Basin)?"
)
LOCATION = re.compile(r"loc\|-?\d+\|-?\d+\|[0-3]\|(?:-30|-15|0|15|30|45|60)")

LAYOUTS = read_layouts()

scenes = st.sampled_from(LAYOUTS)
seeds = st.integers(min_value=0, max_value=2**31)


def assert_legal(layout: Layout, configuration: Configuration) -> None:
    household, state = configuration.household, configuration.state
    receptacles = {receptacle.id: receptacle for receptacle in household.receptacles}
    types = {thing.id: thing.type for thing in household.things}

    identifiers = [*receptacles, *types]
    assert all(IDENTIFIER.fullmatch(identifier) for identifier in identifiers)
    assert len({identifier.lower() for identifier in identifiers}) == len(household.receptacles) + len(
        household.things
    )
    assert list(receptacles) == sorted(receptacles)
    assert list(types) == sorted(types)

    assert sorted(thing for thing, _ in state.places) == list(types)
    for thing, place in state.places:
        stands = LAMP_STANDS.get(types[thing])
        on = receptacles[place].type
        assert on in stands if stands else domain.fits(types[thing], on)

    assert all(LOCATION.fullmatch(receptacle.location) for receptacle in household.receptacles)
    assert all(cell_of(receptacle.location) in layout.floor for receptacle in household.receptacles)
    assert household.start == state.location
    assert LOCATION.fullmatch(household.start)
    assert cell_of(household.start) in layout.floor
    assert household.start not in {receptacle.location for receptacle in household.receptacles}


def test_there_are_thirty_scenes_of_each_kind_and_six_of_them_are_for_tests() -> None:
    assert Counter((layout.kind, layout.split) for layout in LAYOUTS) == {
        (kind, split): count for kind in domain.SCENE_KINDS for split, count in (("train", 24), ("test", 6))
    }
    assert [layout.scene for layout in LAYOUTS] == list(domain.SCENES)


def test_basins_are_receptacles_of_their_own_type() -> None:
    sink = next(r for r in read_layout("FloorPlan1").receptacles if r.id.startswith("Sink"))

    assert (sink.id, sink.type) == ("Sink|-01.90|+00.97|-01.50|SinkBasin", "SinkBasin")
    assert {r.type for layout in LAYOUTS for r in layout.receptacles} <= domain.RECEPTACLE_TYPES


def test_the_location_of_a_receptacle_is_that_of_the_official_games() -> None:
    locations = {r.id: r.location for r in read_layout("FloorPlan323").receptacles}

    assert locations["Bed|+02.40|+00.01|-00.07"] == "loc|5|0|1|60"
    assert locations["Desk|+02.32|-00.01|-03.22"] == "loc|8|-10|2|60"
    assert locations["Drawer|+01.88|+00.73|-02.96"] == "loc|4|-10|1|45"


def test_every_kitchen_has_what_the_official_kitchens_have() -> None:
    for layout in LAYOUTS:
        if layout.kind == "Kitchen":
            counts = Counter(receptacle.type for receptacle in layout.receptacles)
            assert counts["StoveBurner"] == 4
            assert (
                counts["CoffeeMachine"] == counts["Toaster"] == counts["Fridge"] == counts["Microwave"] == 1
            )
            assert counts["SinkBasin"] >= 1
            assert counts["GarbageCan"] >= 1


def test_only_receptacles_of_openable_types_open() -> None:
    for layout in LAYOUTS:
        assert all(r.openable == (r.type in domain.OPENABLE) for r in layout.receptacles)


def test_what_opens_stands_only_where_opening_it_was_tried() -> None:
    layout = read_layout("FloorPlan17")

    assert "Drawer" in layout.object_types
    assert not any(receptacle.type == "Drawer" for receptacle in layout.receptacles)


def test_a_scene_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="FloorPlan31"):
        read_layout("FloorPlan31")


@given(x=st.integers(-2000, 2000), y=st.integers(-300, 300), z=st.integers(-2000, 2000))
@example(-150, 93, 0)
def test_an_id_says_where_a_thing_is(x: int, y: int, z: int) -> None:
    identifier = identifier_at("Apple", (x, y, z))

    assert IDENTIFIER.fullmatch(identifier)
    assert "+00.00" not in identifier
    assert "-00.00" not in identifier
    assert point_of(identifier) == (x, y, z)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.scene)
def test_the_default_arrangement_of_every_scene_is_legal(layout: Layout) -> None:
    assert_legal(layout, arrange(layout, 0))


@settings(max_examples=60, deadline=None)
@given(layout=scenes, seed=seeds)
def test_an_arrangement_with_any_seed_is_legal(layout: Layout, seed: int) -> None:
    assert_legal(layout, arrange(layout, seed))


def test_the_agent_starts_beside_the_middle_where_a_receptacle_has_it() -> None:
    layout = read_layout("FloorPlan1")
    middle = arrange(layout, 0).household.start
    first, *others = layout.receptacles
    crowded = attrs.evolve(layout, receptacles=(attrs.evolve(first, location=middle), *others))

    assert_legal(crowded, arrange(crowded, 0))


def test_a_new_thing_takes_the_one_place_that_is_left() -> None:
    table = Receptacle("Desk|+01.00|+00.50|-00.20", "Desk", "loc|4|0|2|45", openable=False)
    around = range(-SPREAD, SPREAD + 1)
    places = {identifier_at("Pen", (100 + dx, 50, -20 + dz)) for dx in around for dz in around}

    assert free_identifier(random.Random(1), "Pen", table, places - {"Pen|+01.17|+00.50|00.00"}) == (
        "Pen|+01.17|+00.50|00.00"
    )


@settings(max_examples=30, deadline=None)
@given(layout=scenes, seed=seeds)
def test_everything_that_has_a_place_in_the_scene_is_there(layout: Layout, seed: int) -> None:
    counts = Counter(thing.type for thing in arrange(layout, seed).household.things)
    stands = {receptacle.type for receptacle in layout.receptacles}

    for object_type in layout.object_types:
        if object_type in LAMP_STANDS:
            assert counts[object_type] == 1
        elif any(domain.fits(object_type, stand) for stand in stands):
            assert 1 <= counts[object_type] <= MAX_INSTANCES
        else:
            assert counts[object_type] == 0
    assert set(counts) <= set(layout.object_types)


@settings(max_examples=30, deadline=None)
@given(layout=scenes, seed=seeds)
def test_nothing_has_happened_yet_in_an_arrangement(layout: Layout, seed: int) -> None:
    configuration = arrange(layout, seed)
    state = configuration.state

    assert state.holding is None
    assert all(
        not fluent
        for fluent in (state.opened, state.clean, state.hot, state.cool, state.toggled, state.sliced)
    )
    assert all(
        thing.pickupable == (thing.type not in domain.TOGGLEABLE) for thing in configuration.household.things
    )


@settings(max_examples=30, deadline=None)
@given(layout=scenes, seed=seeds)
def test_the_seed_decides_where_things_are_but_not_where_the_furniture_is(layout: Layout, seed: int) -> None:
    one, again, other = arrange(layout, seed), arrange(layout, seed), arrange(layout, seed + 1)

    assert one == again
    assert one.state.places != other.state.places
    assert one.household.receptacles == other.household.receptacles
