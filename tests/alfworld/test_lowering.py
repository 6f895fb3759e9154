"""Lowered games: the same bytes for equal games, and refusal of what the official engine would mangle."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest
from alfworld_games import APPLE, GOALS, KNIFE, MIDDLE, PLACES, kitchen
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.envs.alfworld import lowering
from skillsandbox.envs.alfworld.household import Configuration, Goal, Thing
from skillsandbox.envs.alfworld.lowering import (
    escape,
    folder_name,
    instruction_faults,
    lower,
    trial_name,
    unescape,
    write,
)

IDENTIFIERS = st.from_regex(r"\A[A-Za-z]{1,12}(\|[+-]?\d\d\.\d\d){3}(\|[A-Za-z]+)?\Z")


@given(IDENTIFIERS)
def test_an_id_survives_its_escape(identifier: str) -> None:
    assert unescape(escape(identifier)) == identifier
    assert escape(identifier).replace("_", "").isalnum()


def test_equal_games_lower_to_equal_bytes_whatever_the_order_of_their_sets() -> None:
    game = kitchen()
    state = game.configuration.state
    reordered = attrs.evolve(state, places=frozenset(sorted(PLACES, reverse=True)))
    again = attrs.evolve(game, configuration=attrs.evolve(game.configuration, state=reordered))
    assert lower(game, ("look",)) == lower(again, ("look",))


def test_what_differs_in_play_differs_in_name() -> None:
    games = [kitchen(), kitchen(GOALS[1]), kitchen(location="loc|5|-6|2|30"), kitchen(clean={APPLE.id})]
    games.append(attrs.evolve(games[0], instruction="put a mug on desk"))
    assert len({trial_name(game) for game in games}) == len(games)


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.task_type)
def test_the_trajectory_says_what_the_official_experts_read(goal: Goal) -> None:
    game = kitchen(goal)
    trajectory = json.loads(lower(game, ())[lowering.TRAJECTORY_FILE])
    lamp = game.goal.task_type == "look_at_obj_in_light"
    assert trajectory["task_type"] == game.goal.task_type
    assert trajectory["pddl_params"] == {
        "object_target": game.goal.target,
        "parent_target": "" if lamp else game.goal.destination,
        "toggle_target": game.goal.destination if lamp else "",
        "mrecep_target": "",
        "object_sliced": False,
    }
    assert trajectory["scene"]["scene_num"] == 1
    assert trajectory["scene"]["init_action"]["x"] == 9 / 4
    assert trajectory["turk_annotations"]["anns"][0]["task_desc"] == game.instruction


def test_the_folder_is_named_as_the_official_ones() -> None:
    assert folder_name(kitchen()) == "pick_and_place_simple-Mug-None-Desk-1"
    assert folder_name(kitchen(GOALS[1])) == "look_at_obj_in_light-Apple-None-DeskLamp-1"


def test_a_game_without_a_plan_is_marked_unsolvable() -> None:
    assert json.loads(lower(kitchen(), None)[lowering.GAME_FILE])["solvable"] is False
    solvable = json.loads(lower(kitchen(), ("look",))[lowering.GAME_FILE])
    assert (solvable["solvable"], solvable["walkthrough"]) == (True, ["look"])


def test_a_held_thing_is_in_no_place_and_fills_the_hand() -> None:
    problem = lower(kitchen(holding=KNIFE.id, places=frozenset()), None)[lowering.PROBLEM_FILE]
    assert f"(holds agent1 {escape(KNIFE.id)})" in problem
    assert "(holdsAny agent1)" in problem


@pytest.mark.parametrize("character", list('"\\{}#[]|<>;\n\r\t\0\x7f\u2028\ud800'))
def test_characters_that_the_grammar_would_mangle_are_refused(character: str) -> None:
    text = f"put a {character} apple on the desk"
    assert len(instruction_faults(text)) == 1
    with pytest.raises(ValueError, match="instruction"):
        lower(attrs.evolve(kitchen(), instruction=text), None)


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_instruction_is_refused(text: str) -> None:
    assert instruction_faults(text) == ("the text is empty",)


@pytest.mark.parametrize(
    "text", ["it's 5% (at most): café ä “two”, please!", "see http://x.y/z?a=b&c=d ~ `é`"]
)
def test_ordinary_text_has_no_faults(text: str) -> None:
    assert instruction_faults(text) == ()


@pytest.mark.parametrize(
    ("identifier", "complaint"),
    [
        ("apple|-01.50|+00.93|+00.45", "ignores case"),
        ("Apple", "no ALFRED id"),
        ("An apple|1", "no ALFRED id"),
        ("Apple-2|1", "no ALFRED id"),
        ("Apple|(1)", "no ALFRED id"),
        ("Apple|a_bar_b", "escape"),
    ],
)
def test_ids_that_the_engine_cannot_tell_apart_or_name_are_refused(identifier: str, complaint: str) -> None:
    game = kitchen()
    house = game.configuration.household
    things = (*house.things, Thing(identifier, "Apple"))
    configuration = Configuration(attrs.evolve(house, things=things), game.configuration.state)
    with pytest.raises(ValueError, match=complaint):
        lower(attrs.evolve(game, configuration=configuration), None)


def test_files_are_written_whole_and_leave_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    files = lower(kitchen(), ("look",))
    write(folder, files)
    write(folder, files)
    assert {path.name: path.read_text() for path in folder.iterdir()} == files


def test_the_start_is_a_location_of_the_problem() -> None:
    assert f"{escape(MIDDLE)} - location" in lower(kitchen(), None)[lowering.PROBLEM_FILE]
