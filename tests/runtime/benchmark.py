"""A made-up benchmark for tests: corridors in which the lamp stands to the left, or mostly to the right.

To go right first loses the two tasks with the lamp at the left end, and wins the two with it at the right.

As a program, `python benchmark.py FOLDER` plays its tasks with a library of one skill, as the command would.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
from corridor import RIGHT, STEP_LIMIT, Corridor, Seeker

from skillsandbox.compiler.environment import Guidance, PosedTask, SourceTask, Split
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.retrieval import Retriever
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.solving import Shelf, Solving, TaskResult, run_inputs, solve
from skillsandbox.runtime.tasks import BuiltInPlayer, TaskTable

FAR = Skill("c/far", "The lamp is far away.", "Go right first.", "", "corridor")


@attrs.frozen
class Hall:
    """A task: a corridor of nine rooms with the lamp in one of them; counts its episodes."""

    lamp: int
    played: list[str]

    def episode(self, history: tuple[str, ...], step_limit: int, engine: str | None = None) -> Corridor:
        self.played.append(str(self.lamp))
        return Corridor(8, self.lamp)


@attrs.frozen
class Halls:
    """Ten tasks; the lamp of the first two is at the left end."""

    played: list[str] = attrs.field(factory=list)
    description: str = "10 halls"
    version: str = "1"

    def __len__(self) -> int:
        return 10

    def __getitem__(self, number: int) -> PosedTask:
        lamp = 0 if number < 2 else 5 + number % 4
        where = "near" if number % 2 else "far away"
        values = SourceTask({"Scene": frozenset({f"hall {number}"})})
        return PosedTask(f"hall-{number}", f"find the lamp, {where}", Hall(lamp, self.played), values)  # type: ignore[arg-type]


class HallEnvironment:
    """What of an environment playing needs."""

    name = "halls"
    step_limit = STEP_LIMIT
    memory = 5

    def agent(self, guidance: Guidance | None, seed: int) -> Seeker:
        return Seeker(guidance)


@attrs.frozen
class Words:
    """Embeds texts by whether they speak of what is near or far away."""

    identity: str = "two words"

    def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        return tuple((float("near" in text), float("far away" in text)) for text in texts)


SHELF = Shelf(Retriever((FAR, RIGHT), Words()), 1)


def table(halls: Halls, seed: int = 0) -> TaskTable:
    environment: Any = HallEnvironment()
    return TaskTable(environment, Split.HELD_OUT, halls, "native", BuiltInPlayer(environment), seed)


def solve_in(
    folder: Path,
    halls: Halls,
    number: int = 10,
    shelf: Shelf | None = SHELF,
    concurrency: int = 1,
    played: Callable[[TaskResult], None] = lambda result: None,
) -> Solving:
    """Play tasks with a journal in a folder."""
    at = table(halls)
    with open_journal(folder / "journal.jsonl", run_inputs(at, shelf)) as journal:
        return solve(at, number, shelf, journal, concurrency, played)


def announce(result: TaskResult) -> None:
    """Tell the parent process of a task that was played, and go on only when it says so."""
    print(result.name, flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    solve_in(Path(sys.argv[1]), Halls(), played=announce)
