"""Plans are shortest (by exhaustive search), no longer than the official planner's, and win there too."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from alfworld_games import (
    APPLE,
    COUNTER,
    FRIDGE,
    GOALS,
    KNIFE,
    LAMP,
    LOW_APPLE,
    LOWER_DRAWER,
    MICROWAVE,
    MUG,
    PLACES,
    SHELF,
    SPOON,
    UPPER_DRAWER,
    household,
    kitchen,
    scene_game,
    small_games,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skillsandbox.envs.alfworld.engine import Engine
from skillsandbox.envs.alfworld.household import (
    Configuration,
    Game,
    Goal,
    State,
    Thing,
)
from skillsandbox.envs.alfworld.lowering import GAME_FILE, lower, write
from skillsandbox.envs.alfworld.official import OfficialEpisode
from skillsandbox.envs.alfworld.solver import NotFound, Plan, search, solve


@attrs.frozen
class Winning:
    """Watches for the goal."""

    engine: Engine

    def start(self, state: State) -> bool:
        return self.engine.won(state)

    def advance(self, progress: bool, state: State, command: str) -> bool:
        return self.engine.won(state)

    def accepted(self, progress: bool) -> bool:
        return progress


@attrs.frozen
class Visiting:
    """Watches for an agent that carries a thing to a location, having examined it before."""

    engine: Engine
    thing: str
    location: str

    def start(self, state: State) -> tuple[bool, bool]:
        return (False, False)

    def advance(self, progress: tuple[bool, bool], state: State, command: str) -> tuple[bool, bool]:
        examined = progress[0] or command == f"examine {self.engine.name_of(self.thing)}"
        carried = state.holding == self.thing and state.location == self.location
        return (examined, progress[1] or (examined and carried))

    def accepted(self, progress: tuple[bool, bool]) -> bool:
        return progress[1]


@settings(max_examples=60, deadline=None)
@given(small_games())
def test_a_plan_is_as_short_as_exhaustive_search_finds(game: Game) -> None:
    engine = Engine(game)
    found, expected = solve(engine), search(engine, Winning(engine), limit=11, max_states=2500)
    if isinstance(expected, Plan):
        assert isinstance(found, Plan)
        assert len(found.commands) == len(expected.commands)
    else:
        assume("stopped" not in expected.reason)
        assert isinstance(found, NotFound) or (not expected.proven and len(found.commands) > 11)


@settings(max_examples=100, deadline=None)
@given(small_games(), st.integers(1, 8))
def test_a_limit_forbids_longer_plans_and_no_others(game: Game, limit: int) -> None:
    unlimited, limited = solve(Engine(game)), solve(Engine(game), limit=limit)
    if isinstance(unlimited, Plan) and len(unlimited.commands) <= limit:
        assert limited == unlimited
    else:
        assert isinstance(limited, NotFound)


def test_a_receptacle_in_front_of_the_agent_is_better_than_another_like_it() -> None:
    goal = Goal("pick_and_place_simple", "Spoon", "Drawer")
    for drawer in (UPPER_DRAWER, LOWER_DRAWER):
        apart = attrs.evolve(drawer, location="loc|0|0|0|0")
        others = [receptacle for receptacle in household().receptacles if receptacle.id != drawer.id]
        house = household([*others, apart])
        for location in (apart.location, LOWER_DRAWER.location):
            state = State(location, frozenset(), holding=SPOON.id)
            found = solve(Engine(Game(Configuration(house, state), goal, "put some spoon in drawer")))
            assert isinstance(found, Plan)
            assert len(found.commands) == 2


def test_what_is_next_to_where_it_belongs_is_better_than_another_like_it() -> None:
    goal = Goal("pick_and_place_simple", "Spoon", "CounterTop")
    twin = attrs.evolve(SPOON, id="Spoon|+00.00|+00.00|+00.00")
    for near in (UPPER_DRAWER, LOWER_DRAWER):
        others = [receptacle for receptacle in household().receptacles if receptacle.id != near.id]
        house = household([*others, attrs.evolve(near, location=COUNTER.location)], [SPOON, twin])
        places = frozenset({(SPOON.id, UPPER_DRAWER.id), (twin.id, LOWER_DRAWER.id)})
        game = Game(Configuration(house, State("loc|0|0|0|0", places)), goal, "put some spoon on countertop")
        found = solve(Engine(game))
        assert isinstance(found, Plan)
        assert len(found.commands) == 4


@pytest.mark.parametrize("apple", [APPLE, LOW_APPLE])
def test_what_is_done_already_is_better_than_another_like_it(apple: Thing) -> None:
    places = frozenset({(APPLE.id, COUNTER.id), (LOW_APPLE.id, COUNTER.id)})
    found = solve(Engine(kitchen(GOALS[3], places=places, hot=frozenset({apple.id}))))
    assert isinstance(found, Plan)
    assert len(found.commands) == 5


def test_a_goal_that_holds_needs_no_command() -> None:
    places = PLACES | {(LOW_APPLE.id, "Sink|-01.90|+00.97|-01.50|SinkBasin")} - {(LOW_APPLE.id, FRIDGE.id)}
    game = kitchen(Goal("pick_and_place_simple", "Apple", "SinkBasin"), places=places)
    assert solve(Engine(game)) == Plan((), 0)


def test_what_is_in_the_way_is_put_down_where_the_agent_stands_anyway() -> None:
    game = kitchen(holding=KNIFE.id, places=PLACES - {(KNIFE.id, "CounterTop|+00.69|+00.95|-02.48")})
    assert solve(Engine(game)).commands == (
        "go to countertop 1",
        "move knife 1 to countertop 1",
        "go to shelf 1",
        "take mug 1 from shelf 1",
        "move mug 1 to desk 1",
    )


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        (Goal("pick_and_place_simple", "Bowl", "Desk"), "there is no Bowl in FloorPlan1"),
        (Goal("pick_and_place_simple", "Apple", "Sofa"), "there is no Sofa in FloorPlan1"),
        (Goal("pick_and_place_simple", "Apple", "Desk"), "a Apple does not fit in or on a Desk"),
        (Goal("pick_two_obj_and_place", "Mug", "Desk"), "there is only one Mug in FloorPlan1"),
        (Goal("pick_heat_then_place_in_recep", "Knife", "Drawer"), "there is no way to heat a Knife"),
        (Goal("look_at_obj_in_light", "Mug", "FloorLamp"), "there is no FloorLamp in FloorPlan1"),
        (Goal("look_at_obj_in_light", "Mug", "Window"), "a Window cannot be switched on"),
        (Goal("look_at_obj_in_light", "DeskLamp", "DeskLamp"), "a DeskLamp cannot be picked up"),
        (
            Goal("pick_and_place_simple", "Window", "Desk"),
            "the Window in FloorPlan1 is in or on nothing, so that it is out of reach",
        ),
    ],
)
def test_an_impossible_goal_is_told_from_one_that_is_far_away(goal: Goal, reason: str) -> None:
    found = solve(Engine(kitchen(goal)))
    assert isinstance(found, NotFound)
    assert (found.reason, found.proven) == (reason, True)
    far = solve(Engine(kitchen()), limit=2)
    assert isinstance(far, NotFound)
    assert (far.reason, far.proven) == ("no plan has at most 2 steps", False)


def test_without_an_appliance_only_what_is_treated_already_will_do() -> None:
    without = [receptacle for receptacle in household().receptacles if receptacle != MICROWAVE]
    house = household(without)
    goal = Goal("pick_heat_then_place_in_recep", "Apple", "Fridge")
    cold = Game(Configuration(house, State("loc|9|9|0|30", PLACES)), goal, "heat some apple")
    found = solve(Engine(cold))
    assert isinstance(found, NotFound)
    assert found.reason == "there is no Microwave in FloorPlan1 to heat a Apple with"
    hot = attrs.evolve(cold.configuration.state, hot=frozenset({APPLE.id}))
    assert isinstance(solve(Engine(attrs.evolve(cold, configuration=Configuration(house, hot)))), Plan)


def test_a_monitor_s_trajectory_is_shortest_and_keeps_its_order() -> None:
    engine = Engine(kitchen())
    found = search(engine, Visiting(engine, MUG.id, FRIDGE.location))
    assert isinstance(found, Plan)
    assert found.commands[1:] == ("take mug 1 from shelf 1", "examine mug 1", "go to fridge 1")


def test_nothing_follows_a_step_that_wins() -> None:
    places = frozenset({(APPLE.id, SHELF.id), (LAMP.id, SHELF.id)})
    engine = Engine(kitchen(GOALS[1], location=SHELF.location, places=places, toggled=frozenset({LAMP.id})))
    assert solve(engine).commands == ("take apple 2 from shelf 1",)
    found = search(engine, Visiting(engine, APPLE.id, FRIDGE.location), max_states=500)
    assert isinstance(found, NotFound)


def test_focus_leaves_other_things_alone() -> None:
    engine = Engine(kitchen())
    everywhere = search(engine, Visiting(engine, MUG.id, FRIDGE.location))
    focused = search(engine, Visiting(engine, MUG.id, FRIDGE.location), focus=frozenset({MUG.id, FRIDGE.id}))
    assert isinstance(focused, Plan)
    assert len(focused.commands) == len(everywhere.commands)
    assert focused.explored < everywhere.explored
    unreachable = search(engine, Visiting(engine, MUG.id, FRIDGE.location), focus=frozenset({MUG.id}))
    assert isinstance(unreachable, NotFound)
    assert not unreachable.proven


@pytest.mark.parametrize(
    "game",
    [
        *(kitchen(goal) for goal in GOALS[2:]),
        scene_game("FloorPlan206", Goal("look_at_obj_in_light", "CellPhone", "DeskLamp"), seed=1),
    ],
    ids=lambda game: f"{game.goal.task_type}-{game.configuration.household.scene}",
)
def test_plans_are_not_longer_than_the_official_planner_s_and_win_officially(
    tmp_path: Path, game: Game
) -> None:
    found = solve(Engine(game))
    assert isinstance(found, Plan)
    write(tmp_path, lower(game, found.commands))
    with OfficialEpisode(tmp_path / GAME_FILE) as episode:
        episode.reset()
        assert len(found.commands) <= len(episode.plan())
        frames = [episode.step(command) for command in found.commands]
    assert [frame.won for frame in frames] == [False] * (len(frames) - 1) + [True]
