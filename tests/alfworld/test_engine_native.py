"""Laws of the native engine, and the official quirks that it keeps, in the official words."""

from __future__ import annotations

import pickle

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
    MUG,
    PLACES,
    SHELF,
    SPOON,
    THINGS,
    UPPER_DRAWER,
    household,
    kitchen,
    small_games,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from skillsandbox.envs.alfworld.engine import (
    NOTHING_HAPPENS,
    Engine,
    NativeEpisode,
    display_names,
    listed,
)
from skillsandbox.envs.alfworld.episode import EpisodeError
from skillsandbox.envs.alfworld.household import Configuration, Game, State, lying, settled

VERBS = ("go to", "open", "close", "examine", "use", "look", "help", "inventory", "dance", "")
TRANSFERS = (
    ("take", "from"),
    ("move", "to"),
    ("heat", "with"),
    ("cool", "with"),
    ("clean", "with"),
    ("slice", "with"),
)


def every_command(engine: Engine) -> list[str]:
    """All that could be said with the names of a game, sense or nonsense."""
    names = [engine.name_of(name) for name in (*engine.things, *engine.receptacles)]
    plain = [f"{verb} {name}".strip() for verb in VERBS for name in (*names, "")]
    return plain + [
        f"{verb} {one} {word} {other}" for verb, word in TRANSFERS for one in names for other in names
    ]


@st.composite
def played(draw: st.DrawFn) -> tuple[Engine, State]:
    """A game and a state that some commands lead to."""
    engine = Engine(draw(small_games()))
    state = engine.initial
    for _ in range(draw(st.integers(0, 8))):
        following = engine.follow(state, draw(st.sampled_from(engine.admissible(state))))
        assert following is not None
        state = following
    return engine, state


@settings(max_examples=60, deadline=None)
@given(played())
def test_exactly_the_admissible_commands_do_something(case: tuple[Engine, State]) -> None:
    engine, state = case
    commands = {command for command in every_command(engine) if engine.apply(state, command) is not None}
    assert tuple(sorted(commands)) == engine.admissible(state)


@settings(max_examples=60, deadline=None)
@given(played())
def test_states_stay_possible(case: tuple[Engine, State]) -> None:
    engine, state = case
    for command in engine.admissible(state):
        outcome = engine.apply(state, command)
        assert outcome is not None
        after, text = outcome
        assert text
        assert text != NOTHING_HAPPENS
        assert after == settled(engine.household, after)
        assert after == engine.follow(state, command)
        thing = [name for name in engine.mentioned(command) if name in engine.things]
        moved = {name for name, _ in state.places ^ after.places}
        assert moved <= set(thing[:1])
        assert after.clean >= state.clean
        assert after.toggled >= state.toggled
        assert after.hot & after.cool <= state.hot & state.cool
        assert not after.taken & after.places
        if command.startswith("take"):
            assert (thing[0], state.location) not in lying(engine.household, after)


@settings(max_examples=60, deadline=None)
@given(played())
def test_names_stand_for_one_thing_each(case: tuple[Engine, State]) -> None:
    engine, _ = case
    identifiers = [*engine.things, *engine.receptacles]
    assert [engine.id_of(engine.name_of(name)) for name in identifiers] == identifiers


def test_engines_and_states_can_be_sent_to_other_processes() -> None:
    engine = Engine(kitchen())
    copy = pickle.loads(pickle.dumps(engine))
    state = pickle.loads(pickle.dumps(engine.initial))
    assert copy.admissible(state) == engine.admissible(engine.initial)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(min_value=0), max_size=8), st.lists(st.integers(min_value=0), max_size=8))
def test_an_episode_goes_on_elsewhere_as_it_would_have_gone_on_here(
    before: list[int], after: list[int]
) -> None:
    episode = NativeEpisode(kitchen(), step_limit=100)
    frame = episode.reset()
    for draw in before:
        frame = episode.step(frame.admissible[draw % len(frame.admissible)])
        if frame.done:
            return
    copy = pickle.loads(pickle.dumps(episode))
    for draw in after:
        command = frame.admissible[draw % len(frame.admissible)]
        frame = episode.step(command)
        assert copy.step(command) == frame
        if frame.done:
            break


def test_many_episodes_of_a_game_do_not_disturb_each_other() -> None:
    episodes = [NativeEpisode(kitchen()) for _ in range(200)]
    first = [episode.reset() for episode in episodes]
    assert len(set(first)) == 1
    commands = [first[0].admissible[n % len(first[0].admissible)] for n in range(len(episodes))]
    together = [episode.step(command) for episode, command in zip(episodes, commands, strict=True)]
    for command, frame in zip(commands, together, strict=True):
        alone = NativeEpisode(kitchen())
        alone.reset()
        assert alone.step(command) == frame


