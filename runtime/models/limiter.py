"""How many requests are open at once: fewer while the endpoint limits them, more again as it answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import attrs

from skillsandbox.runtime.models.retries import Clock


@attrs.frozen
class Slot:
    """Leave to send a request; it knows how often the window had been halved when it was given."""

    halvings: int


@attrs.define(eq=False)
class Limiter:
    """A window of open requests, increased additively and decreased multiplicatively (Chiu and Jain 1989).

    It starts at `most`. A rate limit halves it, once for all requests that were open together; replies that
    fill it widen it by one. Where the endpoint says how long to wait, nothing is sent before.
    """

    most: int
    clock: Clock
    window: float = attrs.field(init=False)
    _open: int = attrs.field(default=0, init=False)
    _halvings: int = attrs.field(default=0, init=False)
    _resume: float = attrs.field(default=float("-inf"), init=False)
    _changed: asyncio.Condition = attrs.field(factory=asyncio.Condition, init=False)

    def __attrs_post_init__(self) -> None:
        self.window = float(self.most)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[Slot]:
        """Wait until a request may be sent; it is open while the context is."""
        await self._enter()
        try:
            yield Slot(self._halvings)
        finally:
            self._open -= 1
            async with self._changed:
                self._changed.notify_all()

    def answered(self) -> None:
        """Widen the window after a reply."""
        self.window = min(float(self.most), self.window + 1 / self.window)

    def limited(self, slot: Slot, wait: float | None) -> None:
        """Narrow the window after a rate limit that may say how long to wait, in seconds."""
        if slot.halvings == self._halvings:
            self._halvings += 1
            self.window = max(1.0, self.window / 2)
        if wait is not None:
            self._resume = max(self._resume, self.clock.now() + wait)

    async def _enter(self) -> None:
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._open < int(self.window))
                pause = self._resume - self.clock.now()
                if pause <= 0:
                    self._open += 1
                    return
            await self.clock.sleep(pause)
