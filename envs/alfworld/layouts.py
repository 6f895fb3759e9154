"""The 120 scenes of ALFRED as the `alfworld` package describes them: furniture, object types, floor.

Source: the files in `alfworld/gen/layouts`. ALFRED made them by trying in its simulator where an agent can
reach what. Compared with an official game in each of 107 scenes, all receptacles of the layouts have the
official cell, type and openness; 96 % have the official rotation and horizon too, which ALFRED derives from
positions more exact than those in the ids.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from skillsandbox.envs.alfworld.domain import (
    OPENABLE,
    RECEPTACLE_TYPES,
    SCENES,
    TRAIN_SCENES,
    package_folder,
    scene_kind,
    scene_number,
)
from skillsandbox.envs.alfworld.household import Receptacle

Cell: TypeAlias = tuple[int, int]
"""A place on the floor, (x, z), in steps of 0.25 m."""

Centimetres: TypeAlias = tuple[int, int, int]
"""A point in the room: x, y (up), z."""

CELLS_PER_METRE = 4
CENTIMETRES_PER_CELL = 25
DIRECTIONS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Where an agent looks at rotation 0, 1, 2 and 3: z grows to the front, x to the right."""

CAMERA_HEIGHT = 165
"""Of the agent, in centimetres: 90 where its feet count, and ALFRED's CAMERA_HEIGHT_OFFSET of 75."""

HORIZON_STEP = 15
HIGHEST_HORIZON, LOWEST_HORIZON = -30, 60
"""How far, in degrees, an agent can look up and down."""

WORKTOP_HEIGHT = 90
ON_A_WORKTOP = frozenset({"CoffeeMachine", "StoveBurner", "Toaster"})
BURNER_OFFSETS = ((-12, -12), (-12, 12), (12, -12), (12, 12))
FIXTURE_DISTANCE = 2
"""How many cells from the agent a fixture stands."""


@attrs.frozen
class Layout:
    """What stays the same in a scene: receptacles by id, object types by name, and the cells of the floor.

    `split` is `train` or `test`, as ALFRED divides its scenes.
    """

    scene: str
    kind: str
    number: int
    split: str
    receptacles: tuple[Receptacle, ...]
    object_types: tuple[str, ...]
    floor: tuple[Cell, ...]


def read_layouts() -> tuple[Layout, ...]:
    """Read all scenes, sorted by number."""
    return tuple(read_layout(scene) for scene in sorted(SCENES, key=scene_number))


def read_layout(scene: str) -> Layout:
    """Read one scene, such as `FloorPlan1`.

    Raises:
        ValueError: ALFRED has no such scene.
    """
    kind, split = scene_kind(scene), "train" if scene in TRAIN_SCENES else "test"
    object_types = tuple(sorted(_read_json(scene, "objects")))
    floor = _read_floor(scene)
    furniture = _read_furniture(scene)
    # What opens needs a place from which opening it was tried, so that no fixture stands for it.
    missing = RECEPTACLE_TYPES.intersection(object_types) - OPENABLE - {item.type for item in furniture}
    fixtures = _fixtures(scene, sorted(missing), floor, furniture)
    receptacles = tuple(sorted((*furniture, *fixtures), key=lambda item: item.id))
    return Layout(scene, kind, scene_number(scene), split, receptacles, object_types, floor)


def cell_of(location: str) -> Cell:
    """Return the cell of a location `loc|x|z|rotation|horizon`."""
    _, x, z, _, _ = location.split("|")
    return int(x), int(z)


def location_at(cell: Cell, rotation: int, horizon: int) -> str:
    """Return the location of an agent that looks in one of four directions and `horizon` degrees down."""
    return f"loc|{cell[0]}|{cell[1]}|{rotation}|{horizon}"


def point_of(identifier: str) -> Centimetres:
    """Return where the thing or receptacle of an ALFRED id stands."""
    x, y, z = (round(float(part) * 100) for part in identifier.split("|")[1:4])
    return x, y, z


def identifier_at(type_name: str, point: Centimetres) -> str:
    """Return the ALFRED id of a thing or receptacle at a point, such as `Apple|-01.50|+00.93|00.00`."""
    return "|".join((type_name, *map(_coordinate, point)))


def _coordinate(centimetres: int) -> str:
    sign = "" if centimetres == 0 else "-" if centimetres < 0 else "+"
    metres, rest = divmod(abs(centimetres), 100)
    return f"{sign}{metres:02d}.{rest:02d}"


