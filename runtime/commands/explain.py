"""`skillsandbox explain`."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from skillsandbox.compiler.errors import all_kinds, explanation


def _codes(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(code, help=kind.__name__)
        for code, kind in all_kinds().items()
        if code.startswith(incomplete.upper())
    ]


@click.command("explain")
@click.argument("code", required=False, shell_complete=_codes)
def command(code: str | None) -> None:
    """Explain a diagnostic by its CODE (such as SCN301); without one, list them all."""
    kinds = all_kinds()
    if code is None:
        for name, kind in kinds.items():
            click.echo(f"{name}  {(kind.__doc__ or '').splitlines()[0]}")
        return
    found = kinds.get(code.upper())
    if found is None:
        raise click.BadParameter(
            f"there is no diagnostic {code!r}; `skillsandbox explain` lists them all", param_hint="CODE"
        )
    click.echo(explanation(found))
