"""`skillsandbox export`."""

from __future__ import annotations

from pathlib import Path

import click

from skillsandbox.compiler.environment import Refused, environments
from skillsandbox.runtime.programs import read_scenario


@click.command("export")
@click.argument("scenario", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write to.",
)
def command(scenario: Path, output: Path) -> None:
    """Write a compiled SCENARIO (its folder, or its scenario.json) for the benchmark's own code to play.

    Says what is otherwise there than here. Exit code 1 if that code cannot play the scenario.
    """
    installed = environments()
    loaded = read_scenario(scenario, installed)
    task = loaded.task(installed[loaded.environment]())
    try:
        differences = task.export(loaded.history, loaded.plan, output)
    except Refused as refusal:
        raise click.ClickException(str(refusal)) from refusal
    except OSError as error:
        reason = error.strerror or str(error)
        raise click.BadParameter(f"{output} cannot be written: {reason}", param_hint="--output") from error
    click.echo(str(output))
    for line in differences:
        click.echo(f"  otherwise there: {line}")
