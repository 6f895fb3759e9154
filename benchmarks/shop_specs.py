"""Every WebShop program of the library under 20 seeds: compiled, saved, loaded again, bought by the oracle.

Run `python benchmarks/shop_specs.py [SEEDS [PROGRAM ...]]`; the whole takes some minutes. Of each scenario it
checks that its requirements hold, and that the oracle's purchase earns 1.0 within the step limit in an
episode; the built-in shopper then plays it without a skill. Ends with exit code 1 if a program gives fewer
scenarios than seeds, two scenarios pose the same, a requirement fails, or an oracle earns less.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import attrs
from compile_specs import compiled

from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.lowerer import lower, save
from skillsandbox.compiler.manifest import load
from skillsandbox.compiler.resolver import checks
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.webshop import environment
from skillsandbox.runtime.encounters import encountered
from skillsandbox.runtime.rollout import Trajectory, rollout

PROGRAMS = Path(__file__).parents[1] / "specs" / "webshop"
TEMPLATE = "template"
SEEDS = 20
ENVIRONMENTS = {"webshop": environment}


@attrs.frozen
class Played:
    """A scenario: what tells it from others, its plan's length, whether it holds, and the shopper's run."""

    digest: str
    plan: int
    holds: bool
    reward: float
    shopper: Trajectory
    encountered: bool


@attrs.frozen
class Figures:
    """What came of one program."""

    name: str
    played: tuple[Played, ...]
    compiling: tuple[float, ...]
    faults: tuple[str, ...]


def measure(path: Path, seeds: int, root: Path) -> Figures:
    """Compile a program under each seed, and play what was saved."""
    compilation = compiled(path, seeds, ENVIRONMENTS)
    folders = [save(lower(one, environment()), root / path.stem) for one in compilation.scenarios]
    played = tuple(play(load(folder, ENVIRONMENTS)) for folder in folders)
    return Figures(path.stem, played, compilation.seconds, compilation.faults)


def play(scenario: Scenario) -> Played:
    """Check a scenario's requirements, buy as the oracle does, and let the shopper play."""
    shop = environment()
    moment = shop.moment(scenario.configuration)
    requirements = checks(scenario.syntax(shop).require)
    trajectory = rollout(
        scenario.task(shop).episode(scenario.history, shop.step_limit),
        shop.agent(None, 0),
        None,
        shop.step_limit,
    )
    met = encountered(scenario, shop, trajectory.actions)
    return Played(
        digest=scenario.digest,
        plan=len(scenario.plan),
        holds=all(bool(evaluate(one.condition, scenario.binding, moment)) for one in requirements),
        reward=reward(scenario),
        shopper=trajectory,
        encountered=all(met.values()),
    )


def reward(scenario: Scenario) -> float:
    """Return what the oracle's purchase earns."""
    shop = environment()
    episode = scenario.task(shop).episode(scenario.history, shop.step_limit)
    frame = episode.reset()
    for command in scenario.plan:
        frame = episode.step(command)
    return frame.reward


def table(figures: Sequence[Figures]) -> str:
    """Return the figures as a table, one row a program."""
    lines = [
        "| program | scenarios | distinct | checks hold | oracle earns 1 | plan | compile, median "
        "| shopper solved | conditions arose |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for one in figures:
        plans = [each.plan for each in one.played] or [0]
        cells = [
            one.name,
            str(len(one.played)),
            str(len({each.digest for each in one.played})),
            str(sum(each.holds for each in one.played)),
            str(sum(each.reward == 1.0 for each in one.played)),
            f"{min(plans)} to {max(plans)}",
            f"{1000 * statistics.median(one.compiling):.0f} ms",
            f"{sum(each.shopper.success for each in one.played)}",
            f"{sum(each.encountered for each in one.played)}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def summary(figures: Sequence[Figures], seeds: int) -> str:
    """Return the totals in sentences."""
    played = [each for one in figures for each in one.played]
    solved = sum(each.shopper.success for each in played)
    return (
        f"{len(figures)} programs under {seeds} seeds: {len(played)} scenarios, "
        f"{len({each.digest for each in played})} distinct; the checks of {sum(one.holds for one in played)} "
        f"hold, and the oracle's purchase earns 1.0 in {sum(one.reward == 1.0 for one in played)}, within "
        f"{max(one.plan for one in played)} steps. Compiling took "
        f"{sum(sum(one.compiling) for one in figures):.0f} s. The shopper without a skill solved {solved}, "
        f"{100 * solved / len(played):.0f} %, in {steps(played):.1f} steps on average; the conditions arose "
        f"in {sum(one.encountered for one in played)} of its runs."
    )


def steps(played: Sequence[Played]) -> float:
    """Return how many steps the shopper takes on average where it solves the task."""
    return statistics.mean(len(one.shopper.steps) for one in played if one.shopper.success)


def is_complete(figures: Sequence[Figures], seeds: int) -> bool:
    """Say whether each program gave a sound scenario for each seed, all of them distinct."""
    played = [each for one in figures for each in one.played]
    sound = all(one.holds and one.reward == 1.0 and one.plan <= environment().step_limit for one in played)
    distinct = len({one.digest for one in played}) == len(figures) * seeds
    return sound and distinct and not any(one.faults for one in figures)


def main() -> int:
    """Measure all programs, or those that are named, and print the table."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    names = sys.argv[2:] or [path.stem for path in sorted(PROGRAMS.glob("*.scn")) if path.stem != TEMPLATE]
    with tempfile.TemporaryDirectory(prefix="skillsandbox-") as folder:
        figures = []
        for number, name in enumerate(names, 1):
            figures.append(measure(PROGRAMS / f"{name}.scn", seeds, Path(folder)))
            print(f"{number} of {len(names)} programs", file=sys.stderr)
    print(f"{table(figures)}\n\n{summary(figures, seeds)}")
    print("\n".join(fault for one in figures for fault in one.faults), file=sys.stderr)
    return 0 if is_complete(figures, seeds) else 1


if __name__ == "__main__":
    sys.exit(main())
