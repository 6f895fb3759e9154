"""`skillsandbox play`."""

from __future__ import annotations

from pathlib import Path

import click

from skillsandbox.compiler.environment import Episode, Frame, environments
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.runtime import engines
from skillsandbox.runtime.programs import read_scenario

_HELP = "Type a command; `?` lists those that do something now, `quit` ends the game."


@click.command("play")
@click.argument("scenario", type=click.Path(exists=True, path_type=Path))
@engines.option
def command(scenario: Path, engine: str | None) -> None:
    """Play a compiled SCENARIO (its folder, or its scenario.json) in the terminal.

    Commands are read from standard input, one a line; Tab completes them. Exit code 0 however the game ends.
    """
    installed = environments()
    loaded = read_scenario(scenario, installed)
    environment = installed[loaded.environment]()
    episode = loaded.task(environment).episode(
        loaded.history, environment.step_limit, engines.chosen(environment, engine)
    )
    try:
        _play(loaded, episode, environment.step_limit)
    finally:
        episode.close()


def _play(scenario: Scenario, episode: Episode, limit: int) -> None:
    frame = episode.reset()
    for exchange in episode.history:
        click.echo(f"{exchange.observation}\n\n> {exchange.action}")
    click.echo(f"{frame.observation}\n\n{_HELP}")
    steps = 0
    while not frame.done:
        typed = _read(frame)
        if typed is None:
            click.echo("You left the game.")
            return
        if typed == "?":
            click.echo("\n".join(frame.admissible))
        elif typed:
            frame = episode.step(typed)
            steps += 1
            click.echo(frame.observation)
    if frame.won:
        click.echo(f"You won in {steps} steps. The shortest solution takes {len(scenario.plan)}.")
    else:
        click.echo(_lost(frame, steps, limit))


def _lost(frame: Frame, steps: int, limit: int) -> str:
    ended = f"The {limit} steps are over" if steps == limit else f"The game is over after {steps} steps"
    reward = f"; the reward is {frame.reward:.2f}" if frame.reward else ""
    return f"{ended}, and the task is not done{reward}."


def _read(frame: Frame) -> str | None:
    """Return what the player types, None at the end of the input or on `quit`."""
    _complete_with(frame.admissible)
    try:
        typed = input("> ").strip()
    except EOFError:
        click.echo()
        return None
    return None if typed == "quit" else typed


def _complete_with(commands: tuple[str, ...]) -> None:
    """Let Tab complete whole commands, where the platform has readline."""
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, state: int) -> str | None:
        matches = [one for one in commands if one.startswith(text)]
        return matches[state] if state < len(matches) else None

    readline.set_completer_delims("")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
