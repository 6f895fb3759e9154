"""Rooms, games and runs that the tests of the household agent share."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

import attrs

from skillsandbox.compiler.environment import Decision, Exchange, Guidance, Situation
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.agent import household_agent
from skillsandbox.envs.alfworld.engine import Engine, NativeEpisode
from skillsandbox.envs.alfworld.household import (
    Configuration,
    Game,
    Goal,
    Household,
    Receptacle,
    State,
    Thing,
)

WORDINGS: Mapping[str, tuple[str, str]] = {
    "pick_and_place_simple": ("put a {0} in {1}", "put some {0} on {1}"),
    "look_at_obj_in_light": ("look at {0} under the {1}", "examine the {0} with the {1}"),
    "pick_clean_then_place_in_recep": ("put a clean {0} in {1}", "clean some {0} and put it in {1}"),
    "pick_heat_then_place_in_recep": ("put a hot {0} in {1}", "heat some {0} and put it in {1}"),
    "pick_cool_then_place_in_recep": ("put a cool {0} in {1}", "cool some {0} and put it in {1}"),
    "pick_two_obj_and_place": ("put two {0} in {1}", "find two {0} and put them in {1}"),
}
"""The official wordings of each task type."""

_TREATED = {
    "pick_clean_then_place_in_recep": (domain.CLEANABLE, domain.CLEANER),
    "pick_heat_then_place_in_recep": (domain.HEATABLE, domain.HEATER),
    "pick_cool_then_place_in_recep": (domain.COOLABLE, domain.COOLER),
}


def room(goal: Goal, contents: Sequence[tuple[str, Sequence[str]]], start: str = "loc|99|99|0|30") -> Game:
    """A room of the given receptacles (type, what is in it), each at a location of its own."""
    receptacles, things, places = [], [], set()
    for index, (kind, inside) in enumerate(contents):
        owner = kind.removesuffix("Basin")
        suffix = f"|{kind}" if owner != kind else ""
        place = Receptacle(
            f"{owner}|+{index:02}.00|+00.00|+00.00{suffix}",
            kind,
            f"loc|{index}|0|0|30",
            kind in domain.OPENABLE,
        )
        receptacles.append(place)
        for number, name in enumerate(inside):
            thing = Thing(f"{name}|+{index:02}.0{number}|+01.00|+00.00", name, name not in domain.TOGGLEABLE)
            things.append(thing)
            places.add((thing.id, place.id))
    household = Household(
        "FloorPlan1",
        tuple(sorted(receptacles, key=lambda one: one.id)),
        tuple(sorted(things, key=lambda one: one.id)),
        start,
    )
    return Game(Configuration(household, State(start, frozenset(places))), goal, worded(goal))


def worded(goal: Goal, variant: int = 0) -> str:
    return WORDINGS[goal.task_type][variant].format(goal.target.lower(), goal.destination.lower())


@attrs.frozen
class Played:
    """A run of the agent: what it saw and decided at each step, and whether it won."""

    won: bool
    situations: tuple[Situation, ...]
    decisions: tuple[Decision, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple(decision.action for decision in self.decisions)

    def citing(self, skill: str) -> tuple[int, ...]:
        return tuple(step for step, decision in enumerate(self.decisions) if skill in decision.rationale)


def play(game: Game, guidance: Guidance | None = None, seed: int = 0, limit: int = 30) -> Played:
    agent = household_agent(guidance, seed)
    situations: list[Situation] = []
    decisions: list[Decision] = []
    past: list[Exchange] = []
    with NativeEpisode(game, step_limit=limit) as episode:
        frame = episode.reset()
        while not frame.done:
            situation = Situation(frame.observation, frame.admissible, tuple(past))
            decision = agent.decide(situation)
            situations.append(situation)
            decisions.append(decision)
            past.append(Exchange(frame.observation, decision.action))
            frame = episode.step(decision.action)
    return Played(frame.won, tuple(situations), tuple(decisions))


def default_games(configuration: Configuration, seed: int) -> Iterator[Game]:
    """One game of each task type that ALFRED poses in this kind of room, with a goal drawn by the seed."""
    scene = configuration.household.scene
    for task_type in domain.TASK_TYPES:
        if domain.scene_kind(scene) in domain.scene_kinds(task_type):
            draw = random.Random(f"{scene} {task_type} {seed}")
            goals = list(_goals(configuration, task_type))
            draw.shuffle(goals)
            games = (Game(configuration, goal, worded(goal, draw.randrange(2))) for goal in goals)
            yield from _first_open(games)


def _goals(configuration: Configuration, task_type: str) -> Iterator[Goal]:
    household = configuration.household
    portable = [thing.type for thing in household.things if thing.pickupable]
    places = sorted({receptacle.type for receptacle in household.receptacles})
    lamps = sorted({thing.type for thing in household.things} & domain.TOGGLEABLE)
    able, tool = _TREATED.get(task_type, (frozenset(portable), places[0]))
    wanted = 2 if task_type == "pick_two_obj_and_place" else 1
    for target in sorted(set(portable) & able):
        if portable.count(target) >= wanted and tool in places:
            fitting = [place for place in places if domain.fits(target, place)]
            for destination in lamps if task_type == "look_at_obj_in_light" else fitting:
                yield Goal(task_type, target, destination)


def _first_open(games: Iterator[Game]) -> Iterator[Game]:
    """The first game whose goal does not hold at the start, if there is one."""
    for game in games:
        engine = Engine(game)
        if not engine.won(engine.initial):
            yield game
            return
