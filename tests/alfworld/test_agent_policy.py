"""How the household agent acts, alone and with a skill, in small rooms played by the native engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest
from agent_games import Played, play, room
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.compiler.environment import Exchange, Guidance, Situation
from skillsandbox.envs.alfworld.agent import household_agent
from skillsandbox.envs.alfworld.agent_belief import belief_of
from skillsandbox.envs.alfworld.household import Game, Goal

COOL_BREAD = Goal("pick_cool_then_place_in_recep", "Bread", "CounterTop")
HEAT_EGG = Goal("pick_heat_then_place_in_recep", "Egg", "SinkBasin")
TWO_BOOKS = Goal("pick_two_obj_and_place", "Book", "Bed")
CD_IN_LIGHT = Goal("look_at_obj_in_light", "CD", "DeskLamp")
MUG_TO_DESK = Goal("pick_and_place_simple", "Mug", "Desk")

KITCHEN = (
    ("Cabinet", ("Plate",)),
    ("CounterTop", ("Knife",)),
    ("DiningTable", ("Bread",)),
    ("Fridge", ("Egg",)),
    ("Microwave", ()),
    ("SinkBasin", ()),
)
BEDROOM = (
    ("Bed", ("Pillow",)),
    ("Desk", ("DeskLamp", "Pen")),
    ("Drawer", ("Book",)),
    ("Shelf", ("Book",)),
    ("SideTable", ("CD", "Mug")),
)


def skill(principle: str, condition: str = "") -> Guidance:
    return Guidance("set/skill_1", condition, principle)


def pair(game: Game, guidance: Guidance) -> tuple[Played, Played]:
    """The runs with and without a skill."""
    return play(game, guidance), play(game)


def test_without_a_skill_the_agent_searches_in_the_order_of_the_listing_then_cools_and_places() -> None:
    played = play(room(COOL_BREAD, KITCHEN))
    assert played.won
    assert played.actions == (
        *("go to countertop 1", "go to diningtable 1", "take bread 1 from diningtable 1", "go to fridge 1"),
        *("cool bread 1 with fridge 1", "go to countertop 1", "move bread 1 to countertop 1"),
    )


def test_surfaces_come_before_doors_and_closed_places_are_opened_when_reached() -> None:
    played = play(room(HEAT_EGG, KITCHEN))
    assert played.won
    search = played.actions[: played.actions.index("take egg 1 from fridge 1")]
    assert search == (
        *("go to countertop 1", "go to diningtable 1", "go to sinkbasin 1"),
        *("go to cabinet 1", "open cabinet 1", "go to fridge 1", "open fridge 1"),
    )


def test_under_a_lamp_the_object_comes_first_and_the_lamp_is_remembered() -> None:
    played = play(room(CD_IN_LIGHT, BEDROOM))
    assert played.won
    assert played.actions[-3:] == ("take cd 1 from sidetable 1", "go to desk 1", "use desklamp 1")


def test_activating_the_appliance_first_makes_the_run_longer_and_is_cited_where_it_does() -> None:
    guidance = skill(
        "Activate the stationary appliance first, then fetch the object.",
        "The task needs a stationary appliance on a movable object that is somewhere else.",
    )
    guided, usual = pair(room(COOL_BREAD, KITCHEN), guidance)
    assert guided.won
    assert usual.won
    assert guided.actions[:2] == ("go to fridge 1", "open fridge 1")
    assert len(guided.actions) == len(usual.actions) + 2
    assert 0 in guided.citing("set/skill_1")
    assert guided.decisions[0].rationale.startswith("Following set/skill_1: ")
    assert usual.citing("set/skill_1") == ()


def test_a_skill_about_appliances_changes_nothing_where_the_task_needs_none() -> None:
    guided, usual = pair(
        room(MUG_TO_DESK, BEDROOM), skill("Activate the stationary appliance first, then fetch the object.")
    )
    assert guided == usual


def test_a_skill_about_another_appliance_changes_nothing() -> None:
    guided, usual = pair(room(COOL_BREAD, KITCHEN), skill("Open the microwave before fetching the object."))
    assert guided == usual


def test_the_lamp_comes_first_where_the_tool_of_the_task_is_a_lamp() -> None:
    guided, _ = pair(
        room(CD_IN_LIGHT, BEDROOM), skill("Switch the stationary tool on first, then fetch the object.")
    )
    assert guided.won
    assert guided.actions.index("use desklamp 1") < guided.actions.index("take cd 1 from sidetable 1")


def test_looking_in_the_fridge_first_helps_where_the_object_is_there() -> None:
    guidance = skill(
        "Look in closed containers such as the fridge first when searching for food.", "In a kitchen."
    )
    guided, usual = pair(room(HEAT_EGG, KITCHEN), guidance)
    assert guided.won
    assert len(guided.actions) < len(usual.actions)
    assert guided.citing("set/skill_1")[0] == 0


def test_placing_before_more_search_saves_the_way_back() -> None:
    guided, usual = pair(
        room(TWO_BOOKS, BEDROOM),
        skill("Place the object you hold before searching for more.", "While carrying it."),
    )
    assert usual.won
    assert guided.won
    assert len(guided.actions) < len(usual.actions)
    taken = usual.actions.index("take book 1 from shelf 1")
    assert usual.actions[taken + 1] == "go to sidetable 1"
    assert guided.actions[taken + 1] == "go to bed 1"
    assert guided.citing("set/skill_1") == (taken + 1,)


def test_notes_spare_the_agent_places_that_it_would_search_again() -> None:
    shelves = tuple(("Shelf", ()) for _ in range(14))
    contents = (("Bed", ()), *shelves, ("SideTable", ("Book",)), ("Drawer", ("Book",)))
    guided, usual = pair(room(TWO_BOOKS, contents), skill("Do not revisit what was searched."))
    assert len(set(usual.actions)) < len(usual.actions)
    assert guided.won
    assert len(guided.actions) < len(usual.actions)
    shelf_visits = [action for action in guided.actions if "shelf" in action]
    assert len(shelf_visits) == len(set(shelf_visits)) == 14


@pytest.mark.parametrize(
    ("principle", "action"),
    [
        ("Open the microwave, put the food inside, and then heat it.", "open microwave 1"),
        ("Examine the object before placing it.", "examine egg 1"),
        ("Check your inventory.", "inventory"),
        ("Always close a container after searching it.", "close cabinet 1"),
    ],
)
def test_needless_care_costs_a_step_and_is_cited_there(principle: str, action: str) -> None:
    guided, usual = pair(room(HEAT_EGG, KITCHEN), skill(principle))
    assert guided.won
    assert action not in usual.actions
    assert action in guided.actions
    assert len(guided.actions) > len(usual.actions)
    assert guided.actions.index(action) in guided.citing("set/skill_1")


def test_what_is_off_limits_until_held_is_searched_last() -> None:
    guided, usual = pair(
        room(
            HEAT_EGG,
            (("Cabinet", ()), ("Microwave", ()), ("Safe", ()), ("SinkBasin", ()), ("Fridge", ("Egg",))),
        ),
        skill(
            "Do not go to the microwave or destination until the target object is picked up.",
            "Without holding it.",
        ),
    )
    assert usual.actions[0] == "go to sinkbasin 1"
    assert guided.actions[:2] == ("go to cabinet 1", "open cabinet 1")
    assert guided.won


def test_the_survey_sees_everything_before_it_takes_anything() -> None:
    guided, _ = pair(room(MUG_TO_DESK, BEDROOM), skill("Search every location before picking anything up."))
    assert guided.won
    taken = guided.actions.index("take mug 1 from sidetable 1")
    assert {f"go to {name} 1" for name in ("bed", "desk", "drawer", "shelf", "sidetable")} <= set(
        guided.actions[:taken]
    )


def test_likely_places_come_first() -> None:
    guided, usual = pair(room(CD_IN_LIGHT, BEDROOM), skill("Begin the search at the most likely places."))
    assert (usual.actions[0], guided.actions[0]) == ("go to bed 1", "go to desk 1")


def test_the_lamp_is_used_at_once_where_the_skill_says_so() -> None:
    guided, usual = pair(room(CD_IN_LIGHT, BEDROOM), skill("Use the desklamp as soon as you reach it."))
    assert usual.actions[:2] == ("go to bed 1", "go to desk 1")
    assert guided.actions[2] == "use desklamp 1"
    assert guided.citing("set/skill_1") == (2,)
    assert guided.actions[-1] == "go to desk 1"


@pytest.mark.parametrize(
    "principle", ["Be polite.", "Reflect on the goal.", "After heating, go straight to the destination."]
)
@pytest.mark.parametrize("goal", [COOL_BREAD, HEAT_EGG])
def test_a_skill_that_changes_no_action_is_never_cited(principle: str, goal: Goal) -> None:
    guided, usual = pair(room(goal, KITCHEN), skill(principle))
    assert guided == usual


@pytest.mark.parametrize(
    ("condition", "in_force"),
    [
        ("", True),
        ("When food is wanted", True),
        ("In a bathroom", False),
        ("While holding the object", False),
    ],
)
def test_a_directive_is_in_force_only_where_its_condition_holds(condition: str, in_force: bool) -> None:
    guided, usual = pair(
        room(HEAT_EGG, KITCHEN), skill("Search closed containers before surfaces.", condition)
    )
    assert (guided != usual) is in_force


def test_two_objects_end_up_in_the_same_place_even_where_each_lies_in_one() -> None:
    goal = Goal("pick_two_obj_and_place", "Book", "Shelf")
    assert play(room(goal, (("Bed", ()), ("Shelf", ("Book",)), ("Shelf", ("Book",))))).won


def test_an_object_that_is_where_it_should_be_stays_and_the_other_joins_it() -> None:
    goal = Goal("pick_two_obj_and_place", "Book", "Shelf")
    played = play(room(goal, (("Bed", ()), ("Shelf", ("Book",)), ("Shelf", ()), ("SideTable", ("Book",)))))
    assert played.won
    assert [action for action in played.actions if action.startswith("take")] == [
        "take book 1 from sidetable 1"
    ]


def test_what_was_spent_on_a_place_is_forgotten_once_its_contents_are_seen() -> None:
    closed = Exchange("You are in the middle of a room.", "go to safe 1")
    opened = Exchange("You arrive at safe 1. The safe 1 is closed.", "open safe 1")
    seen = "You open the safe 1. The safe 1 is open. In it, you see a pen 1."
    assert belief_of(Situation(opened.observation, (), (closed,))).tried == {"safe 1": 1}
    assert belief_of(Situation(seen, (), (closed, opened))).tried == {}


def test_a_decision_follows_from_the_transcript_alone() -> None:
    played = play(room(TWO_BOOKS, BEDROOM))
    for situation, decision in zip(played.situations, played.decisions, strict=True):
        assert household_agent(None, 0).decide(situation) == decision


def test_a_run_is_taken_over_from_a_history_that_the_agent_did_not_choose() -> None:
    game = room(COOL_BREAD, KITCHEN)
    holding_a_knife = attrs.evolve(
        game.configuration.state,
        holding=next(t.id for t in game.configuration.household.things if t.type == "Knife"),
    )
    places = frozenset(pair for pair in holding_a_knife.places if pair[0] != holding_a_knife.holding)
    state = attrs.evolve(holding_a_knife, places=places)
    played = play(attrs.evolve(game, configuration=attrs.evolve(game.configuration, state=state)))
    assert "move knife 1 to countertop 1" in played.actions
    assert played.won


def test_an_agent_that_starts_at_a_receptacle_is_shown_no_list_and_still_finds_its_way() -> None:
    played = play(room(COOL_BREAD, KITCHEN, start="loc|3|0|0|30"))
    assert "You are facing the fridge 1" in played.situations[0].observation
    assert played.won


def test_the_seed_decides_only_where_places_of_a_type_begin() -> None:
    contents = (("Bed", ()), *(("Drawer", ()) for _ in range(3)), ("Desk", ()))
    orders = [
        [
            action
            for action in play(room(MUG_TO_DESK, contents), seed=seed).actions
            if action.startswith("go to")
        ][:5]
        for seed in range(3)
    ]
    assert orders[0] == ["go to bed 1", "go to desk 1", "go to drawer 1", "go to drawer 2", "go to drawer 3"]
    assert [order[2:] for order in orders[1:]] == [
        ["go to drawer 2", "go to drawer 3", "go to drawer 1"],
        ["go to drawer 3", "go to drawer 1", "go to drawer 2"],
    ]


def test_where_everything_was_searched_twice_the_agent_looks_around_and_stays() -> None:
    played = play(room(MUG_TO_DESK, (("Bed", ()), ("Desk", ()), ("Shelf", ()))), limit=12)
    assert not played.won
    assert played.actions[:6] == ("go to bed 1", "go to desk 1", "go to shelf 1") * 2
    assert set(played.actions[6:]) == {"look"}


def test_a_door_that_does_not_open_is_given_up() -> None:
    intro = (
        "You are in the middle of a room. Looking quickly around you, you see a bed 1, a desk 1, a safe 1."
        "\n\nYour task is to: put a mug in desk."
    )
    seen = (
        *((intro, "go to bed 1"), ("You arrive at bed 1. On the bed 1, you see nothing.", "go to desk 1")),
        ("You arrive at desk 1. On the desk 1, you see nothing.", "go to safe 1"),
    )
    past = [Exchange(*exchange) for exchange in seen]
    commands = ("examine safe 1", "go to bed 1", "go to desk 1", "look")
    agent = household_agent(None, 0)
    actions = []
    for _ in range(6):
        actions.append(agent.decide(Situation("The safe 1 is closed.", commands, tuple(past))).action)
        past.append(Exchange("The safe 1 is closed.", actions[-1]))
    assert actions == [*("examine safe 1",) * 3, *("go to bed 1",) * 3]


COMMANDS = st.sampled_from(
    (
        *(
            "look",
            "inventory",
            "help",
            "go to desk 1",
            "go to drawer 1",
            "open drawer 1",
            "close drawer 1",
            "use cd 1",
        ),
        *(
            "take mug 1 from desk 1",
            "move mug 1 to desk 1",
            "examine mug 1",
            "examine desk 1",
            "use desklamp 1",
        ),
        *("heat mug 1 with microwave 1", "take", "go to", "examine", "⚠"),
    )
)
TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        (
            "You are in the middle of a room. Looking quickly around you, you see a desk 1, and a drawer 1."
            "\n\nYour task is to: put two mug in desk.",
            "Your task is to: heat some mug and put it in drawer.",
            "Your task is to: look at mug under the desklamp.",
            *(
                "You arrive at desk 1. On the desk 1, you see a mug 1, and a desklamp 1.",
                "The drawer 1 is closed.",
            ),
            *(
                "You pick up the mug 1 from the desk 1.",
                "You move the mug 1 to the desk 1.",
                "Nothing happens.",
            ),
        )
    ),
)
SKILLS = st.sampled_from(
    (
        *(
            "Activate the appliance first, then fetch the object.",
            "Use the desklamp as soon as you reach it.",
        ),
        *(
            "Search every location before picking anything up.",
            "Always close a container after searching it.",
        ),
        *(
            "Examine the object before placing it.",
            "Do not revisit what was searched.",
            "Check your inventory.",
        ),
    )
)


@given(
    TEXTS,
    st.lists(COMMANDS, min_size=1, unique=True),
    st.lists(st.builds(Exchange, TEXTS, st.one_of(COMMANDS, st.text(max_size=9))), max_size=12),
    SKILLS,
)
def test_every_action_is_admissible_whatever_the_transcript_says(
    observation: str, admissible: list[str], past: list[Exchange], principle: str
) -> None:
    situation = Situation(observation, tuple(admissible), tuple(past))
    for guidance in (None, skill(principle)):
        assert household_agent(guidance, 3).decide(situation).action in admissible


def test_runs_are_the_same_in_processes_that_hash_differently() -> None:
    script = (
        "from agent_games import play, room\n"
        "from test_agent_policy import BEDROOM, KITCHEN, COOL_BREAD, HEAT_EGG, TWO_BOOKS, skill\n"
        "s = skill('Start with the fridge and the desk. Do not revisit. Begin at likely places.')\n"
        "print([play(room(goal, place), s).decisions for goal, place in\n"
        "    ((COOL_BREAD, KITCHEN), (HEAT_EGG, KITCHEN), (TWO_BOOKS, BEDROOM))])"
    )
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
