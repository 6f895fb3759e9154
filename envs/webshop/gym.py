"""WebShop in Gymnasium: `gymnasium.make("skillsandbox/WebShop-v0")`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from skillsandbox.compiler.environment import Episode
from skillsandbox.envs.gym import EpisodeEnv, Episodes, Options, scenario_episodes
from skillsandbox.envs.webshop.episode import ObservationMode, ShoppingEpisode
from skillsandbox.envs.webshop.goals import Goal, Split, draw, goal_at
from skillsandbox.envs.webshop.shops import official_goals, open_shop
from skillsandbox.envs.webshop.site import Shop
from skillsandbox.envs.webshop.store import open_store

GOAL_OPTION = "goal"
"""The option of `reset` that gives the number of the goal to play."""


def make(
    scenario: str | Path | None = None,
    observation_mode: str = "text",
    human: bool = True,
    split: str | None = None,
    render_mode: str | None = None,
) -> EpisodeEnv:
    """Return an environment that plays a compiled scenario, or without one the goals of the generated shop.

    `observation_mode` is `text`, `text_rich`, `html` or `url`. Goals are those that people worded or the
    synthetic ones, in the official order, all of them or a split: `test`, `eval` or `train`. A reset draws
    one, unless `options={"goal": number}` names it.

    Raises:
        ValueError: there is no such mode or split, or the split has no goals.
    """
    if scenario is not None:
        return environment_of(scenario_episodes(scenario), render_mode)
    mode = ObservationMode(_known(observation_mode, [one.value for one in ObservationMode]))
    shop = open_shop(open_store())
    goals = official_goals(shop, human=human)
    part = goals if split is None else _part(goals, split)
    return environment_of(goal_episodes(shop, part, mode), render_mode)


def _part(goals: Sequence[Goal], split: str) -> Sequence[Goal]:
    part = Split[_known(split, [one.name.lower() for one in Split]).upper()]
    if not part.of(goals):
        begins = f"the split {split!r} begins at goal {part.value[0]}"
        raise ValueError(f"{begins}, and there are {len(goals)} goals")
    return part.of(goals)


def _known(name: str, names: Sequence[str]) -> str:
    if name not in names:
        raise ValueError(f"there is no {name!r}: choose one of {', '.join(names)}")
    return name


def environment_of(episodes: Episodes, render_mode: str | None = None) -> EpisodeEnv:
    """Return an environment over shopping episodes: a purchase, of whatever, is their end."""
    return EpisodeEnv(
        episodes, lambda episode, frame: bool(getattr(episode, "purchased", frame.won)), render_mode
    )


def goal_episodes(shop: Shop, goals: Sequence[Goal], mode: ObservationMode) -> Episodes:
    """Return the episodes of a shop's goals."""

    def episode(random: Random, options: Options) -> Episode:
        number = options[GOAL_OPTION] if GOAL_OPTION in options else draw(goals, random)
        return ShoppingEpisode(shop, goal_at(goals, number), mode=mode, session=str(number))

    return episode
