"""What the household agent understands of ALFWorld's text."""

from __future__ import annotations

import pytest
from agent_games import WORDINGS
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.agent_text import Errand, errand_of, is_a, view_of

STATES = {"clean": "clean", "heat": "hot", "cool": "cool"}
THINGS = st.sampled_from(sorted(kind.lower() for kind in domain.PLACEABLE))
PLACES = st.sampled_from(sorted(kind.lower() for kind in domain.RECEPTACLE_TYPES))


@given(
    st.sampled_from(sorted(WORDINGS)),
    st.sampled_from((0, 1)),
    THINGS,
    PLACES,
    st.sampled_from(("desk", "floor")),
)
def test_both_official_wordings_of_all_six_task_types_are_understood(
    task_type: str, variant: int, thing: str, place: str, lamp: str
) -> None:
    looking = task_type == "look_at_obj_in_light"
    task = WORDINGS[task_type][variant].format(thing, f"{lamp}lamp" if looking else place)
    state = next((state for word, state in STATES.items() if word in task_type), "")
    expected = (
        Errand(thing, lamp=f"{lamp}lamp")
        if looking
        else Errand(thing, place, state, count=2 if task_type == "pick_two_obj_and_place" else 1)
    )
    assert errand_of(f"{task}.") == expected


@pytest.mark.parametrize(
    ("task", "errand"),
    [
        ("Place a chilled apple on the dining table.", Errand("apple", "diningtable", "cool")),
        ("wash the mug, then put it on a shelf", Errand("mug", "shelf", "clean")),
        ("warm up an egg and place it in the garbage can", Errand("egg", "garbagecan", "hot")),
        ("find some book and put it on bed", Errand("book", "bed")),
        ("Please move both pillows to the sofa", Errand("pillows", "sofa", count=2)),
        ("inspect the alarm clock by the light of the desk lamp", Errand("alarmclock", lamp="desklamp")),
        ("put a cool potato in microwave", Errand("potato", "microwave", "cool")),
    ],
)
def test_everyday_wordings_are_understood(task: str, errand: Errand) -> None:
    assert errand_of(task) == errand


@pytest.mark.parametrize("task", ["", "sing a song", "put", "UNKNOWN GOAL", "put a mug"])
def test_what_is_no_task_of_the_household_is_not_understood(task: str) -> None:
    assert errand_of(task) is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        *(("knife 1", "knives"), ("watch 2", "watches"), ("sinkbasin 1", "sink"), ("shelf 3", "shelves")),
        *(("sidetable 1", "nightstand"), ("countertop 2", "kitchen counter"), ("garbagecan 1", "trash can")),
    ],
)
def test_plurals_and_everyday_names_stand_for_the_official_types(name: str, words: str) -> None:
    assert is_a(name, words)
    assert not is_a("mug 1", words)


def test_an_intro_gives_the_task_and_the_places_in_their_order() -> None:
    view = view_of(
        "-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, "
        "you see a bed 1, a desk 2, a desk 1, and a drawer 10.\n\n"
        "Your task is to: look at cd under the desklamp."
    )
    assert view.listed == ("bed 1", "desk 2", "desk 1", "drawer 10")
    assert view.task == "look at cd under the desklamp."


def test_contents_are_told_from_closed_and_empty_places() -> None:
    surface = view_of("You arrive at desk 1. On the desk 1, you see a cd 1, and a pen 2.")
    assert (surface.arrived, surface.contents) == ("desk 1", {"desk 1": ("cd 1", "pen 2")})
    closed = view_of("You arrive at drawer 1. The drawer 1 is closed.")
    assert (closed.closed, closed.contents) == ({"drawer 1"}, {})
    empty = view_of("You open the drawer 1. The drawer 1 is open. In it, you see nothing.")
    assert (empty.opened, empty.contents) == ({"drawer 1"}, {"drawer 1": ()})
    assert view_of("You close the drawer 1.").closed == {"drawer 1"}


def test_what_stands_in_a_held_vessel_is_not_taken_for_a_place() -> None:
    assert view_of("This is a normal mug 1. In it, you see a spoon 1.").contents == {}


def test_deeds_are_read() -> None:
    assert view_of("You pick up the cd 1 from the desk 1.").taken == ("cd 1", "desk 1")
    assert view_of("You move the cd 1 to the safe 1.").moved == ("cd 1", "safe 1")
    assert view_of("You heat the egg 2 using the microwave 1.").changed == ("egg 2", "hot")
    assert view_of("You turn on the desklamp 1.").lit == "desklamp 1"
    assert view_of("You are not carrying anything.").carried == ()
    assert view_of("You are carrying: a egg 2.").carried == ("egg 2",)


WORDS = st.sampled_from(
    (
        *(
            "You",
            "arrive",
            "at",
            "the",
            "open",
            "closed.",
            "In",
            "On",
            "it,",
            "you see",
            "a",
            "nothing.",
            "\n",
        ),
        *(
            "Your task is to:",
            "put",
            "two",
            "mug",
            "1",
            "drawer 1",
            "carrying:",
            "facing",
            "turn on",
            "heat",
            ",",
        ),
    )
)


@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)))
def test_odd_text_is_read_without_complaint(text: str) -> None:
    view_of(text)
    errand_of(text)
