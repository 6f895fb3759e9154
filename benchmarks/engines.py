"""The native engine of ALFWorld beside the official one, on the same games and commands, in one run.

Run `python benchmarks/engines.py [--games N] [--plans N]`. Each official game is loaded in a process of its
own and played through TextWorld's own classes, as `AlfredTWEnv` sets them up. Times are processor times, so
that other work on the machine changes them little; memory is what Linux counts as resident.

What is printed: the median of a reset and of a step with its admissible commands, in both engines, and their
ratios; the memory of an open episode, and the time and memory of 10,000 open at once in one process; the
lengths of our plans against those of the official planner; and how long the verify pass takes for each
program in `specs/`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs

from skillsandbox.compiler.binder import Binder, Novelty, query_of
from skillsandbox.compiler.builder import Built, build
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import analyse
from skillsandbox.compiler.verifier import verify
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld import environment as alfworld
from skillsandbox.envs.alfworld.engine import Engine, NativeEpisode
from skillsandbox.envs.alfworld.household import Game, Goal
from skillsandbox.envs.alfworld.lowering import GAME_FILE, lower, write
from skillsandbox.envs.alfworld.solver import Plan, solve
from skillsandbox.envs.alfworld.store import open_store

PROGRAMS = Path(__file__).parents[1] / "specs" / "alfworld"
STEPS = 40
EPISODES = 10_000
UNLIMITED = 10**9
PATIENCE = 120
"""Seconds for which the official engine may work on a game; its planner can take hours."""

OFFICIAL = """
import io, json, sys, time
from contextlib import redirect_stdout
from pathlib import Path
import textworld
from alfworld.agents.environment.alfred_tw_env import AlfredDemangler
from textworld.envs import PddlEnv

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

game, commands, wants_plan = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3] == "plan"
env = AlfredDemangler(PddlEnv(textworld.EnvInfos(won=True, admissible_commands=True)), shuffle=False)
with redirect_stdout(io.StringIO()):
    before = resident()
    env.load(game)
    started = time.process_time()
    env.reset()
    reset = time.process_time() - started
    plan = None
    if wants_plan:
        inner = env.unwrapped
        plan = len(inner._pddl_state.replan(inner._entity_infos))
    steps = []
    for command in commands:
        started = time.process_time()
        env.step(command)
        steps.append(time.process_time() - started)
print(json.dumps({"reset": reset, "steps": steps, "memory": resident() - before, "plan": plan}))
"""


@attrs.frozen
class Official:
    """What the official engine did with one game; times in seconds, memory in bytes."""

    reset: float
    steps: tuple[float, ...]
    memory: int
    plan: int | None


def official(game: Game, commands: Sequence[str], what: str) -> Official:
    """Play commands, or ask for a plan, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="skillsandbox-") as folder:
        write(Path(folder), lower(game, ()))
        arguments = [str(Path(folder) / GAME_FILE), json.dumps(list(commands)), what]
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", OFFICIAL, *arguments],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
    data: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return Official(data["reset"], tuple(data["steps"]), data["memory"], data["plan"])


def games(number: int, seed: int) -> list[Game]:
    """Return solvable games in the default arrangements, all task types and scenes in turn."""
    draw = random.Random(seed)
    found: list[Game] = []
    while len(found) < number:
        for index, scene in enumerate(draw.sample(domain.SCENES, k=len(domain.SCENES))):
            game = _game(scene, domain.TASK_TYPES[(index + len(found)) % len(domain.TASK_TYPES)], draw)
            found += [game] if game else []
    return found[:number]


def _game(scene: str, task_type: str, draw: random.Random) -> Game | None:
    configuration = open_store().configuration(scene)
    things = sorted({thing.type for thing in configuration.household.things})
    places = sorted({receptacle.type for receptacle in configuration.household.receptacles})
    ends = sorted(domain.TOGGLEABLE & set(things)) if task_type == "look_at_obj_in_light" else places
    pairs = [(target, end) for target in things for end in ends]
    draw.shuffle(pairs)
    for target, end in pairs:
        game = Game(configuration, Goal(task_type, target, end), "do it")
        found = solve(Engine(game))
        if isinstance(found, Plan) and found.commands:
            return game
    return None


def wander(game: Game, seed: int) -> list[str]:
    """Return admissible commands drawn at random, as long as the game is open."""
    draw, engine = random.Random(seed), Engine(game)
    state, commands = engine.initial, []
    while len(commands) < STEPS and not engine.won(state):
        commands.append(draw.choice(engine.admissible(state)))
        outcome = engine.apply(state, commands[-1])
        assert outcome is not None
        state = outcome[0]
    return commands


