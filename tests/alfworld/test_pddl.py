"""Reading is the inverse of lowering, and what a game cannot express is refused."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest
from alfworld_games import APPLE, GOALS, MUG, SHELF, SINK, SPOON, kitchen, small_games
from hypothesis import given, settings

from skillsandbox.envs.alfworld.household import Game, Household, settled
from skillsandbox.envs.alfworld.lowering import GAME_FILE, PROBLEM_FILE, escape, lower, write
from skillsandbox.envs.alfworld.pddl import game_of, read_folder, read_game, read_instruction, read_problem


def as_read(game: Game) -> Game:
    """A game with what its files do not tell set as reading sets it."""
    household, state = game.configuration.household, game.configuration.state
    house: Household = attrs.evolve(household, start=state.location)
    configuration = attrs.evolve(game.configuration, household=house, state=settled(house, state))
    return attrs.evolve(game, configuration=configuration)


@settings(max_examples=60, deadline=None)
@given(small_games())
def test_a_lowered_game_is_read_back(game: Game) -> None:
    assert read_game(lower(game, None)[GAME_FILE], "FloorPlan1") == as_read(game)


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.task_type)
def test_a_folder_is_read_back_with_its_scene(tmp_path: Path, goal: object) -> None:
    lies = frozenset({(APPLE.id, SINK.location), (MUG.id, SHELF.location)})
    game = kitchen(goal, lies=lies)
    write(tmp_path, lower(game, ()))
    assert read_folder(tmp_path) == as_read(game)


def test_what_the_domain_never_asks_for_is_left_out() -> None:
    problem = lower(kitchen(), None)[PROBLEM_FILE]
    start, shelf, mug = (escape(name) for name in ("loc|9|9|0|30", SHELF.location, MUG.id))
    extra = f"""
        (= (total-cost) 0)
        (= (distance {start} {shelf}) 12) ; as the official generator writes it
        (wasInReceptacle {mug} {escape(SHELF.id)})
        (isOn {mug})
        (checked {shelf})
    """
    official = problem.replace("(:init\n", f"(:init{extra}\n").replace(
        "(:objects\n", "(:objects\n        Candle - object CandleType - otype\n"
    )
    assert official != problem
    assert game_of(read_problem(official), "put some mug on desk", "FloorPlan1") == as_read(kitchen())


def test_names_are_read_as_declared_whatever_the_case_elsewhere() -> None:
    problem = lower(kitchen(), None)[PROBLEM_FILE]
    shouted = problem.replace(f"(pickupable {escape(MUG.id)})", f"(PICKUPABLE {escape(MUG.id).upper()})")
    assert shouted != problem
    assert read_problem(shouted).facts == read_problem(problem).facts


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("(:init", "(:unit", "this is no PDDL problem of ALFWorld \\(line"),
        ("(:init", "(:init (:goal (and)) (", "this is no PDDL problem of ALFWorld"),
        ("(:init", "(:init (glows agent1)", "no predicate glows"),
        ("(:init", "(:init (opened agent2)", "agent2, which is not declared"),
        (f"(pickupable {escape(MUG.id)})", "(holdsAny agent1)", "hold"),
        (f"(isReceptacleObject {escape(MUG.id)})", "", "isReceptacleObject is not for Mug"),
        ("(:init", f"(:init (heatable {escape(SPOON.id)})", "heatable is not for Spoon"),
        ("(canContain DrawerType SpoonType)", "", "whether a Spoon fits in a Drawer"),
        (f"(objectType {escape(MUG.id)} MugType)", "", "gives Mug.* no type"),
        ("(receptacleType ?r DeskType)", "(receptacleType ?q DeskType)", "none of the six task types"),
        ("(inReceptacle ?o ?r)", "", "none of the six task types"),
        ("(atLocation agent1", "(examined", "no location"),
    ],
)
def test_what_is_not_a_game_of_ours_is_refused(old: str, new: str, complaint: str) -> None:
    problem = lower(kitchen(), None)[PROBLEM_FILE]
    assert old in problem
    with pytest.raises(ValueError, match=complaint):
        game_of(read_problem(problem.replace(old, new)), "put some mug on desk", "FloorPlan1")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"pddl_problem": ""}'])
def test_other_files_are_no_games(text: str) -> None:
    with pytest.raises(ValueError, match=r"no game\.tw-pddl"):
        read_game(text, "FloorPlan1")


def test_the_wording_is_that_of_the_grammar_s_task_rule() -> None:
    grammar = json.loads(lower(kitchen(), None)[GAME_FILE])["grammar"]
    assert read_instruction(grammar) == "put some mug on desk"
    with pytest.raises(ValueError, match="no rule for the task"):
        read_instruction(grammar.replace('"task"', '"tusk"'))
    with pytest.raises(ValueError, match="no grammar of texts"):
        read_instruction(grammar.replace("action look", "actions look"))
