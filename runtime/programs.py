"""Reading scenario programs from files and standard input, and showing what is wrong with them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skillsandbox.compiler.diagnostics import Diagnostic, Severity, Source
from skillsandbox.compiler.parser import LARGEST_TEXT, decode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from skillsandbox.compiler.environment import Environment
    from skillsandbox.compiler.scenario import Scenario

Report = tuple[Source, Sequence[Diagnostic]]


def read_source(path: str) -> Source | Report:
    """Return the text of a file (`-`: standard input), or why it is none; ends the command if unreadable.

    A file is read only as far as a program may be long, so that a wrong file costs neither time nor memory.
    """
    name = "<stdin>" if path == "-" else path
    most = 4 * LARGEST_TEXT + 4
    try:
        if path == "-":
            data = sys.stdin.buffer.read(most)
        else:
            with Path(path).open("rb") as file:
                data = file.read(most)
    except OSError as error:
        raise click.BadParameter(f"{name}: {error.strerror or error}", param_hint="FILE") from error
    decoded = decode(data, name)
    return decoded if isinstance(decoded, Source) else (Source(name, ""), (decoded,))


def read_scenario(path: Path, environments: Mapping[str, Callable[[], Environment]]) -> Scenario:
    """Return the compiled scenario of a folder or manifest; ends the command where there is none."""
    from skillsandbox.compiler.manifest import ManifestError, load

    try:
        return load(path, environments)
    except ManifestError as error:
        raise click.ClickException(str(error)) from error


def show(reports: Iterable[Report], form: str) -> None:
    """Write diagnostics to standard output (`json`, `sarif`) or to standard error (`text`)."""
    if form == "json":
        click.echo(json.dumps([_data(report) for report in reports], indent=1, ensure_ascii=False))
    elif form == "sarif":
        click.echo(json.dumps(_sarif(reports), indent=1, ensure_ascii=False))
    else:
        _show_text(reports)


def _show_text(reports: Iterable[Report]) -> None:
    colour = sys.stderr.isatty()
    for source, diagnostics in reports:
        for diagnostic in diagnostics:
            from skillsandbox.compiler.rendering import to_terminal

            click.echo(to_terminal(diagnostic, source, colour=colour), err=True, color=colour)


def _sarif(reports: Iterable[Report]) -> dict[str, Any]:
    from importlib.metadata import version

    from skillsandbox.compiler.errors import all_kinds
    from skillsandbox.compiler.rendering import to_sarif

    found = {source: tuple(diagnostics) for source, diagnostics in reports}
    return to_sarif(found, all_kinds().values(), version("skillsandbox"))


def _data(report: Report) -> dict[str, Any]:
    from skillsandbox.compiler.rendering import to_data

    source, diagnostics = report
    return {"file": source.name, "diagnostics": [to_data(diagnostic, source) for diagnostic in diagnostics]}


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Say whether any diagnostic is an error rather than a warning."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


def tally(reports: Iterable[Report]) -> str:
    """Return how many errors and warnings there are, in words."""
    found = [diagnostic for _, diagnostics in reports for diagnostic in diagnostics]
    wrong = sum(diagnostic.severity is Severity.ERROR for diagnostic in found)
    return f"{counted(wrong, 'error')}, {counted(len(found) - wrong, 'warning')}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where there is not one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
