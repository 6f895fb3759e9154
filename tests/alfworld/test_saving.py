"""Configurations of households as JSON data."""

from __future__ import annotations

import json
from random import Random

import pytest
from alfworld_games import APPLE, COUNTER, MIDDLE, MUG, SPOON, kitchen

from skillsandbox.compiler.values import Entity, GroundCall
from skillsandbox.envs.alfworld import environment, operations
from skillsandbox.envs.alfworld.household import Configuration, Thing


@pytest.mark.parametrize(
    "configuration",
    [
        kitchen().configuration,
        kitchen(holding=SPOON.id, hot=frozenset({APPLE.id}), opened=frozenset()).configuration,
        kitchen(lies=frozenset({(APPLE.id, MIDDLE)})).configuration,
        kitchen(taken=frozenset({(APPLE.id, COUNTER.id)})).configuration,
    ],
    ids=["at rest", "a hot apple and a spoon in hand", "an apple elsewhere", "an apple that was taken"],
)
def test_a_configuration_comes_back_from_json(configuration: Configuration) -> None:
    assert environment().load(json.loads(json.dumps(environment().dump(configuration)))) == configuration


@pytest.mark.parametrize("thing", [APPLE, MUG, SPOON], ids=lambda thing: thing.type)
def test_nothing_speaks_of_what_has_been_removed(thing: Thing) -> None:
    lies, taken = frozenset({(thing.id, MIDDLE)}), frozenset({(thing.id, COUNTER.id)})
    kept = kitchen(lies=lies, taken=taken, sliced=frozenset({thing.id})).configuration
    removed = operations.apply(kept, GroundCall("remove", (Entity("Object", thing.id),)), Random(0))
    assert thing.id not in json.dumps(environment().dump(removed))
