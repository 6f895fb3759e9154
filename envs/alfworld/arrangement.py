"""The default arrangement of a scene: which things it holds, and where, when no scenario says otherwise.

ALFRED lets its simulator scatter 1 to 3 instances of each object type over the receptacles that the type
fits; here a seed does. The draws use only `random.Random.random`, whose sequence Python keeps from version to
version.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from skillsandbox.envs.alfworld.domain import fits
from skillsandbox.envs.alfworld.household import Configuration, Household, Receptacle, State, Thing
from skillsandbox.envs.alfworld.layouts import Layout, identifier_at, location_at, point_of

MAX_INSTANCES = 3
"""ALFRED's MAX_NUM_OF_OBJ_INSTANCES."""

SPREAD = 30
"""How far from the middle of its receptacle a thing lies at most, in centimetres."""

START_HORIZON = 30
"""How far down, in degrees, an agent looks at the start: ALFRED's own."""

LAMP_STANDS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "DeskLamp": ("Desk", "SideTable", "Dresser", "DiningTable", "CoffeeTable", "Shelf"),
        "FloorLamp": ("SideTable", "Dresser", "Desk", "TVStand", "CoffeeTable", "DiningTable", "CounterTop"),
    }
)
"""What a lamp stands on, the likeliest first.

No lamp is in ALFRED's table of what fits where, but the domain lets an agent use only a lamp on a receptacle.
"""

Item = TypeVar("Item")


def arrange(layout: Layout, seed: int) -> Configuration:
    """Return a scene's default arrangement: all closed, hands empty, the agent in the middle of the room.

    Each object type that fits a receptacle of the scene has 1 to 3 instances there, a lamp has one. Layout
    and seed alone decide the result.
    """
    draw = random.Random(f"{layout.scene}|{seed}")
    places: dict[str, str] = {}
    for object_type in layout.object_types:
        stands = _stands(object_type, layout.receptacles)
        if stands:
            for _ in range(_instances(draw, object_type)):
                receptacle = _pick(draw, stands[_pick(draw, sorted(stands))])
                places[free_identifier(draw, object_type, receptacle, places)] = receptacle.id
    things = tuple(
        Thing(identifier, _type_of(identifier), _is_pickupable(identifier)) for identifier in sorted(places)
    )
    start = _start(layout)
    household = Household(layout.scene, layout.receptacles, things, start)
    return Configuration(household, State(location=start, places=frozenset(places.items())))


def _stands(object_type: str, receptacles: Sequence[Receptacle]) -> Mapping[str, Sequence[Receptacle]]:
    """Return the receptacles that a thing of this type may be on, by their type."""
    by_type: defaultdict[str, list[Receptacle]] = defaultdict(list)
    for receptacle in receptacles:
        by_type[receptacle.type].append(receptacle)
    if object_type in LAMP_STANDS:
        likeliest = next((stand for stand in LAMP_STANDS[object_type] if stand in by_type), None)
        return {} if likeliest is None else {likeliest: by_type[likeliest]}
    return {stand: members for stand, members in by_type.items() if fits(object_type, stand)}


def _instances(draw: random.Random, object_type: str) -> int:
    return 1 if object_type in LAMP_STANDS else 1 + _below(draw, MAX_INSTANCES)


def free_identifier(
    draw: random.Random, object_type: str, receptacle: Receptacle, taken: Container[str]
) -> str:
    """Return an id near the middle of the receptacle that no other thing has."""
    x, y, z = point_of(receptacle.id)
    while True:
        point = (x + _offset(draw), y, z + _offset(draw))
        identifier = identifier_at(object_type, point)
        if identifier not in taken:
            return identifier


def _start(layout: Layout) -> str:
    """Return the location nearest to the middle of the floor that belongs to no receptacle."""
    middle_x, middle_z = (sum(ordinates) / len(layout.floor) for ordinates in zip(*layout.floor, strict=True))
    taken = {receptacle.location for receptacle in layout.receptacles}
    nearest = sorted(layout.floor, key=lambda cell: (cell[0] - middle_x) ** 2 + (cell[1] - middle_z) ** 2)
    return next(
        location
        for cell in nearest
        if (location := location_at(cell, rotation=0, horizon=START_HORIZON)) not in taken
    )


def _type_of(identifier: str) -> str:
    return identifier.split("|", 1)[0]


def _is_pickupable(identifier: str) -> bool:
    return _type_of(identifier) not in LAMP_STANDS


def _offset(draw: random.Random) -> int:
    return _below(draw, 2 * SPREAD + 1) - SPREAD


def _pick(draw: random.Random, items: Sequence[Item]) -> Item:
    return items[_below(draw, len(items))]


def _below(draw: random.Random, bound: int) -> int:
    return int(draw.random() * bound)
