"""A world for runs that are killed: `python kills.py FOLDER RUNS` starts so many and kills each at random.

The runs have eight threads and folders named by number; `whole` is one that nobody kills.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from corridor import RIGHT, SILENT, Corridor, CorridorStage, verify_in

from skillsandbox.compiler.files import write_whole
from skillsandbox.runtime.results import Settings
from skillsandbox.runtime.skills import Source
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Refusal

SKILLS = (RIGHT, SILENT)
EIGHT = Settings(concurrency=8)
PADDING = " " * 10_000


class SavingStage(CorridorStage):
    """A corridor whose scenarios are files, as those of real environments are."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder / "scenarios"

    def compile(
        self, candidate: Candidate, siblings: Sequence[BuiltScenario], source: Source | None = None
    ) -> BuiltScenario | Refusal:
        built = super().compile(candidate, siblings, source)
        if isinstance(built, BuiltScenario):
            write_whole(self.folder / built.place, PADDING + built.place)
        return built

    def episode(self, scenario: BuiltScenario) -> Corridor:
        assert (self.folder / scenario.place).read_text() == PADDING + scenario.place
        return super().episode(scenario)


def run_in(folder: Path) -> SavingStage:
    """Verify in a folder; return the stage, which has counted what was done."""
    stage = SavingStage(folder)
    verify_in(folder, stage, EIGHT, skills=SKILLS)
    return stage


def kill_at_random(parent: Path, runs: int, run: Callable[[Path], object]) -> None:
    """Run as often, each time in a folder and a process of its own, which is killed at a random instant.

    Before that, run twice to the end: in `first`, which loads what the others find loaded, and in `whole`.
    """
    run(parent / "first")
    start = time.monotonic()
    run(parent / "whole")
    took = time.monotonic() - start
    for number in range(runs):
        _killed(lambda folder=parent / str(number): run(folder), Random(number).uniform(0, took))


def _killed(run: Callable[[], object], seconds: float) -> None:
    process = os.fork()
    if process == 0:
        run()
        os._exit(0)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


if __name__ == "__main__":
    kill_at_random(Path(sys.argv[1]), int(sys.argv[2]), run_in)
