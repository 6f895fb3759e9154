"""The command line.

Exit codes: 0 all is well; 1 something is wrong with a program, a skill file or a scenario; 2 the command is
misused, or a file that it names cannot be read; 3 a run stopped before its end, and the same command goes on;
130 a person stopped it.
"""

from __future__ import annotations

import sys
from importlib import import_module

import click

NAME = "skillsandbox"
_COMMANDS = {
    "check": "Say what is wrong with scenario programs.",
    "fmt": "Write scenario programs in their canonical form.",
    "compile": "Build scenarios of a benchmark from programs.",
    "export": "Write a compiled scenario for the benchmark's own code.",
    "play": "Play a compiled scenario in the terminal.",
    "serve": "Serve a compiled scenario to a browser.",
    "run": "Let the built-in agent play a compiled scenario.",
    "propose": "Propose scenario programs for skills.",
    "verify": "Decide for each skill: Keep or Reject.",
    "solve": "Play a benchmark's own tasks, with a library of skills and without.",
    "distill": "Learn skills from runs on a benchmark's source tasks.",
    "models": "Say what a language model's endpoint can do.",
    "library": "Keep skills in a library.",
    "grammar": "Print the language's grammar for parsers and constrained decoders.",
    "explain": "Explain a diagnostic by its code.",
    "new": "Write a scenario program to start from.",
    "completion": "Print the shell's completion script.",
}


class _LazyGroup(click.Group):
    """A group that imports a command when it is called; its one-line helps are known without that."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"skillsandbox.runtime.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        from skillsandbox.compiler.environment import Unavailable

        try:
            return super().invoke(ctx)
        except Unavailable as error:
            raise click.ClickException(str(error)) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from skillsandbox.compiler.suggestion import closest

            nearest = closest(args[0], tuple(_COMMANDS))
            if nearest is None:
                raise
            raise click.UsageError(f"{error.message} Did you mean '{nearest}'?", ctx) from error


@click.group(
    cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="skillsandbox", message="%(prog)s %(version)s")
def app() -> None:
    """Verify skills of language agents in scenarios built for them.

    Exit codes: 0 all is well; 1 something is wrong with a program, a skill file or a scenario;
    2 the command is misused, or a file that it names cannot be read; 3 a run stopped before its
    end, and the same command goes on; 130 a person stopped it.
    """


def main() -> None:
    """Run the command line; an interruption by the user ends it without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    app(prog_name=NAME)
