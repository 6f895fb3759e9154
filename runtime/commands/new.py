"""`skillsandbox new`."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import click

from skillsandbox import specs
from skillsandbox.compiler.environment import environments


@click.command("new")
@click.argument("name")
@click.option(
    "--for", "environment_name", help="The environment to build in; by default the first that is installed."
)
def command(name: str, environment_name: str | None) -> None:
    """Write NAME.scn, a scenario program to start from."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise click.BadParameter(
            "a name is lower-case letters, digits and underscores, a letter first", param_hint="NAME"
        )
    installed = environments()
    environment = environment_name or next(iter(installed))
    if environment not in installed:
        raise click.BadParameter(f"installed here: {', '.join(installed)}", param_hint="--for")
    path = Path(f"{name}.scn")
    template = files(specs) / environment / specs.TEMPLATE
    if not template.is_file():
        raise click.ClickException(f"there is no program to start from for {environment}")
    text = template.read_text("utf-8").replace("my_scenario", name, 1)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise click.ClickException(f"{path} exists already; choose another name") from error
    except OSError as error:
        raise click.FileError(str(path), error.strerror or str(error)) from error
    click.echo(f"wrote {path}; now: skillsandbox check {path}")
