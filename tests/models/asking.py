"""What tests of the model layer share: requests, models at a scripted server, a clock that does not wait."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import attrs
from scripted import ScriptedServer

from skillsandbox.runtime.models.client import OpenModel, opened
from skillsandbox.runtime.models.options import ModelOptions
from skillsandbox.runtime.models.request import Message, Request, Role
from skillsandbox.runtime.models.retries import Retries
from skillsandbox.runtime.models.sender import Pace

MODEL = "openai/scripted"


@attrs.define(eq=False)
class Stopwatch:
    """A clock that runs only where somebody waits; `waits` are the waits in seconds, in order."""

    waits: list[float] = attrs.field(factory=list)

    def now(self) -> float:
        return sum(self.waits)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)


def asks(prompt: str = "hello", **changes: Any) -> Request:
    """Return an executor's request with the given prompt."""
    request = Request(Role.EXECUTOR, (Message("user", prompt),), temperature=0.7, seed=3, max_tokens=50)
    return attrs.evolve(request, **changes)


def scripted_options(server: ScriptedServer, folder: Path, **changes: Any) -> ModelOptions:
    """Return options for a scripted server with the folder's cache."""
    return ModelOptions(**{"model": MODEL, "api_base": server.url, "cache": folder / "cache", **changes})


@contextmanager
def model_at(
    server: ScriptedServer,
    folder: Path,
    *,
    run: str | None = None,
    clock: Stopwatch | None = None,
    tries: int = 4,
    **changes: Any,
) -> Iterator[OpenModel]:
    """Open a scripted server's model for a run of the folder, with waits that take no time."""
    pace = Pace(Retries(tries=tries), clock or Stopwatch(), Random(0))
    options = scripted_options(server, folder, **changes)
    with opened(options, None if run is None else folder / run, pace) as model:
        yield model
