"""The native engine shows what the official one shows: frames are compared whole, after every command."""

from __future__ import annotations

import importlib.util
import itertools
import random
from pathlib import Path
from types import ModuleType

import attrs
import pytest
from alfworld_games import (
    APPLE,
    COUNTER,
    FRIDGE,
    GOALS,
    LAMP,
    LOW_APPLE,
    LOWER_DRAWER,
    MUG,
    PLACES,
    SHELF,
    SINK,
    SPOON,
    UPPER_DRAWER,
    kitchen,
)

from skillsandbox.envs.alfworld.engine import Engine, NativeEpisode
from skillsandbox.envs.alfworld.household import Game, Goal, Thing
from skillsandbox.envs.alfworld.lowering import GAME_FILE, lower, write
from skillsandbox.envs.alfworld.official import OfficialEpisode

TOUR = """
look; inventory; help; go to drawer 1; look; use desklamp 1; open drawer 1; take spoon 1 from drawer 1; look
examine spoon 1; examine drawer 1; examine drawer 2; open drawer 2; move spoon 1 to drawer 2; look
take spoon 1 from drawer 2; move spoon 1 to drawer 1; look; close drawer 1; use desklamp 1; examine desklamp 1
go to drawer 2; go to shelf 1; take mug 1 from shelf 1; examine mug 1; inventory; move mug 1 to desk 1; look
take mug 1 from desk 1; go to microwave 1; heat mug 1 with microwave 1; examine mug 1; open microwave 1
move mug 1 to microwave 1; go to countertop 1; take knife 1 from countertop 1; slice apple 2 with knife 1
go to fridge 1; slice apple 1 with knife 1; move knife 1 to fridge 1; open fridge 1; examine fridge 1
go to countertop 1; move knife 1 to countertop 1; take apple 2 from countertop 1; examine apple 2
go to microwave 1; heat apple 2 with microwave 1; examine apple 2; go to fridge 1
cool apple 2 with fridge 1; examine apple 2; go to sinkbasin 1; clean apple 2 with sinkbasin 1
examine apple 2; move apple 2 to sinkbasin 1; look; examine sinkbasin 1; go to fridge 1
take apple 1 from fridge 1; examine apple 1; close fridge 1; move apple 1 to fridge 1
cool apple 1 with fridge 1; examine apple 1; look.; Look;  look ; take apple 1; go to nowhere
open sinkbasin 1; put apple 1 in/on fridge 1
"""
"""A walk through everything that a kitchen answers to, and some things that it does not."""

OPEN = frozenset({FRIDGE.id, UPPER_DRAWER.id})

STARTS = {
    "in the middle": kitchen(GOALS[5]),
    "at a fridge": kitchen(GOALS[5], location=FRIDGE.location),
    "at two drawers": kitchen(GOALS[5], location=LOWER_DRAWER.location, opened=OPEN),
    "hands full": kitchen(GOALS[5], holding=MUG.id, places=PLACES - {(MUG.id, SHELF.id)}),
    "in two places": kitchen(
        GOALS[5],
        places=PLACES | {(SPOON.id, LOWER_DRAWER.id), (APPLE.id, SINK.id), (LAMP.id, UPPER_DRAWER.id)},
    ),
    "lying elsewhere": kitchen(
        GOALS[5],
        lies=frozenset(
            {(APPLE.id, SINK.location), (SPOON.id, SHELF.location), (LOW_APPLE.id, COUNTER.location)}
        ),
    ),
    "much done": kitchen(
        GOALS[5],
        opened=OPEN,
        hot=frozenset({APPLE.id, MUG.id}),
        cool=frozenset({LOW_APPLE.id, APPLE.id}),
        clean=frozenset({APPLE.id, SPOON.id}),
        sliced=frozenset({LOW_APPLE.id}),
        toggled=frozenset({LAMP.id}),
    ),
}


def vessel_in_itself() -> Game:
    """A kitchen whose mug stands in itself, as a problem may say."""
    game = kitchen(GOALS[5])
    house = attrs.evolve(game.configuration.household, nested=frozenset({(MUG.id, MUG.id)}))
    return attrs.evolve(game, configuration=attrs.evolve(game.configuration, household=house))


def unusual_ids() -> Game:
    """A kitchen with ids that lack a sign, have suffixes, or begin with what is not the type."""
    game = kitchen(GOALS[5])
    house = game.configuration.household
    names = ("Apple|00.00|+01.10|-00.50", "Apple|-01|AppleSliced_0", "Pear|+1|-2.5|3,0", "Egg|+10.00|2")
    things = tuple(Thing(name, "Egg" if name.startswith("Egg") else "Apple") for name in names)
    places = game.configuration.state.places | {(thing.id, COUNTER.id) for thing in things}
    configuration = attrs.evolve(
        game.configuration,
        household=attrs.evolve(
            house, things=tuple(sorted((*house.things, *things), key=lambda thing: thing.id))
        ),
        state=attrs.evolve(game.configuration.state, places=places),
    )
    return attrs.evolve(game, configuration=configuration, instruction="it's 100 % done, isn't it: “yes”")


def differential() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "alfworld_differential.py"
    spec = importlib.util.spec_from_file_location("alfworld_differential", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "game",
    [*STARTS.values(), unusual_ids(), vessel_in_itself()],
    ids=[*STARTS, "unusual ids", "a vessel in itself"],
)
def test_both_engines_answer_alike_on_a_tour_of_the_kitchen(tmp_path: Path, game: Game) -> None:
    write(tmp_path, lower(game, ()))
    limit = 200
    with (
        OfficialEpisode(tmp_path / GAME_FILE, step_limit=limit) as official,
        NativeEpisode(game, step_limit=limit) as native,
    ):
        assert native.reset() == official.reset()
        for command in TOUR.strip().replace("\n", ";").split(";"):
            expected = official.step(command)
            assert native.step(command) == expected, command
            if expected.done:
                assert native.reset() == official.reset()


@pytest.mark.parametrize("goal", [GOALS[0], GOALS[1], GOALS[3]], ids=lambda goal: goal.task_type)
def test_both_engines_answer_alike_to_planned_and_random_commands(goal: Goal) -> None:
    tools = differential()
    draw = random.Random(f"{goal}")
    disturbed = (tools.disturb(kitchen().configuration, draw) for _ in itertools.count())
    games = (attrs.evolve(kitchen(goal), configuration=configuration) for configuration in disturbed)
    game = next(game for game in games if not Engine(game).won(game.configuration.state))
    comparison = tools.compare((game, lower(game, ())), steps=50, seed=1)
    assert comparison.difference is None
    assert len(comparison.commands) > 30
