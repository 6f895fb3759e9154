"""The native engine of ALFWorld against the official one: every observation, command list and state compared.

Run `python benchmarks/alfworld_differential.py --steps 10000` (an hour or so: the official engine is slow).
Games come from all scenes and all six task types, with default arrangements that are then disturbed: doors
open, things hot, cold, clean, sliced, held, or in two places, lamps on, agents in front of something. With
`--official FOLDER`, games of the official data are added, as their own PDDL problems pose them. One command
in seven follows a shortest plan from where the game stands, the others are drawn at random, and some are
nonsense. `--steps 3600 --game 30` has a game in every scene.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import attrs

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.arrangement import arrange
from skillsandbox.envs.alfworld.engine import Engine, NativeEpisode
from skillsandbox.envs.alfworld.episode import Frame
from skillsandbox.envs.alfworld.household import Configuration, Game, Goal, State
from skillsandbox.envs.alfworld.layouts import read_layout
from skillsandbox.envs.alfworld.lowering import GAME_FILE, lower, write
from skillsandbox.envs.alfworld.official import OfficialEpisode
from skillsandbox.envs.alfworld.pddl import read_folder
from skillsandbox.envs.alfworld.solver import Plan, solve

STEPS_PER_GAME = 200
NEVER_OVER = 1_000_000
GUIDED_SHARE = 0.15
PATIENCE = 1800.0
NONSENSE = (
    "",
    "Look",
    "look.",
    "look around",
    "go to",
    "take  apple 1 from fridge 1",
    "put apple 1 in/on desk 1",
)

Source = tuple[Game, dict[str, str]]
"""A game and its official files."""


@attrs.frozen
class Difference:
    """Where the engines part: the commands up to there and what each of them shows."""

    commands: tuple[str, ...]
    official: Frame
    native: Frame


@attrs.frozen
class Comparison:
    """The commands given in one game, how many of them a plan gave, and where the engines parted, if so."""

    commands: tuple[str, ...]
    guided: int
    difference: Difference | None


def compare(source: Source, steps: int, seed: int) -> Comparison:
    """Play a game in both engines, with commands drawn by a seed."""
    game, files = source
    draw = random.Random(seed)
    commands: list[str] = []
    guided = 0
    with (
        tempfile.TemporaryDirectory(prefix="skillsandbox-") as folder,
        NativeEpisode(game, step_limit=NEVER_OVER) as native,
    ):
        write(Path(folder), files)
        with OfficialEpisode(Path(folder) / GAME_FILE, step_limit=NEVER_OVER, timeout=PATIENCE) as official:
            frames = official.reset(), native.reset()
            for _ in range(steps):
                if frames[0] != frames[1]:
                    break
                if frames[0].done:
                    frames = official.reset(), native.reset()
                    continue
                planned = _planned(game, frames[1]) if draw.random() < GUIDED_SHARE else None
                guided += planned is not None
                commands.append(planned or _drawn(frames[1], draw))
                frames = official.step(commands[-1]), native.step(commands[-1])
    done = tuple(commands)
    return Comparison(done, guided, None if frames[0] == frames[1] else Difference(done, *frames))


def _drawn(frame: Frame, draw: random.Random) -> str:
    chance = draw.random()
    if chance < 0.03:
        return draw.choice(NONSENSE)
    if chance < 0.6:
        deeds = [
            command for command in frame.admissible if not command.startswith(("go", "help", "inventory"))
        ]
        return draw.choice(deeds)
    return draw.choice(frame.admissible)


def _planned(game: Game, frame: Frame) -> str | None:
    """The first command of a shortest plan from here."""
    assert frame.state is not None
    here = Configuration(game.configuration.household, frame.state)
    found = solve(Engine(attrs.evolve(game, configuration=here)))
    return found.commands[0] if isinstance(found, Plan) and found.commands else None


def generated(scene: str, task_type: str, seed: int) -> Source | None:
    """A disturbed game of a task type in a scene, if any goal of the type can be reached there."""
    draw = random.Random(f"{scene}|{task_type}|{seed}")
    configuration = disturb(arrange(read_layout(scene), seed), draw)
    goals = list(_goals(configuration, task_type))
    draw.shuffle(goals)
    for goal in goals:
        game = Game(configuration, goal, "do what the goal says: it's one of six, if that helps")
        found = solve(Engine(game))
        if isinstance(found, Plan) and found.commands:
            return game, lower(game, found.commands)
    return None


def _goals(configuration: Configuration, task_type: str) -> Iterator[Goal]:
    household = configuration.household
    targets = sorted({thing.type for thing in household.things if thing.type in domain.PLACEABLE})
    lamps = {thing.type for thing in household.things if thing.type in domain.TOGGLEABLE}
    receptacles = {receptacle.type for receptacle in household.receptacles}
    destinations = lamps if task_type == "look_at_obj_in_light" else receptacles
    for target, destination in itertools.product(targets, sorted(destinations)):
        yield Goal(task_type, target, destination)


def disturb(configuration: Configuration, draw: random.Random) -> Configuration:
    """A configuration in which much has happened already."""
    household, state = configuration.household, configuration.state
    things = [thing.id for thing in household.things]
    places = set(state.places)
    for thing in draw.sample(things, k=min(3, len(things))):
        places.add((thing, draw.choice(household.receptacles).id))
    portable = [thing.id for thing in household.things if thing.pickupable]
    holding = draw.choice(portable) if portable and draw.random() < 0.4 else None
    locations = [household.start, *(receptacle.location for receptacle in household.receptacles)]
    vessels = [thing.id for thing in household.things if thing.type in domain.VESSELS]
    disturbed = State(
        location=draw.choice(locations) if draw.random() < 0.5 else household.start,
        places=frozenset(pair for pair in places if pair[0] != holding),
        holding=holding,
        opened=_some(draw, [receptacle.id for receptacle in household.receptacles if receptacle.openable]),
        clean=_some(draw, things),
        hot=_some(draw, things),
        cool=_some(draw, things),
        toggled=_some(draw, [thing.id for thing in household.things if thing.type in domain.TOGGLEABLE]),
        sliced=_some(draw, things),
    )
    nested = frozenset((draw.choice(things), vessel) for vessel in _some(draw, vessels))
    return Configuration(attrs.evolve(household, nested=nested), disturbed)


def _some(draw: random.Random, identifiers: list[str]) -> frozenset[str]:
    return frozenset(identifier for identifier in identifiers if draw.random() < 0.2)


def official_source(folder: Path) -> Source | None:
    """An official game as its own problem poses it, with the domain and texts of the installed ALFWorld.

    None for those that we do not read (sliced and movable tasks) and that the official planner cannot load,
    which are those without a plan.
    """
    try:
        game = read_folder(folder)
    except ValueError:
        return None
    if not isinstance(solve(Engine(game)), Plan):
        return None
    files = lower(game, ())
    problem = json.loads((folder / GAME_FILE).read_text(encoding="utf-8"))["pddl_problem"]
    files[GAME_FILE] = json.dumps({**json.loads(files[GAME_FILE]), "pddl_problem": problem})
    return game, files


def sources(seed: int, official: Path | None) -> Iterator[Source]:
    """Games without end: all scenes in a random order, the task types in turn, and official ones in between.

    Where a scene cannot have a task of the type whose turn it is, it has one of the next type that it can.
    """
    draw = random.Random(seed)
    folders = sorted(file.parent for file in official.rglob(GAME_FILE)) if official else []
    for turn in itertools.count():
        scenes = draw.sample(domain.SCENES, k=len(domain.SCENES))
        for scene, task_type in zip(scenes, itertools.cycle(domain.TASK_TYPES), strict=False):
            first = domain.TASK_TYPES.index(task_type)
            types = [*domain.TASK_TYPES[first:], *domain.TASK_TYPES[:first]]
            possible = filter(None, (generated(scene, one, seed + turn) for one in types))
            yield from itertools.islice(possible, 1)
            if folders and (played := official_source(draw.choice(folders))) is not None:
                yield played


def main() -> int:
    """Compare until the steps are used up; the exit status says whether the engines agreed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=2000, help="commands to give altogether")
    parser.add_argument("--game", type=int, default=STEPS_PER_GAME, help="commands to give in each game")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--official", type=Path, help="a folder of official games")
    arguments = parser.parse_args()
    verbs: Counter[str] = Counter()
    games: Counter[str] = Counter()
    scenes: set[str] = set()
    guided = 0
    for source in sources(arguments.seed, arguments.official):
        comparison = compare(source, arguments.game, arguments.seed)
        verbs.update(command.partition(" ")[0] or "(nothing)" for command in comparison.commands)
        games[source[0].goal.task_type] += 1
        scenes.add(source[0].configuration.household.scene)
        guided += comparison.guided
        if comparison.difference is not None:
            print(source[0].goal, *comparison.difference.commands, sep="\n")
            print(comparison.difference.official, comparison.difference.native, sep="\n")
            return 1
        print(f"\r{verbs.total()} commands in {games.total()} games", end="", file=sys.stderr)
        if verbs.total() >= arguments.steps:
            break
    drawn = verbs.total() - guided
    played = f"{games.total()} games in {len(scenes)} scenes"
    print(f"{drawn} commands drawn and {guided} guided in {played}: no difference", flush=True)
    for name, count in [*games.most_common(), *verbs.most_common()]:
        print(f"{count:8} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
