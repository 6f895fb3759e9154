"""The option by which a person chooses what plays."""

from __future__ import annotations

import click

from skillsandbox.compiler.environment import Environment

option = click.option("--engine", help="What plays: one of the environment's engines, by default its first.")


def chosen(environment: Environment, name: str | None) -> str:
    """Return the engine of a name, the environment's first for None; end the command where there is none."""
    if name is None:
        return environment.engines[0]
    if name not in environment.engines:
        has = ", ".join(environment.engines)
        raise click.BadParameter(
            f"{environment.name} has no engine {name!r}; it has: {has}", param_hint="--engine"
        )
    return name
