"""`skillsandbox completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of a SHELL; load it with: eval "$(skillsandbox completion bash)"."""
    from skillsandbox.runtime.cli import NAME, app

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(app, {}, NAME, f"_{NAME.upper()}_COMPLETE").source())