def timed(action: Callable[[], object], repetitions: int) -> float:
    """Return the median processor time of an action, in seconds."""
    times = []
    for _ in range(repetitions):
        started = time.process_time()
        action()
        times.append(time.process_time() - started)
    return statistics.median(times)


def native_reset(game: Game) -> float:
    """Return the median time to open an episode and reset it; what the official reset does, ours does anew
    too.
    """

    def play() -> None:
        NativeEpisode(game).reset()

    return timed(play, 30)


def native_steps(game: Game, commands: Sequence[str]) -> list[float]:
    """Return the time of each step."""
    episode = NativeEpisode(game, step_limit=UNLIMITED)
    episode.reset()
    times = []
    for command in commands:
        started = time.process_time()
        episode.step(command)
        times.append(time.process_time() - started)
    return times


def compare_speed(number: int) -> None:
    """Print resets, steps and memory of both engines."""
    theirs, ours_reset, ours_steps = [], [], list[float]()
    for index, game in enumerate(games(number, 0)):
        commands = wander(game, index)
        theirs.append(official(game, commands, "play"))
        ours_reset.append(native_reset(game))
        ours_steps += native_steps(game, commands)
    their_step = statistics.median(step for one in theirs for step in one.steps)
    their_reset = statistics.median(one.reset for one in theirs)
    our_step, our_reset = statistics.median(ours_steps), statistics.median(ours_reset)
    print(f"{number} games, {len(ours_steps)} steps")
    for what, their, our in (("step", their_step, our_step), ("reset", their_reset, our_reset)):
        print(f"{what:6} official {their * 1e3:8.2f} ms, native {our * 1e3:.4f} ms: {their / our:.0f} times")
    memory = statistics.median(one.memory for one in theirs)
    print(f"memory official {memory / 1e6:.1f} MB for an episode, its load included")


def resident() -> int:
    """Return this process's resident memory in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def many_at_once() -> None:
    """Print what 10,000 episodes open at once in one process cost."""
    several = games(120, 1)
    before, started = resident(), time.process_time()
    episodes = [
        NativeEpisode(several[index % len(several)], step_limit=UNLIMITED) for index in range(EPISODES)
    ]
    frames = [episode.reset() for episode in episodes]
    opened = time.process_time() - started
    draw = random.Random(0)
    started = time.process_time()
    for episode, frame in zip(episodes, frames, strict=True):
        episode.step(draw.choice(frame.admissible))
    stepped = time.process_time() - started
    grown = resident() - before
    print(
        f"{EPISODES} episodes at once: {grown / EPISODES / 1e3:.1f} kB each, {grown / 1e6:.0f} MB in all; "
        f"opened and reset in {opened:.1f} s, one step of each in {stepped:.1f} s"
    )


def compare_plans(number: int) -> None:
    """Print how our plans compare in length with the official planner's, where it finds one in time."""
    kinds: Counter[str] = Counter()
    for game in games(number, 2):
        kinds[_compared(game)] += 1
        print(f"\r{kinds.total()} of {number} plans", end="", file=sys.stderr)
    print(
        f"plans on {number} games: {kinds['shorter']} shorter than the official planner's, "
        f"{kinds['equal']} as long, {kinds['longer']} longer; "
        f"on {kinds['unknown']} games it found none within {PATIENCE} s"
    )


def _compared(game: Game) -> str:
    ours = solve(Engine(game))
    assert isinstance(ours, Plan)
    try:
        theirs = official(game, (), "plan").plan
    except subprocess.TimeoutExpired:
        return "unknown"
    assert theirs is not None
    if len(ours.commands) == theirs:
        return "equal"
    return "longer" if len(ours.commands) > theirs else "shorter"


def verify_pass() -> None:
    """Print the median time of the verify pass over all programs of the library."""
    environment = alfworld()
    store, interface = environment.open_store(), environment.interface()
    times = []
    for path in sorted(PROGRAMS.glob("*.scn")):
        source = Source(path.name, path.read_text("utf-8"))
        for resolved in analyse(source, {environment.name: alfworld}).scenarios:
            binding = Binder(query_of(resolved, interface, Novelty()), interface, store).binding("0:0")
            assert binding is not None
            built = build(resolved.scenario, binding, environment, store, "0:0")
            if isinstance(built, Built):
                times.append(timed(lambda built=built: verify(built, environment, Novelty()), 5))
    print(
        f"verify pass of {len(times)} programs: median {statistics.median(times) * 1e3:.1f} ms, "
        f"longest {max(times) * 1e3:.1f} ms"
    )


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=30, help="games whose speed is compared")
    parser.add_argument("--plans", type=int, default=200, help="games whose plans are compared")
    arguments = parser.parse_args()
    verify_pass()
    many_at_once()
    compare_speed(arguments.games)
    compare_plans(arguments.plans)


if __name__ == "__main__":
    main()
