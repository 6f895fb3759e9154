"""Lowered games in the official engine: every task type loads and is won, and its faults are contained."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from alfworld_games import (
    APPLE,
    FRIDGE,
    GOALS,
    LAMP,
    LOW_APPLE,
    LOWER_DRAWER,
    MICROWAVE,
    MUG,
    PLACES,
    kitchen,
)

from skillsandbox.envs.alfworld.engine import NativeEpisode
from skillsandbox.envs.alfworld.episode import EpisodeError
from skillsandbox.envs.alfworld.household import Game
from skillsandbox.envs.alfworld.lowering import GAME_FILE, PROBLEM_FILE, folder_name, lower, trial_name, write
from skillsandbox.envs.alfworld.official import OfficialEpisode

PLANS = {
    "pick_and_place_simple": ("go to shelf 1", "take mug 1 from shelf 1", "move mug 1 to desk 1"),
    "look_at_obj_in_light": (
        "go to countertop 1",
        "take apple 2 from countertop 1",
        "go to drawer 1",
        "use desklamp 1",
    ),
    "pick_clean_then_place_in_recep": (
        "go to countertop 1",
        "take apple 2 from countertop 1",
        "go to sinkbasin 1",
        "clean apple 2 with sinkbasin 1",
        "go to countertop 1",
        "move apple 2 to countertop 1",
    ),
    "pick_heat_then_place_in_recep": (
        "go to countertop 1",
        "take apple 2 from countertop 1",
        "go to microwave 1",
        "heat apple 2 with microwave 1",
        "go to fridge 1",
        "open fridge 1",
        "move apple 2 to fridge 1",
    ),
    "pick_cool_then_place_in_recep": (
        "go to countertop 1",
        "take apple 2 from countertop 1",
        "go to fridge 1",
        "cool apple 2 with fridge 1",
        "go to countertop 1",
        "move apple 2 to countertop 1",
    ),
    "pick_two_obj_and_place": (
        "go to countertop 1",
        "take apple 2 from countertop 1",
        "go to sinkbasin 1",
        "move apple 2 to sinkbasin 1",
        "go to fridge 1",
        "open fridge 1",
        "take apple 1 from fridge 1",
        "go to sinkbasin 1",
        "move apple 1 to sinkbasin 1",
    ),
}
"""How each game of the kitchen is won."""


def write_game(folder: Path, game: Game) -> Path:
    trial = folder / folder_name(game) / trial_name(game)
    write(trial, lower(game, PLANS[game.goal.task_type]))
    return trial / GAME_FILE


@pytest.fixture
def episode(tmp_path: Path) -> Iterator[OfficialEpisode]:
    with OfficialEpisode(write_game(tmp_path, kitchen()), step_limit=3) as episode:
        yield episode


def test_the_official_environment_collects_and_wins_a_game_of_every_task_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALFWORLD_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    from alfworld.agents.environment.alfred_tw_env import AlfredTWEnv

    files = {write_game(tmp_path, kitchen(goal)): goal for goal in GOALS}
    environment = AlfredTWEnv(configuration(tmp_path), train_eval="eval_out_of_distribution")
    assert {Path(file) for file in environment.game_files} == set(files)
    batch = environment.init_env(batch_size=len(files))
    try:
        observations, infos = batch.reset()
        plans = [PLANS[files[Path(file)].task_type] for file in infos["extra.gamefile"]]
        first = NativeEpisode(kitchen()).reset()
        assert {*observations} == {first.observation}
        assert {*map(tuple, infos["admissible_commands"])} == {first.admissible}
        won = list(infos["won"])
        for step in range(max(map(len, plans))):
            commands = [plan[step] if step < len(plan) else "look" for plan in plans]
            _, _, _, infos = batch.step(commands)
            won = [before or now for before, now in zip(won, infos["won"], strict=True)]
        assert all(won)
    finally:
        batch.close()


def configuration(data: Path) -> dict[str, Any]:
    return {
        "dataset": {"eval_ood_data_path": str(data), "num_eval_games": 0},
        "env": {
            "task_types": [1, 2, 3, 4, 5, 6],
            "goal_desc_human_anns_prob": 0,
            "domain_randomization": False,
            "expert_type": "handcoded",
        },
        "general": {"training_method": "dqn"},
        "rl": {"training": {"max_nb_steps_per_episode": 50}},
    }


def test_winning_ends_an_episode_with_reward_one(episode: OfficialEpisode) -> None:
    frames = [episode.reset(), *(episode.step(command) for command in PLANS["pick_and_place_simple"])]
    assert [(frame.won, frame.done, frame.reward) for frame in frames[:-1]] == [(False, False, 0.0)] * 3
    assert (frames[-1].won, frames[-1].done, frames[-1].reward) == (True, True, 1.0)


def test_the_step_limit_ends_an_episode_without_winning_it(episode: OfficialEpisode) -> None:
    episode.reset()
    frames = [episode.step(command) for command in ("look", "no such thing", "look")]
    assert [(frame.won, frame.done) for frame in frames] == [(False, False), (False, False), (False, True)]
    assert frames[1].observation == "Nothing happens."
    with pytest.raises(EpisodeError, match="is over"):
        episode.step("look")
    assert episode.reset().observation.startswith("-= Welcome to TextWorld, ALFRED! =-")
    assert not episode.step("look").done


def test_a_step_needs_a_reset(episode: OfficialEpisode) -> None:
    with pytest.raises(EpisodeError, match="reset it first"):
        episode.step("look")


def test_the_state_is_read_back_from_the_engine_s_facts(tmp_path: Path) -> None:
    places = (PLACES - {(MUG.id, "Shelf|+01.80|+00.54|-02.56")}) | {(APPLE.id, FRIDGE.id)}
    game = kitchen(
        location=FRIDGE.location,
        holding=MUG.id,
        places=places,
        opened=frozenset({MICROWAVE.id, LOWER_DRAWER.id}),
        hot=frozenset({APPLE.id}),
        cool=frozenset({LOW_APPLE.id}),
        clean=frozenset({MUG.id, APPLE.id}),
        toggled=frozenset({LAMP.id}),
        sliced=frozenset({APPLE.id}),
    )
    with OfficialEpisode(write_game(tmp_path, game)) as episode:
        assert episode.reset().state == game.configuration.state
        assert "move mug 1 to fridge 1" not in episode.step("look").admissible
        state = episode.step("open fridge 1").state
        assert state is not None
        assert state.opened == {MICROWAVE.id, LOWER_DRAWER.id, FRIDGE.id}
        state = episode.step("move mug 1 to fridge 1").state
        assert state is not None
        assert (state.holding, state.places) == (None, places | {(MUG.id, FRIDGE.id)})


def test_a_goal_that_nothing_can_satisfy_is_told(tmp_path: Path) -> None:
    game = kitchen(attrs.evolve(GOALS[0], target="Apple"))
    with (
        OfficialEpisode(write_game(tmp_path, game)) as episode,
        pytest.raises(EpisodeError, match="nothing in it can satisfy its goal"),
    ):
        episode.reset()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.replace("(:init", "(:unit"), "official engine cannot play"),
        (lambda text: text.replace("- location", "- place", 1), "official engine cannot play"),
        (lambda text: "", "official engine cannot play"),
    ],
)
def test_a_problem_that_the_engine_rejects_is_told_in_its_words(
    tmp_path: Path, damage: Any, message: str
) -> None:
    files = lower(kitchen(), ())
    problem = files[PROBLEM_FILE].replace("\n", "\\n")
    files[GAME_FILE] = files[GAME_FILE].replace(problem, damage(problem))
    write(tmp_path, files)
    with (
        OfficialEpisode(tmp_path / GAME_FILE) as episode,
        pytest.raises(EpisodeError, match=message) as caught,
    ):
        episode.reset()
    assert "pipe" not in str(caught.value)


def test_an_engine_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    with OfficialEpisode(write_game(tmp_path, kitchen()), timeout=0.001) as episode:
        with pytest.raises(EpisodeError, match="took more than"):
            episode.reset()
        with pytest.raises(EpisodeError, match="official engine ended"):
            episode.reset()


def test_closing_ends_the_process(tmp_path: Path) -> None:
    episode = OfficialEpisode(write_game(tmp_path, kitchen()))
    episode.close()
    with pytest.raises(EpisodeError, match="closed"):
        episode.reset()
    episode.close()


def test_the_caller_s_arguments_survive(episode: OfficialEpisode) -> None:
    before = list(sys.argv)
    episode.reset()
    assert sys.argv == before
