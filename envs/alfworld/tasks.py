"""ALFWorld's own tasks: the official games where they are on this machine, else drawn ones.

Drawn tasks are all that can be asked for in the scenes' default arrangements, of the six official types and
in their first wording. They are dealt in turn from the six types; the first 140 are held out, as many as
ALFWorld's `valid_seen` has games, and the others are those that skills come from.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import attrs

from skillsandbox.compiler.environment import PosedTask, SourceTask, Split, TaskSet, Unavailable
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.games import DATA_VARIABLE, GameError, games_root, read_game
from skillsandbox.envs.alfworld.household import Configuration, Game, Goal
from skillsandbox.envs.alfworld.lowering import GAME_FILE, folder_name
from skillsandbox.envs.alfworld.store import AlfworldStore
from skillsandbox.envs.alfworld.task import HouseholdTask

HELD_OUT = 140
"""How many drawn tasks are held out."""

SEED = 233
"""Shuffles the tasks, drawn or official."""

OFFICIAL_SPLITS: Mapping[Split, str] = {Split.HELD_OUT: "valid_seen", Split.SOURCE: "train"}
"""The official folders of games."""

_WORDINGS: Mapping[str, str] = {
    "pick_and_place_simple": "put a {} in {}",
    "look_at_obj_in_light": "look at {} under the {}",
    "pick_clean_then_place_in_recep": "put a clean {} in {}",
    "pick_heat_then_place_in_recep": "put a hot {} in {}",
    "pick_cool_then_place_in_recep": "put a cool {} in {}",
    "pick_two_obj_and_place": "put two {} in {}",
}
_TREATMENTS = (
    ("pick_clean_then_place_in_recep", domain.CLEANABLE, domain.CLEANER),
    ("pick_heat_then_place_in_recep", domain.HEATABLE, domain.HEATER),
    ("pick_cool_then_place_in_recep", domain.COOLABLE, domain.COOLER),
)


def tasks(split: Split, store: AlfworldStore) -> TaskSet:
    """Return the tasks of a split: official games if `ALFWORLD_DATA` names their folder, else drawn ones.

    Raises:
        Unavailable: the folder that the variable names has no games of the split.
    """
    return _official(split) if os.environ.get(DATA_VARIABLE) else _drawn(split, store)


@attrs.frozen
class _Tasks:
    """Tasks by their names, each from the function that reads or makes it."""

    description: str
    version: str
    _names: tuple[str, ...]
    _game: Callable[[str], Game]

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, number: int) -> PosedTask:
        name = self._names[number]
        game = self._game(name)
        return PosedTask(name, game.instruction, HouseholdTask(game), _values(game))


def _values(game: Game) -> SourceTask:
    goal = game.goal
    lamp = goal.destination in domain.TOGGLEABLE
    things = {goal.target, goal.destination} if lamp else {goal.target}
    return SourceTask(
        {
            "Scene": frozenset({game.configuration.household.scene}),
            "ObjectType": frozenset(things),
            "ReceptacleType": frozenset() if lamp else frozenset({goal.destination}),
        }
    )


def _version(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _official(split: Split) -> TaskSet:
    folder = OFFICIAL_SPLITS[split]
    try:
        root = games_root()
    except GameError as error:
        raise Unavailable(str(error)) from error
    names = sorted(_playable(root, folder))
    if not names:
        raise Unavailable(
            f"{root / folder} has no game that ALFWorld plays; run `alfworld-download`, or unset "
            f"{DATA_VARIABLE} to have tasks drawn"
        )
    Random(SEED).shuffle(names)
    description = f"{len(names)} official games of {folder}"
    return _Tasks(description, _version("official", *names), tuple(names), _read)


def _playable(root: Path, folder: str) -> Iterator[str]:
    """Yield the games that the official collector takes: of its six types, and known to be solvable."""
    for file in (root / folder).glob(f"*/*/{GAME_FILE}"):
        name = file.parent.relative_to(root).as_posix()
        task_type = file.parent.parent.name.partition("-")[0]
        dropped = any(word in name for word in domain.COLLECTOR_DROPS)
        if task_type in domain.TASK_TYPES and not dropped and _solvable(file):
            yield name


def _solvable(file: Path) -> bool:
    try:
        game: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(game, dict) and bool(game.get("solvable"))


def _read(name: str) -> Game:
    try:
        return read_game(name)
    except GameError as error:
        raise Unavailable(str(error)) from error


def _drawn(split: Split, store: AlfworldStore) -> TaskSet:
    games = {folder_name(game): game for game in dealt(all_games(store))}
    names = tuple(games)[:HELD_OUT] if split is Split.HELD_OUT else tuple(games)[HELD_OUT:]
    description = (
        f"{len(names):,} of {len(games):,} tasks drawn in ALFWorld's {len(domain.SCENES)} scenes "
        f"({DATA_VARIABLE} names no official games)"
    )
    return _Tasks(description, _version("drawn", store.data_version, *names), names, games.__getitem__)


def dealt(games: Iterable[Game]) -> Iterator[Game]:
    """Yield games one from each task type in turn, shuffled within it, as long as there are some of it."""
    piles: dict[str, list[Game]] = {task_type: [] for task_type in domain.TASK_TYPES}
    for game in games:
        piles[game.goal.task_type].append(game)
    for task_type, pile in piles.items():
        Random(f"{SEED}/{task_type}").shuffle(pile)
    for turn in zip_longest(*piles.values()):
        yield from (game for game in turn if game is not None)


def all_games(store: AlfworldStore) -> Iterator[Game]:
    """Yield every game that the scenes' default arrangements allow and that is not won from the start.

    As in ALFRED, a task type is posed in the kinds of room that suit it.
    """
    for scene in domain.SCENES:
        configuration = store.configuration(scene)
        for goal in _open_goals(configuration):
            if domain.scene_kind(scene) in domain.scene_kinds(goal.task_type):
                yield Game(configuration, goal, _wording(goal))


def _wording(goal: Goal) -> str:
    return _WORDINGS[goal.task_type].format(goal.target.lower(), goal.destination.lower())


def _open_goals(configuration: Configuration) -> Iterator[Goal]:
    household = configuration.household
    things = Counter(thing.type for thing in household.things if thing.pickupable)
    receptacles = {receptacle.type for receptacle in household.receptacles}
    lamps = {thing.type for thing in household.things} & domain.TOGGLEABLE
    most = _most_together(configuration)
    for target in sorted(things):
        yield from (Goal("look_at_obj_in_light", target, lamp) for lamp in sorted(lamps))
        for place in sorted(one for one in receptacles if domain.fits(target, one)):
            there = most[target, place]
            if there == 0:
                yield Goal("pick_and_place_simple", target, place)
            if there < 2 <= things[target]:
                yield Goal("pick_two_obj_and_place", target, place)
            for task_type, suitable, tool in _TREATMENTS:
                if target in suitable and tool in receptacles:
                    yield Goal(task_type, target, place)


def _most_together(configuration: Configuration) -> Counter[tuple[str, str]]:
    """Count how many things of a type lie in the one receptacle of a type that holds most of them."""
    household = configuration.household
    things = {thing.id: thing.type for thing in household.things}
    receptacles = {receptacle.id: receptacle.type for receptacle in household.receptacles}
    together = Counter((things[thing], place) for thing, place in configuration.state.places)
    most = Counter[tuple[str, str]]()
    for (thing, place), count in together.items():
        kinds = thing, receptacles[place]
        most[kinds] = max(most[kinds], count)
    return most
