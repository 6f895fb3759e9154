"""When a request is sent again: transient faults only, after waits that grow and vary."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Protocol

import attrs


class Clock(Protocol):
    """Time in seconds, and waiting."""

    def now(self) -> float:
        """Return the time since some moment."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class WallClock:
    """The machine's clock."""

    def now(self) -> float:
        """Return the time since some moment."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


@attrs.frozen
class Retries:
    """How often a request is sent, and the waits between, in seconds.

    The wait after the n-th fault is drawn evenly from the upper half of `first` · 2ⁿ⁻¹, which is at most
    `longest`, so that requests that failed together do not come back together. A wait that the endpoint
    asks for is kept, up to `patience`.
    """

    tries: int = 8
    first: float = 1.0
    longest: float = 60.0
    patience: float = 300.0

    def wait(self, faults: int, random: Random) -> float:
        """Return how long to wait after so many faults."""
        most = min(self.longest, self.first * 2.0 ** (faults - 1))
        return most * random.uniform(0.5, 1.0)
