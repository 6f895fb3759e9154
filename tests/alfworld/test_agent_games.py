"""How the household agent fares on the default arrangements of ALFRED's scenes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest
from agent_games import Played, default_games, play

from skillsandbox.compiler.environment import Guidance
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.household import Game
from skillsandbox.envs.alfworld.store import open_store

PAGE = Path(__file__).parents[2] / "docs" / "household-agent.md"
TOLERANCE = 5


@pytest.fixture(scope="module")
def runs() -> list[tuple[Game, Played]]:
    store = open_store()
    games = [game for scene in domain.SCENES for game in default_games(store.configuration(scene), seed=0)]
    return [(game, play(game)) for game in games]


def test_the_documented_shares_are_those_of_the_agent(runs: list[tuple[Game, Played]]) -> None:
    documented = re.findall(
        r"^\| (\w+) \| (\d+) \| (\d+) % \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    results = _results(runs)
    assert [name for name, _, _ in documented] == [*domain.TASK_TYPES, "all"]
    for name, games, share in documented:
        assert len(results[name]) == int(games)
        assert 100 * sum(results[name]) / len(results[name]) == pytest.approx(int(share), abs=TOLERANCE)


def _results(runs: list[tuple[Game, Played]]) -> Mapping[str, list[bool]]:
    results: defaultdict[str, list[bool]] = defaultdict(list)
    for game, played in runs:
        for name in (game.goal.task_type, "all"):
            results[name].append(played.won)
    return results


def test_every_action_is_one_that_does_something(runs: list[tuple[Game, Played]]) -> None:
    for _, played in runs:
        for situation, decision in zip(played.situations, played.decisions, strict=True):
            assert decision.action in situation.admissible


def test_going_to_the_appliance_first_rarely_pays_where_the_object_is_elsewhere(
    runs: list[tuple[Game, Played]],
) -> None:
    guidance = Guidance(
        "set/skill_1",
        "The task needs a stationary appliance on a movable object that is somewhere else.",
        "Activate the stationary appliance first, then fetch the object.",
    )
    elsewhere = [(game, usual) for game, usual in runs[::3] if _is_treated_elsewhere(game) and usual.won]
    guided = [(play(game, guidance), usual) for game, usual in elsewhere]
    longer = [len(one.actions) > len(usual.actions) or not one.won for one, usual in guided]
    shorter = [one.won and len(one.actions) < len(usual.actions) for one, usual in guided]
    assert sum(longer) > 0.8 * len(guided)
    assert sum(shorter) < 0.1 * len(guided)


def _is_treated_elsewhere(game: Game) -> bool:
    tools = {"heat": domain.HEATER, "cool": domain.COOLER, "clean": domain.CLEANER}
    tool = next((tool for word, tool in tools.items() if word in game.goal.task_type), None)
    kinds = {receptacle.id: receptacle.type for receptacle in game.configuration.household.receptacles}
    held = {
        kinds[place]
        for thing, place in game.configuration.state.places
        if thing.startswith(f"{game.goal.target}|")
    }
    return tool is not None and tool not in held
