"""Requests on their way: how many at once, how long, and how often again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, TypeVar

import attrs

from skillsandbox.runtime.models.accounting import Accounts
from skillsandbox.runtime.models.endpoint import Endpoint
from skillsandbox.runtime.models.faults import Lasting, Passing, said
from skillsandbox.runtime.models.limiter import Limiter
from skillsandbox.runtime.models.loop import Loop
from skillsandbox.runtime.models.request import Role, Usage
from skillsandbox.runtime.models.retries import Clock, Retries, WallClock
from skillsandbox.runtime.models.wire import Completion, Wire

T = TypeVar("T")


@attrs.frozen
class Pace:
    """When requests are sent again; the waits are drawn from `random`, and no result hangs on them."""

    retries: Retries = attrs.field(factory=Retries)
    clock: Clock = attrs.field(factory=WallClock)
    random: Random = attrs.field(factory=Random)


@attrs.frozen(eq=False)
class Sender:
    """Sends requests to an endpoint for callers in any thread; `timeout` is in seconds for a try."""

    endpoint: Endpoint
    loop: Loop
    limiter: Limiter
    pace: Pace
    timeout: float
    accounts: Accounts

    def complete(self, role: Role, sent: Wire) -> Completion:
        """Return the reply to a request. Raises `Declined` or `Overloaded`."""
        return self._said(lambda: self.try_to_complete(role, sent, self.pace.retries))

    def try_to_complete(self, role: Role, sent: Wire, retries: Retries) -> Completion:
        """Return the reply to a request. Raises the last `Passing` fault, or the first `Lasting` one."""
        completion = self._answer(role, lambda: self.endpoint.complete(sent, self.timeout), retries)
        self.accounts.send(role, completion.usage)
        return completion

    def embed(self, role: Role, text: str) -> tuple[list[float], Usage]:
        """Return the vector of a text, and what it took. Raises `Declined` or `Overloaded`."""
        vector, usage = self._said(
            lambda: self._answer(role, lambda: self.endpoint.embed(text, self.timeout), self.pace.retries)
        )
        self.accounts.send(role, usage)
        return vector, usage

    def _said(self, send: Callable[[], T]) -> T:
        """Send, and say what comes of it in words for people."""
        try:
            return send()
        except (Passing, Lasting) as fault:
            raise said(fault, self.endpoint.name) from None

    def _answer(self, role: Role, send: Callable[[], Coroutine[Any, Any, T]], retries: Retries) -> T:
        self.endpoint.prepare()
        return self.loop.run(self._tries(role, send, retries))

    async def _tries(self, role: Role, send: Callable[[], Coroutine[Any, Any, T]], retries: Retries) -> T:
        faults = 0
        while True:
            outcome = await self._try(send)
            if not isinstance(outcome, Passing):
                return outcome
            faults += 1
            if faults == retries.tries or (outcome.wait or 0) > retries.patience:
                raise outcome
            self.accounts.retry(role)
            wait = max(retries.wait(faults, self.pace.random), outcome.wait or 0.0)
            await self.pace.clock.sleep(wait)

    async def _try(self, send: Callable[[], Coroutine[Any, Any, T]]) -> T | Passing:
        async with self.limiter.slot() as slot:
            try:
                async with asyncio.timeout(self.timeout):
                    answer = await send()
            except TimeoutError:
                return Passing(f"no reply within {self.timeout:g} s")
            except Passing as fault:
                if fault.limited:
                    self.limiter.limited(slot, fault.wait)
                return fault
            self.limiter.answered()
            return answer
