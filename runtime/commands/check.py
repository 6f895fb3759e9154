"""`skillsandbox check`."""

from __future__ import annotations

import click

from skillsandbox.compiler.driver import compile_source
from skillsandbox.compiler.environment import environments
from skillsandbox.runtime.programs import Report, counted, has_errors, read_source, show, tally


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option("--seed", default=0, show_default=True, help="Which of the data's answers is built.")
@click.option("--json", "form", flag_value="json", help="Print the diagnostics as JSON.")
@click.option("--sarif", "form", flag_value="sarif", help="Print the diagnostics as SARIF 2.1.0.")
def command(files: tuple[str, ...], seed: int, form: str | None) -> None:
    """Say what is wrong with scenario programs.

    Compiles every program of every FILE (`-` is standard input) up to its verification, for one seed, and
    reports all that was found. Nothing is written. Exit code 1 if there are errors.
    """
    installed = environments()
    reports: list[Report] = []
    valid = 0
    for path in files:
        source = read_source(path)
        if isinstance(source, tuple):
            reports.append(source)
            continue
        compiled = compile_source(source, installed, seed)
        reports.append((source, compiled.diagnostics))
        valid += len(compiled.scenarios)
    show(reports, form or "text")
    failed = has_errors(diagnostic for _, diagnostics in reports for diagnostic in diagnostics)
    if not form:
        click.echo(f"{counted(len(files), 'file')}: {counted(valid, 'valid scenario')}, {tally(reports)}")
    raise SystemExit(1 if failed else 0)
