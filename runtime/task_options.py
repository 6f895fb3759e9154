"""What the commands that play a benchmark's own tasks share: who plays, where, and how many tasks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click
from click.core import ParameterSource

from skillsandbox.compiler.environment import Environment, Split, TaskSet, environments
from skillsandbox.runtime.models.estimate import PlannedCalls, estimate
from skillsandbox.runtime.models.options import ModelOptions, open_model
from skillsandbox.runtime.models.request import Embedder
from skillsandbox.runtime.programs import counted
from skillsandbox.runtime.report import tokens_and_money, usage_words
from skillsandbox.runtime.tasks import BuiltInPlayer, Player

if TYPE_CHECKING:
    from skillsandbox.runtime.models.client import OpenModel

environment_option = click.option(
    "--environment", "environment_name", required=True, help="The benchmark whose tasks are played."
)


STEP_TOKENS = (1200, 60)
"""What a step typically takes of a model: tokens read and written."""


@attrs.frozen
class Seats:
    """The player, the model of texts as vectors, and the language models if one was chosen."""

    player: Player
    embedder: Embedder
    opened: OpenModel | None = None


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
        yield Seats(player, opened.embedder, opened)


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
    """Return how many tasks are played at once: built-in agents take the processor, and do not wait."""
    source = click.get_current_context().get_parameter_source("concurrency")
    return options.concurrency if options.model or source is not ParameterSource.DEFAULT else 1


def run_folder(kind: str, environment: Environment, split: Split, chosen: Mapping[str, object]) -> Path:
    """Return the folder of a run that a person names none for: the same for the same choices."""
    digest = hashlib.sha256(json.dumps({name: str(one) for name, one in chosen.items()}).encode()).hexdigest()
    return Path(kind) / f"{environment.name}-{split}-{digest[:8]}"


def foretell(plan: Iterable[PlannedCalls], seats: Seats) -> None:
    """Say on standard error what a run will take of its language model, if one plays."""
    if seats.opened is not None:
        total = estimate(plan, seats.opened.price).total
        click.echo(f"at most about {usage_words(total)}, less what is in the cache", err=True)


def taken(seats: Seats) -> str:
    """Return what a run has taken of its language model so far, in words; nothing where none plays."""
    return "" if seats.opened is None else tokens_and_money(seats.opened.accounts.total().used.usage)
