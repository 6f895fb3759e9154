"""The tables of the data store: their schema, and how configurations and the tables of types become rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.household import Configuration, Household, Receptacle, State, Thing
from skillsandbox.envs.alfworld.layouts import cell_of

Row: TypeAlias = tuple[Any, ...]

SCHEMA = """
-- What a scenario can start from: a scene in its default arrangement, or an official game.
CREATE TABLE scene (
    scene      TEXT PRIMARY KEY,  -- 'FloorPlan1', or 'game:' and the name of a game
    floor_plan TEXT NOT NULL,     -- the scene itself; differs from the key for games alone
    kind       TEXT NOT NULL,     -- Kitchen, LivingRoom, Bedroom or Bathroom
    number     INTEGER NOT NULL,  -- of the floor plan: 1 for FloorPlan1
    split      TEXT NOT NULL,     -- train or test, as ALFRED divides its scenes
    start      TEXT NOT NULL      -- where a fresh agent stands: 'loc|x|z|rotation|horizon'
) WITHOUT ROWID;

-- Ids are unique in a scene, not across scenes: join on scene and id.
CREATE TABLE receptacle (
    scene    TEXT NOT NULL REFERENCES scene,
    id       TEXT NOT NULL,     -- 'Fridge|-02.10|+00.00|+01.09'
    type     TEXT NOT NULL REFERENCES receptacle_type,
    location TEXT NOT NULL,     -- where an agent stands to use it
    x        INTEGER NOT NULL,  -- of the location, in cells of 0.25 m
    z        INTEGER NOT NULL,
    openable INTEGER NOT NULL,  -- booleans are 0 or 1 in all tables
    open     INTEGER NOT NULL,
    PRIMARY KEY (scene, id)
) WITHOUT ROWID;
CREATE INDEX receptacle_by_type ON receptacle (type, scene);
CREATE INDEX receptacle_by_scene ON receptacle (scene, type);

CREATE TABLE thing (
    scene           TEXT NOT NULL REFERENCES scene,
    id              TEXT NOT NULL,     -- 'Apple|-01.50|+00.93|+00.45'
    type            TEXT NOT NULL REFERENCES object_type,
    receptacle      TEXT,              -- id of what it is in or on; NULL: held, or on the floor
    receptacle_type TEXT,              -- and the type of that receptacle
    pickupable      INTEGER NOT NULL,
    heatable        INTEGER NOT NULL,  -- what can be done to it: follows from its type
    coolable        INTEGER NOT NULL,
    cleanable       INTEGER NOT NULL,
    toggleable      INTEGER NOT NULL,
    sliceable       INTEGER NOT NULL,
    PRIMARY KEY (scene, id)
) WITHOUT ROWID;
CREATE INDEX thing_by_type ON thing (type, scene);
CREATE INDEX thing_by_scene ON thing (scene, type);
CREATE INDEX thing_by_receptacle ON thing (scene, receptacle);

-- ALFRED's table of what may be put where (VAL_RECEPTACLE_OBJECTS); lamps fit nowhere.
CREATE TABLE fits (
    object_type     TEXT NOT NULL REFERENCES object_type,
    receptacle_type TEXT NOT NULL REFERENCES receptacle_type,
    PRIMARY KEY (object_type, receptacle_type)
) WITHOUT ROWID;
CREATE INDEX fits_by_receptacle ON fits (receptacle_type, object_type);

CREATE TABLE object_type (
    name       TEXT PRIMARY KEY,
    heatable   INTEGER NOT NULL,
    coolable   INTEGER NOT NULL,
    cleanable  INTEGER NOT NULL,
    toggleable INTEGER NOT NULL,
    sliceable  INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE receptacle_type (
    name     TEXT PRIMARY KEY,
    openable INTEGER NOT NULL
) WITHOUT ROWID;

-- One row: the hash of the rows of all other tables.
CREATE TABLE about (
    data_version TEXT NOT NULL
);
"""


def type_rows() -> dict[str, list[Row]]:
    """Return the rows of the tables that no configuration changes, by table."""
    return {
        "fits": sorted(_fits_rows()),
        "object_type": [(name, *_abilities(name)) for name in sorted(domain.THING_TYPES)],
        "receptacle_type": [(name, name in domain.OPENABLE) for name in sorted(domain.RECEPTACLE_TYPES)],
    }


def scene_rows(key: str, configuration: Configuration) -> dict[str, list[Row]]:
    """Return the rows that a configuration adds, by table; `key` is its value in the column `scene`.

    Raises:
        ValueError: the household is in none of ALFRED's scenes.
    """
    return {
        "scene": [_scene_row(key, configuration.household)],
        "receptacle": list(_receptacle_rows(key, configuration)),
        "thing": list(_thing_rows(key, configuration)),
    }


def default_configuration(
    floor_plan: str, start: str, receptacles: Sequence[Row], things: Sequence[Row]
) -> Configuration:
    """Return the default arrangement that these rows describe; all is closed, nothing was done yet.

    The rows are (id, type, location, openable) and (id, type, pickupable, receptacle), sorted by id.
    """
    household = Household(
        floor_plan,
        tuple(Receptacle(id, type, location, bool(openable)) for id, type, location, openable in receptacles),
        tuple(Thing(id, type, bool(pickupable)) for id, type, pickupable, _ in things),
        start,
    )
    return Configuration(household, State(start, frozenset((id, place) for id, _, _, place in things)))


def _fits_rows() -> Iterator[Row]:
    for receptacle_type in domain.RECEPTACLE_TYPES:
        for object_type in domain.contents(receptacle_type):
            yield object_type, receptacle_type


def _abilities(object_type: str) -> tuple[bool, ...]:
    """Return whether the type is heatable, coolable, cleanable, toggleable and sliceable."""
    kinds = (domain.HEATABLE, domain.COOLABLE, domain.CLEANABLE, domain.TOGGLEABLE, domain.SLICEABLE)
    return tuple(object_type in kind for kind in kinds)


def _scene_row(key: str, household: Household) -> Row:
    scene = household.scene
    split = "train" if scene in domain.TRAIN_SCENES else "test"
    return key, scene, domain.scene_kind(scene), domain.scene_number(scene), split, household.start


def _receptacle_rows(key: str, configuration: Configuration) -> Iterator[Row]:
    for item in configuration.household.receptacles:
        is_open = item.id in configuration.state.opened
        yield key, item.id, item.type, item.location, *cell_of(item.location), item.openable, is_open


def _thing_rows(key: str, configuration: Configuration) -> Iterator[Row]:
    types = {receptacle.id: receptacle.type for receptacle in configuration.household.receptacles}
    # An official game may have a thing in two receptacles at once; here the first of them counts.
    places = dict(sorted(configuration.state.places, reverse=True))
    for thing in configuration.household.things:
        place = places.get(thing.id)
        place_type = None if place is None else types[place]
        yield key, thing.id, thing.type, place, place_type, thing.pickupable, *_abilities(thing.type)
