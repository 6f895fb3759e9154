"""Every program of the library under 20 seeds: compiled, saved, and won in the official environment.

Run `python benchmarks/compile_specs.py [SEEDS [PROGRAM ...]]`. The whole takes about an hour, nearly all of
it in ALFWorld's `AlfredTWEnv`, which collects each program's games from its folder, loads them and plays
their plans. Ends with exit code 1 if a program gives fewer scenarios than seeds, two scenarios pose the
same, a game is not collected, or a plan does not win.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import attrs

from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import Environments, compile_source
from skillsandbox.compiler.lowerer import lower, save
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.alfworld import environment
from skillsandbox.envs.alfworld.lowering import GAME_FILE

PROGRAMS = Path(__file__).parents[1] / "specs" / "alfworld"
TEMPLATE = "template"
SEEDS = 20
PROCESSES = 2
NOTHING_HAPPENS = "Nothing happens."


@attrs.frozen
class Compilation:
    """What compiling a program gave: its scenarios, seconds for each seed, and what was wrong."""

    scenarios: tuple[Scenario, ...]
    seconds: tuple[float, ...]
    faults: tuple[str, ...]


@attrs.frozen
class Figures:
    """What came of one program; `playing` has the seconds that each game took, loading included."""

    name: str
    digests: tuple[str, ...]
    plans: tuple[int, ...]
    collected: int
    won: int
    compiling: tuple[float, ...]
    playing: tuple[float, ...]
    faults: tuple[str, ...]


def measure(path: Path, seeds: int, root: Path) -> Figures:
    """Compile a program under each seed, save the scenarios, and play their plans officially."""
    compilation = compiled(path, seeds, {"alfworld": environment})
    commands = {
        save(lower(one, environment()), root / path.stem) / GAME_FILE: (*one.history, *one.plan)
        for one in compilation.scenarios
    }
    # ALFWorld reads the command line when it is imported, and reports its progress.
    sys.argv = sys.argv[:1]
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        played = dict(play(root / path.stem, commands))
    lost = [str(game) for game, (won, _) in played.items() if not won]
    return Figures(
        name=path.stem,
        digests=tuple(one.digest for one in compilation.scenarios),
        plans=tuple(len(one.plan) for one in compilation.scenarios),
        collected=len(played),
        won=len(played) - len(lost),
        compiling=compilation.seconds,
        playing=tuple(seconds for _, seconds in played.values()),
        faults=(*compilation.faults, *(f"{path.stem}: not won: {game}" for game in lost)),
    )


def compiled(path: Path, seeds: int, environments: Environments) -> Compilation:
    """Compile a program under each seed, novel against the scenarios of the seeds before."""
    scenarios: list[Scenario] = []
    seconds, faults = [], []
    source = Source(path.name, path.read_text("utf-8"))
    for seed in range(seeds):
        siblings = tuple(tuple(value for _, value in one.novelty) for one in scenarios)
        began = time.perf_counter()
        result = compile_source(source, environments, seed, Novelty(siblings=siblings))
        seconds.append(time.perf_counter() - began)
        scenarios += result.scenarios
        faults += [f"{path.stem}, seed {seed}: {one.code} {one.message}" for one in result.diagnostics]
    return Compilation(tuple(scenarios), tuple(seconds), tuple(faults))


def play(folder: Path, commands: Mapping[Path, Sequence[str]]) -> Iterator[tuple[Path, tuple[bool, float]]]:
    """Play each game that the official environment collects; yield whether it was won, and the seconds."""
    os.environ["ALFWORLD_DATA"] = str(folder)
    from alfworld.agents.environment.alfred_tw_env import AlfredTWEnv

    official = AlfredTWEnv(configuration(folder), train_eval="eval_out_of_distribution")
    games = {Path(file) for file in official.game_files}
    batch = official.init_env(batch_size=1)
    try:
        for _ in games:
            began = time.perf_counter()
            _, infos = batch.reset()
            game = Path(infos["extra.gamefile"][0])
            won = wins(batch, commands[game])
            yield game, (won, time.perf_counter() - began)
    finally:
        batch.close()


def wins(batch: Any, commands: Sequence[str]) -> bool:
    """Say whether every command does something and the last one wins."""
    won = False
    for command in commands:
        (observation,), _, _, infos = batch.step([command])
        won = infos["won"][0]
        if observation == NOTHING_HAPPENS:
            return False
    return won


def configuration(root: Path) -> dict[str, Any]:
    """Return the official configuration that collects all task types under a folder."""
    return {
        "dataset": {"eval_ood_data_path": str(root), "num_eval_games": 0},
        "env": {
            "task_types": [1, 2, 3, 4, 5, 6],
            "goal_desc_human_anns_prob": 0,
            "domain_randomization": False,
            "expert_type": "handcoded",
        },
        "general": {"training_method": "dqn"},
        "rl": {"training": {"max_nb_steps_per_episode": 30}},
    }


def table(figures: Sequence[Figures]) -> str:
    """Return the figures as a table, one row a program."""
    lines = [
        "| program | scenarios | distinct | collected | won | plan | compile, median | play, median |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in figures:
        shortest, longest = min(one.plans, default=0), max(one.plans, default=0)
        counts = (len(one.digests), len(set(one.digests)), one.collected, one.won)
        cells = [
            one.name,
            *map(str, counts),
            f"{shortest} to {longest}",
            f"{1000 * statistics.median(one.compiling):.0f} ms",
            f"{statistics.median(one.playing or [0]):.1f} s",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def summary(figures: Sequence[Figures], seeds: int) -> str:
    """Return the totals in a sentence."""
    digests = [digest for one in figures for digest in one.digests]
    return (
        f"{len(figures)} programs under {seeds} seeds: {len(digests)} scenarios, "
        f"{len(set(digests))} distinct, "
        f"{sum(one.collected for one in figures)} collected, {sum(one.won for one in figures)} won. "
        f"Compiling took {sum(sum(one.compiling) for one in figures):.0f} s, "
        f"the official environment {sum(sum(one.playing) for one in figures) / 60:.0f} min."
    )


def is_complete(figures: Sequence[Figures], seeds: int) -> bool:
    """Say whether each program gave a scenario for each seed, all distinct, all collected and all won."""
    digests = {digest for one in figures for digest in one.digests}
    won = all(one.won == one.collected == seeds for one in figures)
    return won and len(digests) == len(figures) * seeds and not any(one.faults for one in figures)


def main() -> int:
    """Measure all programs, or those that are named, and print the table."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    names = sys.argv[2:] or [path.stem for path in sorted(PROGRAMS.glob("*.scn")) if path.stem != TEMPLATE]
    with (
        tempfile.TemporaryDirectory(prefix="skillsandbox-") as folder,
        ProcessPoolExecutor(PROCESSES, max_tasks_per_child=1) as pool,
    ):
        tasks = [pool.submit(measure, PROGRAMS / f"{name}.scn", seeds, Path(folder)) for name in names]
        figures = []
        for number, task in enumerate(tasks, 1):
            figures.append(task.result())
            print(f"{number} of {len(tasks)} programs", file=sys.stderr)
    print(f"{table(figures)}\n\n{summary(figures, seeds)}")
    print("\n".join(fault for one in figures for fault in one.faults), file=sys.stderr)
    return 0 if is_complete(figures, seeds) else 1


if __name__ == "__main__":
    sys.exit(main())
