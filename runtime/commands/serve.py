"""`skillsandbox serve`."""

from __future__ import annotations

from pathlib import Path
from wsgiref.types import WSGIApplication

import click

from skillsandbox.compiler.environment import Refused, environments
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.serving import Site, open_site
from skillsandbox.runtime.programs import read_scenario

_HIGHEST_PORT = 65_535


@click.command("serve")
@click.argument("scenario", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--port",
    type=click.IntRange(0, _HIGHEST_PORT),
    default=0,
    help="The port of this machine to serve at; by default any that is free.",
)
def command(scenario: Path, port: int) -> None:
    """Serve a compiled SCENARIO (its folder, or its scenario.json) to a browser on this machine.

    Prints the address, and answers until it is interrupted (Ctrl-C). Nothing is written, and no other machine
    is answered. Exit code 1 if the scenario's environment has no web site.
    """
    installed = environments()
    loaded = read_scenario(scenario, installed)
    try:
        application = loaded.task(installed[loaded.environment]()).site()
    except Refused as refusal:
        raise click.ClickException(str(refusal)) from refusal
    with _opened(application, port) as site:
        _introduce(loaded, site)
        try:
            site.run()
        except KeyboardInterrupt:
            click.echo()


def _opened(application: WSGIApplication, port: int) -> Site:
    try:
        return open_site(application, port=port)
    except OSError as error:
        raise click.BadParameter(
            f"port {port} cannot be had: {error.strerror or error}; leave the option out for a free one",
            param_hint="--port",
        ) from error


def _introduce(scenario: Scenario, site: Site) -> None:
    click.echo(f"{site.address}\n  {scenario.instruction}")
    if scenario.history:
        click.echo(f"An agent would start after: {', '.join(scenario.history)}")
    click.echo("Ctrl-C ends it.")
