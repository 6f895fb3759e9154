"""`skillsandbox distill`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from skillsandbox.compiler.environment import Split
from skillsandbox.runtime import engines
from skillsandbox.runtime.complaints import complaining, continuable
from skillsandbox.runtime.distillation import Distillery, SourceRun, distil, run_inputs
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.models.estimate import PlannedCalls
from skillsandbox.runtime.models.options import ModelOptions, model_options
from skillsandbox.runtime.models.request import Role
from skillsandbox.runtime.programs import counted
from skillsandbox.runtime.progress import progress
from skillsandbox.runtime.react import EVIDENCE_TEMPERATURE
from skillsandbox.runtime.report import visible
from skillsandbox.runtime.skill_files import write_jsonl
from skillsandbox.runtime.skill_library import LibrarySkill
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
from skillsandbox.runtime.tasks import BuiltInPlayer, TaskTable

NO_MODEL = (
    "a skill is distilled from a run by a language model, and none was chosen: give one with "
    "--model PROVIDER/NAME, or --model local; there is no stand-in for it"
)

RUN_TOKENS = (1900, 150)
"""What a run typically takes of the model that learns from it: tokens read and written."""


@click.command("distill")
@environment_option
@click.option(
    "--tasks",
    "number",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How many source tasks are played.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file of the skills; by default skills.jsonl in the run's folder.",
)
@click.option(
    "--built-in", is_flag=True, help="Let the built-in agent play; the model only writes the skills down."
)
@click.option("--prefix", default="", help="What the ids of the skills begin with, such as `alfworld/`.")
@click.option("--seed", default=0, show_default=True, help="Decides what the player and the model draw.")
@engines.option
@model_options
def command(
    environment_name: str,
    number: int,
    output: Path | None,
    built_in: bool,
    prefix: str,
    seed: int,
    engine: str | None,
    model_options: ModelOptions,
) -> None:
    """Play a benchmark's source tasks, and have a language model write down the skill that each run teaches.

    The skills are candidates: `verify` says which to keep. They are written as JSON Lines, each with the
    task and the run that it was learned from. The journal with every step is kept in a folder under
    `distilled/`. A run that was interrupted is continued by the same command, and one with more tasks goes on
    from one with fewer.
    """
    environment = named_environment(environment_name)
    plays = engines.chosen(environment, engine)
    if model_options.model is None:
        raise click.UsageError(NO_MODEL)
    if any(character.isspace() for character in prefix):
        raise click.BadParameter("an id has no white space in it", param_hint="--prefix")
    tasks = environment.tasks(Split.SOURCE)
    playing = number_of(tasks, number)
    chosen = {
        "tasks": tasks.version,
        "engine": plays,
        "seed": seed,
        "models": (model_options.model, model_options.api_base),
        "built-in": built_in,
        "prefix": prefix,
    }
    folder = run_folder("distilled", environment, Split.SOURCE, chosen)
    written = output or folder / "skills.jsonl"
    with complaining():
        with continuable(folder), seated(environment, model_options, folder, EVIDENCE_TEMPERATURE) as seats:
            player = BuiltInPlayer(environment) if built_in else seats.player
            table = TaskTable(environment, Split.SOURCE, tasks, plays, player, seed)
            runs = _learned(table, playing, prefix, seats, folder, concurrency(model_options))
            used = taken(seats)
        write_jsonl(written, [LibrarySkill(run.learned.skill) for run in runs if run.learned.skill])
    _tell(runs)
    click.echo(used)
    click.echo(f"{written}: candidates; now: skillsandbox verify {written} --environment {environment.name}")


def _learned(
    table: TaskTable, number: int, prefix: str, seats: Seats, folder: Path, threads: int
) -> tuple[SourceRun, ...]:
    assert seats.opened is not None
    distillery = Distillery(seats.opened.model, prefix)
    steps = 0 if isinstance(table.player, BuiltInPlayer) else number * table.environment.step_limit
    plan = (
        PlannedCalls(Role.EXECUTOR, steps, *STEP_TOKENS),
        PlannedCalls(Role.DISTILLER, number, *RUN_TOKENS),
    )
    foretell(plan, seats)
    with (
        open_journal(folder / "journal.jsonl", run_inputs(table, distillery)) as journal,
        progress("distilling", number) as advance,
    ):
        return distil(table, number, distillery, journal, threads, lambda run: advance(taken(seats)))


def _tell(runs: Sequence[SourceRun]) -> None:
    for run in runs:
        skill = run.learned.skill
        lesson = f"{skill.condition} → {skill.principle}" if skill else f"no skill: {run.learned.reason}"
        outcome = "solved" if run.trajectory.success else "not solved"
        click.echo(visible(f"{run.task} ({outcome}): {lesson}"))
    skills = sum(run.learned.skill is not None for run in runs)
    solved = sum(run.trajectory.success for run in runs)
    click.echo(f"{counted(skills, 'skill')} from {counted(len(runs), 'task')}, of which {solved} were solved")