def _read_json(scene: str, part: str) -> Any:
    return json.loads(_file(f"{scene}-{part}.json").read_text(encoding="utf-8"))


def _read_floor(scene: str) -> tuple[Cell, ...]:
    """Return the cells that an agent can reach, sorted."""
    import numpy as np

    metres = np.load(_file(f"{scene}-layout.npy"))
    return tuple(sorted((int(x), int(z)) for x, z in np.rint(metres * CELLS_PER_METRE)))


def _file(name: str) -> Path:
    return package_folder() / "gen" / "layouts" / name


def _read_furniture(scene: str) -> tuple[Receptacle, ...]:
    positions = _read_json(scene, "openable")
    return tuple(
        _receptacle(identifier, (round(x * CELLS_PER_METRE), round(z * CELLS_PER_METRE)))
        for identifier, (x, z, _, _) in positions.items()
    )


def _receptacle(identifier: str, cell: Cell) -> Receptacle:
    parts = identifier.split("|")
    type_name = parts[-1] if len(parts) > 4 else parts[0]
    return Receptacle(identifier, type_name, _view(point_of(identifier), cell), type_name in OPENABLE)


def _view(point: Centimetres, cell: Cell) -> str:
    """Return the location of an agent that looks from a cell at a point.

    Rotation and horizon are those of the official games, which take over only the cell from the layouts.
    Source: `get_obj_coords` in `alfworld/gen/game_states/task_game_state_full_knowledge.py`; its step back
    from what is nearer than half a metre never happens in a layout.
    """
    height = point[1]
    east, north = _offset(point, cell)
    rotation = (1 if east > 0 else 3) if abs(east) > abs(north) else 0 if north > 0 else 2
    slope = math.degrees(math.atan2(CAMERA_HEIGHT - height, max(abs(east), abs(north))))
    horizon = round(slope / HORIZON_STEP) * HORIZON_STEP
    return location_at(cell, rotation, max(HIGHEST_HORIZON, min(LOWEST_HORIZON, horizon)))


def _offset(point: Centimetres, cell: Cell) -> tuple[int, int]:
    """Return how many centimetres a point lies to the right and to the front of a cell."""
    return point[0] - cell[0] * CENTIMETRES_PER_CELL, point[2] - cell[1] * CENTIMETRES_PER_CELL


def _fixtures(
    scene: str, types: Iterable[str], floor: Sequence[Cell], furniture: Iterable[Receptacle]
) -> tuple[Receptacle, ...]:
    """Return receptacles of types that the scene has but for which the layouts give no position.

    Those are stove burners, coffee machines, toasters, towel holders, most garbage cans and a few more:
    ALFRED takes their places from the simulator. Here each type stands at the edge of the floor, at a place
    that follows from the scene and the type.
    """
    cells = frozenset(floor)
    occupied = {cell_of(receptacle.location) for receptacle in furniture}
    places = [
        (cell, direction)
        for cell in floor
        for direction in DIRECTIONS
        if cell not in occupied and (cell[0] + direction[0], cell[1] + direction[1]) not in cells
    ]
    fixtures: list[Receptacle] = []
    for type_name in types:
        cell, direction = places.pop(int(random.Random(f"{scene}|{type_name}").random() * len(places)))
        fixtures.extend(
            _receptacle(_fixture_identifier(type_name, point), cell)
            for point in _fixture_points(type_name, cell, direction)
        )
    return tuple(fixtures)


def _fixture_points(type_name: str, cell: Cell, direction: Cell) -> list[Centimetres]:
    """Return the points, in front of the agent, at which the instances of a fixture stand."""
    x, z = (
        (at + FIXTURE_DISTANCE * towards) * CENTIMETRES_PER_CELL
        for at, towards in zip(cell, direction, strict=True)
    )
    height = WORKTOP_HEIGHT if type_name in ON_A_WORKTOP else 0
    offsets = BURNER_OFFSETS if type_name == "StoveBurner" else ((0, 0),)
    return [(x + dx, height, z + dz) for dx, dz in offsets]


def _fixture_identifier(type_name: str, point: Centimetres) -> str:
    owner = type_name.removesuffix("Basin")
    identifier = identifier_at(owner, point)
    return identifier if owner == type_name else f"{identifier}|{type_name}"
