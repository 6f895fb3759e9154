"""`skillsandbox solve`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import attrs
import click
from rich.console import Console

from skillsandbox.compiler.environment import Environment, Split, TaskSet
from skillsandbox.runtime import engines, solve_report
from skillsandbox.runtime.complaints import complaining, continuable
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.models.estimate import PlannedCalls
from skillsandbox.runtime.models.options import ModelOptions, model_options
from skillsandbox.runtime.models.request import Role
from skillsandbox.runtime.progress import progress
from skillsandbox.runtime.react import HELD_OUT_TEMPERATURE
from skillsandbox.runtime.retrieval import TOP, Retriever
from skillsandbox.runtime.skill_library import LibrarySkill, read_library
from skillsandbox.runtime.solving import Shelf, Solving, TaskResult, run_inputs, solve
from skillsandbox.runtime.task_options import (
    STEP_TOKENS,
    Seats,
    concurrency,
    environment_option,
    foretell,
    named_environment,
    number_of,
    run_folder,
    seated,
    taken,
)
from skillsandbox.runtime.tasks import TaskTable


@click.command("solve")
@environment_option
@click.option(
    "--tasks", "number", type=click.IntRange(min=1), help="How many tasks of the split; all by default."
)
@click.option(
    "--split",
    type=click.Choice([split.value for split in Split]),
    default=Split.HELD_OUT.value,
    show_default=True,
    help="Which of the benchmark's own tasks: held-out ones, or those that skills are learned from.",
)
@click.option(
    "--library",
    type=click.Path(exists=True, path_type=Path),
    help="Skills to play with: a library, or any file or folder of skills.",
)
@click.option(
    "--top",
    default=TOP,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many skills are given for a task; the built-in agents take one.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="The run's folder; by default one under `solved/` that is named after what is played.",
)
@click.option("--seed", default=0, show_default=True, help="The agent's seed.")
@engines.option
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(
    environment_name: str,
    number: int | None,
    split: str,
    library: Path | None,
    top: int,
    output: Path | None,
    seed: int,
    engine: str | None,
    as_json: bool,
    model_options: ModelOptions,
) -> None:
    """Play a benchmark's own tasks, without skills and, given a library, with the skills most like each task.

    A language model plays at temperature 0; without one, the environment's built-in agent does. The run's
    folder gets report.json and the journal with every step. A run that was interrupted is continued by the
    same command, and one with more tasks goes on from one with fewer. Exit code 0 whatever is solved.
    """
    environment = named_environment(environment_name)
    plays = engines.chosen(environment, engine)
    tasks = environment.tasks(Split(split))
    playing = number_of(tasks, number)
    with complaining():
        skills = () if library is None else read_library(library)
        settings = _Settings(
            environment,
            Split(split),
            tasks,
            plays,
            seed,
            skills,
            top if model_options.model else 1,
            model_options,
        )
        folder = output or settings.folder
        solving, used = _solved(settings, playing, folder)
        evidence = {one.skill.id: one.evidence for one in skills if one.evidence is not None}
        report = solve_report.SolveReport(solving, evidence)
        path = solve_report.write_report(report, folder)
    if as_json:
        click.echo(path.read_text("utf-8"), nl=False)
        return
    click.echo(f"{tasks.description}, played by {model_options.model or 'the built-in agent'}")
    Console().print(*solve_report.tables(report), sep="")
    click.echo("".join(f"{line}\n" for line in (used, f"{path}: all figures") if line), nl=False)


@attrs.frozen
class _Settings:
    """What is played and with what."""

    environment: Environment
    split: Split
    tasks: TaskSet
    engine: str
    seed: int
    skills: tuple[LibrarySkill, ...]
    top: int
    models: ModelOptions

    @property
    def folder(self) -> Path:
        """Return the run's folder where a person names none."""
        chosen = {
            "tasks": self.tasks.version,
            "engine": self.engine,
            "seed": self.seed,
            "model": (self.models.model, self.models.api_base),
            "embeddings": (self.models.embedding_model, self.models.embedding_api_base),
            "skills": [(one.skill.id, one.skill.condition, one.skill.principle) for one in self.skills],
            "top": self.top,
        }
        return run_folder("solved", self.environment, self.split, chosen)


def _solved(settings: _Settings, number: int, folder: Path) -> tuple[Solving, str]:
    """Play, and return what came of it and what it took of the models, in words."""
    with (
        continuable(folder),
        seated(settings.environment, settings.models, folder, HELD_OUT_TEMPERATURE) as seats,
    ):
        table = TaskTable(
            settings.environment, settings.split, settings.tasks, settings.engine, seats.player, settings.seed
        )
        skills = tuple(one.skill for one in settings.skills)
        shelf = Shelf(Retriever(skills, seats.embedder), settings.top) if skills else None
        calls = number * (2 if shelf else 1) * settings.environment.step_limit
        foretell([PlannedCalls(Role.EXECUTOR, calls, *STEP_TOKENS)], seats)
        with (
            open_journal(folder / "journal.jsonl", run_inputs(table, shelf)) as journal,
            progress("solving", number) as advance,
        ):
            solved = Counter[str]()

            def played(result: TaskResult) -> None:
                advance(_standing(solved, result, seats))

            solving = solve(table, number, shelf, journal, concurrency(settings.models), played)
        return solving, taken(seats)


def _standing(solved: Counter[str], result: TaskResult, seats: Seats) -> str:
    """Count a task, and return the shares solved so far and what the model has taken, in words."""
    arms = {"without": result.without, "with": result.with_library}
    solved.update({name: int(run.success) for name, run in arms.items() if run})
    solved["tasks"] += 1
    rates = (f"{solved[name] / solved['tasks']:.0%} {name}" for name, run in arms.items() if run)
    return "; ".join(filter(None, [f"solved {', '.join(rates)}", taken(seats)]))
