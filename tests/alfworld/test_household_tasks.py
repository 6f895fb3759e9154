"""ALFWorld's own tasks: which games are held out, which are sources, and what is drawn in place of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from alfworld_games import GOALS, kitchen

from skillsandbox.compiler.environment import Split, TaskSet, Unavailable
from skillsandbox.envs.alfworld import domain, environment, lowering
from skillsandbox.envs.alfworld.games import DATA_VARIABLE, GAMES_FOLDER
from skillsandbox.envs.alfworld.tasks import HELD_OUT


def names(tasks: TaskSet) -> list[str]:
    return [tasks[number].name for number in range(len(tasks))]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[Split, TaskSet]:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    return {split: environment().tasks(split) for split in Split}


def test_drawn_tasks_are_held_out_or_sources_and_never_both(drawn: dict[Split, TaskSet]) -> None:
    held_out, sources = (names(drawn[split]) for split in Split)
    assert len(held_out) == HELD_OUT
    assert len({*held_out, *sources}) == len(held_out) + len(sources)


def test_drawn_tasks_are_the_same_whenever_they_are_drawn(drawn: dict[Split, TaskSet]) -> None:
    again = environment().tasks(Split.HELD_OUT)
    assert names(again) == names(drawn[Split.HELD_OUT])
    assert again.version == drawn[Split.HELD_OUT].version != drawn[Split.SOURCE].version


def test_the_six_task_types_have_equal_shares_of_what_is_held_out(drawn: dict[Split, TaskSet]) -> None:
    types = [name.partition("-")[0] for name in names(drawn[Split.HELD_OUT])]
    assert {types.count(one) for one in domain.TASK_TYPES} == {HELD_OUT // 6, HELD_OUT // 6 + 1}


@pytest.mark.parametrize("split", list(Split))
def test_a_drawn_task_is_open_and_can_be_solved(split: Split, drawn: dict[Split, TaskSet]) -> None:
    for number in range(HELD_OUT):
        task = drawn[split][number].task
        assert not task.goal_holds()
        assert task.solve((), environment().step_limit)


def test_a_drawn_task_says_what_scenarios_must_differ_from(drawn: dict[Split, TaskSet]) -> None:
    posed = drawn[Split.HELD_OUT][1]
    task_type, target, _, lamp, number = posed.name.split("-")
    assert task_type == "look_at_obj_in_light"
    assert posed.instruction == f"look at {target.lower()} under the {lamp.lower()}"
    assert posed.values.values == {
        "Scene": {f"FloorPlan{number}"},
        "ObjectType": {target, lamp},
        "ReceptacleType": frozenset(),
    }


def official(root: Path, split: str, number: int, walkthrough: tuple[str, ...] | None = ("look",)) -> str:
    game = kitchen(GOALS[number])
    name = f"{split}/{lowering.folder_name(game)}/trial_{number}"
    lowering.write(root / name, lowering.lower(game, walkthrough))
    return name


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    return tmp_path / GAMES_FOLDER


def test_official_games_are_taken_where_they_are(root: Path) -> None:
    seen = {official(root, "valid_seen", number) for number in range(3)}
    train = official(root, "train", 4)
    held_out = environment().tasks(Split.HELD_OUT)
    assert set(names(held_out)) == seen
    assert names(environment().tasks(Split.SOURCE)) == [train]
    assert held_out.description == "3 official games of valid_seen"
    assert held_out[0].task.episode((), 30).reset().observation.endswith(f"{held_out[0].instruction}.")


def test_games_that_the_official_collector_drops_are_no_tasks(root: Path) -> None:
    kept = official(root, "valid_seen", 0)
    official(root, "valid_seen", 1, walkthrough=None)
    (root / "valid_seen/pick_and_place_with_movable_recep-Mug-Bowl-Desk-1/trial_0").mkdir(parents=True)
    sliced = root / "valid_seen/pick_heat_then_place_in_recep-AppleSliced-None-Fridge-1/trial_0"
    lowering.write(sliced, {lowering.GAME_FILE: json.dumps({"solvable": True})})
    damaged = root / "valid_seen/pick_and_place_simple-Mug-None-Desk-1/trial_damaged"
    lowering.write(damaged, {lowering.GAME_FILE: "{"})
    assert names(environment().tasks(Split.HELD_OUT)) == [kept]


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_without_games_is_said_to_be_one(root: Path, made: bool) -> None:
    if made:
        root.mkdir()
    with pytest.raises(Unavailable, match="alfworld-download"):
        environment().tasks(Split.HELD_OUT)


def test_a_game_that_has_gone_is_said_to_have_gone(root: Path) -> None:
    name = official(root, "valid_seen", 0)
    tasks = environment().tasks(Split.HELD_OUT)
    (root / name / lowering.GAME_FILE).unlink()
    with pytest.raises(Unavailable, match="cannot be read"):
        tasks[0]