def test_the_first_id_of_a_kind_has_the_highest_number() -> None:
    names = display_names(
        ["Apple|-01.00|1", "Apple|+00.50|1", "Apple|+00.75|1", "Sink|1|SinkBasin", "Sink|1"]
    )
    assert names == {
        "Apple|-01.00|1": "apple 3",
        "Apple|+00.50|1": "apple 2",
        "Apple|+00.75|1": "apple 1",
        "Sink|1": "sink 1",
        "Sink|1|SinkBasin": "sinkbasin 1",
    }


@pytest.mark.parametrize(
    ("items", "text"),
    [((), "nothing"), (("a",), "a"), (("a", "b"), "a, and b"), (("a", "b", "c"), "a, b, and c")],
)
def test_lists_read_as_the_official_grammar_writes_them(items: tuple[str, ...], text: str) -> None:
    assert listed(items) == text


def play(game: Game, *commands: str) -> list[str]:
    with NativeEpisode(game, step_limit=100) as episode:
        return [episode.reset().observation, *(episode.step(command).observation for command in commands)]


def test_only_the_first_look_in_the_middle_of_the_room_shows_anything() -> None:
    intro, look = play(kitchen(), "look")
    assert intro == (
        "-= Welcome to TextWorld, ALFRED! =-\n\n"
        "You are in the middle of a room. Looking quickly around you, you see a countertop 1, a desk 1, "
        "a drawer 2, a drawer 1, a fridge 1, a microwave 1, a shelf 1, and a sinkbasin 1.\n\n"
        "Your task is to: put some mug on desk."
    )
    assert look == "You are in the middle of a room. Looking quickly around you, you see nothing."


def test_an_episode_may_start_in_front_of_something() -> None:
    [intro] = play(kitchen(location=LOWER_DRAWER.location))
    assert "You are facing the drawer 2, and drawer 1. Next to it, you see nothing." in intro


def test_looking_mentions_what_was_moved_between_neighbours() -> None:
    *_, look = play(
        kitchen(opened=frozenset({UPPER_DRAWER.id, LOWER_DRAWER.id})),
        "go to drawer 1",
        "take spoon 1 from drawer 1",
        "move spoon 1 to drawer 2",
        "look",
    )
    assert look == "You are facing the drawer 2, and drawer 1. Next to it, you see a spoon 1."


def test_a_lamp_works_in_a_closed_drawer_and_does_not_go_off() -> None:
    texts = play(kitchen(GOALS[1]), "go to drawer 2", "use desklamp 1", "use desklamp 1", "examine drawer 2")
    assert texts[2:] == [
        "You turn on the desklamp 1.",
        "You turn on the desklamp 1.",
        "The drawer 2 is closed.",
    ]


@pytest.mark.parametrize(
    ("fluents", "text"),
    [
        ({}, "There's nothing special about apple 2."),
        ({"hot"}, "This is a hot apple 2."),
        ({"cool"}, "This is a cold apple 2."),
        ({"clean"}, "This is a clean apple 2."),
        ({"sliced"}, "This is a sliced apple 2."),
        ({"cool", "sliced"}, "This is a cool sliced apple 2."),
        ({"hot", "sliced"}, "This is a hot sliced apple 2."),
        ({"clean", "sliced"}, "This is a clean sliced apple 2."),
        ({"clean", "hot"}, "This is a hot and clean apple 2."),
        ({"clean", "cool"}, "This is a cool and clean apple 2."),
        ({"clean", "hot", "sliced"}, "This is a hot and clean sliced apple 2."),
        ({"clean", "cool", "sliced"}, "This is a cool and clean sliced apple 2."),
    ],
)
def test_examining_what_is_held_tells_what_was_done_to_it(fluents: set[str], text: str) -> None:
    done = {fluent: frozenset({APPLE.id}) for fluent in fluents}
    assert play(kitchen(holding=APPLE.id, places=frozenset(), **done), "examine apple 2")[-1] == text


def test_examining_a_vessel_shows_what_stands_in_it_and_nothing_else() -> None:
    text = play(kitchen(holding=MUG.id, places=frozenset(), hot=frozenset({MUG.id})), "examine mug 1")[-1]
    assert text == "This is a normal mug 1. In it, you see a spoon 1."


def test_what_is_not_held_cannot_be_examined() -> None:
    assert play(kitchen(location=SHELF.location), "examine mug 1")[-1] == NOTHING_HAPPENS


