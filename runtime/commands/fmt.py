"""`skillsandbox fmt`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import format_source
from skillsandbox.compiler.environment import environments
from skillsandbox.compiler.files import write_whole
from skillsandbox.runtime.programs import Report, counted, read_source, show


@click.command("fmt")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file is not in canonical form.")
def command(files: tuple[str, ...], check: bool) -> None:
    """Write scenario programs in their canonical form, comments kept.

    FILE `-` is standard input; its canonical form goes to standard output. A file with syntax errors is left
    alone, and the errors are reported, with exit code 1.
    """
    broken: list[Report] = []
    changed = []
    for path in files:
        source = read_source(path)
        if isinstance(source, tuple):
            broken.append(source)
            continue
        formatted = format_source(source, environments())
        if not isinstance(formatted, str):
            broken.append((source, formatted))
        elif path == "-" and not check:
            sys.stdout.write(formatted)
        elif formatted != source.text:
            changed.append(path)
            if not check:
                _rewrite(path, source, formatted)
    show(broken, "text")
    for path in changed:
        click.echo(f"{path} {'is not in canonical form' if check else 'formatted'}", err=True)
    if not changed and not broken and files != ("-",):
        click.echo(f"{counted(len(files), 'file')} in canonical form", err=True)
    raise SystemExit(1 if broken or (check and changed) else 0)


def _rewrite(path: str, source: Source, formatted: str) -> None:
    try:
        write_whole(Path(path), formatted)
    except OSError as error:
        raise click.FileError(source.name, error.strerror or str(error)) from error
