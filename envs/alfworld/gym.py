"""ALFWorld in Gymnasium: `gymnasium.make("skillsandbox/ALFWorld-v0")`."""

from __future__ import annotations

from pathlib import Path
from random import Random

from skillsandbox.compiler.environment import Episode
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.episode import STEP_LIMIT
from skillsandbox.envs.alfworld.household import Configuration, Game, Goal
from skillsandbox.envs.alfworld.store import open_store
from skillsandbox.envs.alfworld.task import HouseholdTask
from skillsandbox.envs.gym import EpisodeEnv, Options, scenario_episodes

PUT_TASK = "pick_and_place_simple"


def make(scenario: str | Path | None = None, render_mode: str | None = None) -> EpisodeEnv:
    """Return an environment that plays a compiled scenario, or without one a task that each reset draws.

    What is drawn is to put something that lies about in one of the 120 scenes where it is not yet.
    """
    return EpisodeEnv(
        _drawn_episode if scenario is None else scenario_episodes(scenario), render_mode=render_mode
    )


def _drawn_episode(random: Random, options: Options) -> Episode:
    return HouseholdTask(drawn_game(random)).episode((), STEP_LIMIT)


def drawn_game(random: Random) -> Game:
    """Return a game in the default arrangement of a scene, whose goal does not hold yet."""
    configuration = open_store().configuration(random.choice(domain.SCENES))
    target, destination = random.choice(_open_goals(configuration))
    instruction = f"put a {target.lower()} in {destination.lower()}"
    return Game(configuration, Goal(PUT_TASK, target, destination), instruction)


def _open_goals(configuration: Configuration) -> list[tuple[str, str]]:
    """The types of things and receptacles that belong together, in a scene where none is there yet."""
    household = configuration.household
    things = {thing.id: thing.type for thing in household.things}
    receptacles = {receptacle.id: receptacle.type for receptacle in household.receptacles}
    done = {(things[thing], receptacles[place]) for thing, place in configuration.state.places}
    movable = {thing.type for thing in household.things if thing.pickupable}
    pairs = ((target, place) for target in sorted(movable) for place in sorted(set(receptacles.values())))
    return [pair for pair in pairs if domain.fits(*pair) and pair not in done]