def test_a_thing_in_two_receptacles_is_taken_from_one() -> None:
    places = frozenset({(APPLE.id, COUNTER.id), (APPLE.id, FRIDGE.id)})
    engine = Engine(kitchen(places=places, location=COUNTER.location))
    state = engine.follow(engine.initial, "take apple 2 from countertop 1")
    assert state is not None
    assert (state.holding, state.places) == (APPLE.id, {(APPLE.id, FRIDGE.id)})
    assert lying(engine.household, state) == {(APPLE.id, FRIDGE.location)}


def test_a_thing_taken_from_one_of_two_neighbours_lies_there_no_more() -> None:
    places = frozenset({(SPOON.id, UPPER_DRAWER.id), (SPOON.id, LOWER_DRAWER.id)})
    opened = frozenset({UPPER_DRAWER.id, LOWER_DRAWER.id})
    engine = Engine(kitchen(places=places, location=LOWER_DRAWER.location, opened=opened))
    state = engine.follow(engine.initial, "take spoon 1 from drawer 1")
    assert state is not None
    assert (state.places, state.lies) == ({(SPOON.id, LOWER_DRAWER.id)}, frozenset())


def test_hot_and_cold_exclude_each_other_and_clean_stays() -> None:
    apple = frozenset({APPLE.id})
    engine = Engine(kitchen(holding=APPLE.id, places=frozenset(), clean=apple))
    state = engine.initial
    for appliance, verb, hot, cool in (
        ("microwave 1", "heat", apple, frozenset()),
        ("fridge 1", "cool", frozenset(), apple),
        ("microwave 1", "heat", apple, frozenset()),
    ):
        for command in (f"go to {appliance}", f"{verb} apple 2 with {appliance}"):
            following = engine.follow(state, command)
            assert following is not None
            state = following
        assert (state.hot, state.cool, state.clean) == (hot, cool, apple)


def test_slicing_asks_where_a_thing_lies() -> None:
    lies = frozenset({(APPLE.id, SHELF.location)})
    engine = Engine(kitchen(holding=KNIFE.id, location=SHELF.location, lies=lies))
    assert "slice apple 2 with knife 1" in engine.admissible(engine.initial)
    closed = Engine(kitchen(holding=KNIFE.id, location=FRIDGE.location))
    assert "slice apple 1 with knife 1" in closed.admissible(closed.initial)


def test_an_episode_that_starts_won_ends_with_its_first_step() -> None:
    places = PLACES | {(MUG.id, "Desk|+01.10|+00.10|-01.00")}
    with NativeEpisode(kitchen(places=places)) as episode:
        first = episode.reset()
        assert (first.won, first.done, first.reward) == (True, False, 0.0)
        second = episode.step("look")
        assert (second.won, second.done, second.reward) == (True, True, 1.0)


def test_a_light_goal_does_not_ask_for_the_lamp_to_be_lit_in_this_order() -> None:
    lit = frozenset({LAMP.id})
    engine = Engine(kitchen(GOALS[1], location=LOWER_DRAWER.location, holding=LOW_APPLE.id, toggled=lit))
    assert engine.won(engine.initial)
    assert not engine.won(attrs.evolve(engine.initial, toggled=frozenset()))
    assert not engine.won(attrs.evolve(engine.initial, location=SHELF.location))
    assert not engine.won(attrs.evolve(engine.initial, holding=MUG.id))


def test_two_things_must_be_in_one_receptacle() -> None:
    goal = attrs.evolve(GOALS[5], target="Spoon", destination="Drawer")
    twins = (SPOON, attrs.evolve(SPOON, id="Spoon|+09.00|+00.00|+00.00"))
    game = kitchen(goal)
    house = household(things=(*THINGS[:4], *twins))
    drawers = (UPPER_DRAWER.id, LOWER_DRAWER.id)
    for places, won in ((drawers, False), (drawers[:1] * 2, True)):
        pairs = frozenset(zip((twin.id for twin in twins), places, strict=True))
        state = attrs.evolve(game.configuration.state, places=pairs)
        engine = Engine(attrs.evolve(game, configuration=Configuration(house, state)))
        assert engine.won(engine.initial) is won


def test_the_past_of_a_state_is_forgotten_at_the_start() -> None:
    engine = Engine(kitchen(taken=frozenset({(MUG.id, SHELF.id)})))
    assert engine.initial.taken == frozenset()


def test_steps_are_counted_and_need_a_reset() -> None:
    episode = NativeEpisode(kitchen(), step_limit=2)
    with pytest.raises(EpisodeError, match="reset it first"):
        episode.step("look")
    episode.reset()
    assert [episode.step(command).done for command in ("nonsense", "look")] == [False, True]
    with pytest.raises(EpisodeError, match="is over"):
        episode.step("look")
    with pytest.raises(ValueError, match="limit"):
        NativeEpisode(kitchen(), step_limit=0)
