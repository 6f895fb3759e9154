"""What the commands that play a benchmark's own tasks share: who plays, where, and how many tasks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from skillsandbox.compiler.environment import Environment, Split, TaskSet, environments
from skillsandbox.runtime.models.options import ModelOptions, open_model
from skillsandbox.runtime.models.request import Embedder, LanguageModel
from skillsandbox.runtime.programs import counted
from skillsandbox.runtime.tasks import BuiltInPlayer, Player

if TYPE_CHECKING:
    from skillsandbox.runtime.models.accounting import Accounts

environment_option = click.option(
    "--environment", "environment_name", required=True, help="The benchmark whose tasks are played."
)


@attrs.frozen
class Seats:
    """The player, the language model that it is if it is one, and the model of texts as vectors."""

    player: Player
    embedder: Embedder
    model: LanguageModel | None = None
    accounts: Accounts | None = None


@contextmanager
def seated(
    environment: Environment, options: ModelOptions, folder: Path, temperature: float
) -> Iterator[Seats]:
    """Open the chosen models for a run in a folder; without a language model the built-in agent plays.

    Raises:
        ModelFault: a model cannot be had.
    """
    if options.model is None:
        with open_embedder(options, folder) as embedder:
            yield Seats(BuiltInPlayer(environment), embedder)
        return
    from skillsandbox.runtime.react import ReactExecutor

    with open_model(options, folder) as opened:
        player = ReactExecutor(opened.model, environment.memory, temperature)
        yield Seats(player, opened.embedder, opened.model, opened.accounts)


@contextmanager
def open_embedder(options: ModelOptions, folder: Path | None) -> Iterator[Embedder]:
    """Open the chosen model of texts as vectors, by default the one that comes as a package."""
    from skillsandbox.runtime.models.embedding import PackagedEmbedder

    if options.embedding_model is None:
        yield PackagedEmbedder()
        return
    from skillsandbox.runtime.models.client import opened

    with opened(options, folder) as models:
        yield models.embedder


def named_environment(name: str) -> Environment:
    """Return the installed environment of a name; ends the command where there is none."""
    installed = environments()
    if name not in installed:
        raise click.BadParameter(
            f"there is no environment {name!r}; choose one of: {', '.join(installed)}",
            param_hint="--environment",
        )
    return installed[name]()


def number_of(tasks: TaskSet, asked: int | None) -> int:
    """Return how many tasks are played, by default all; ends the command if there are fewer."""
    if asked is not None and asked > len(tasks):
        raise click.BadParameter(
            f"there are only {counted(len(tasks), 'task')}: {tasks.description}", param_hint="--tasks"
        )
    return len(tasks) if asked is None else asked


def concurrency(options: ModelOptions) -> int:
    """Return how many tasks are played at once: with a model, most of the time is waiting."""
    return 1 if options.model is None else options.concurrency


def run_folder(kind: str, environment: Environment, split: Split, chosen: Mapping[str, object]) -> Path:
    """Return the folder of a run that a person names none for: the same for the same choices."""
    digest = hashlib.sha256(json.dumps({name: str(one) for name, one in chosen.items()}).encode()).hexdigest()
    return Path(kind) / f"{environment.name}-{split}-{digest[:8]}"


def usage(accounts: Accounts | None) -> str | None:
    """Return what a run has taken of its models so far, in words; None where there are none."""
    if accounts is None:
        return None
    used = accounts.total().used
    tokens = used.usage.prompt_tokens + used.usage.completion_tokens
    cost = "at an unknown price" if used.usage.cost is None else f"${used.usage.cost:.4f}"
    return f"{counted(used.requests, 'request')} to models, {counted(tokens, 'token')}, {cost}"
