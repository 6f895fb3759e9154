"""`skillsandbox grammar`."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from skillsandbox.compiler.environment import environments
from skillsandbox.compiler.files import write_whole
from skillsandbox.grammar.export import Form
from skillsandbox.runtime.grammars import exported


def _names(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in environments() if name.startswith(incomplete)]


@click.command("grammar")
@click.argument("environment", shell_complete=_names)
@click.option(
    "--for",
    "form",
    required=True,
    type=click.Choice([form.value for form in Form]),
    help="What is to read it.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write it to this file.")
def command(environment: str, form: str, output: Path | None) -> None:
    """Print the grammar of the scenario language for an ENVIRONMENT, for other programs to read.

    lark: for parsers that Lark makes, comments and all. gbnf: for llama.cpp. llguidance: for servers that
    decode with it. openai: the definition of a custom tool's grammar. The last three admit one scenario, laid
    out as `skillsandbox fmt` does it, without comments.
    """
    installed = environments()
    if environment not in installed:
        raise click.BadParameter(f"installed here: {', '.join(installed)}", param_hint="ENVIRONMENT")
    try:
        text = exported(installed[environment](), Form(form))
    except ValueError as error:
        raise click.ClickException(f"the grammar of {environment} cannot be exported: {error}") from error
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        write_whole(output, text)
    except OSError as error:
        raise click.FileError(str(output), error.strerror or str(error)) from error
