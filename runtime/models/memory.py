"""What is asked once is answered for ever: looked up, else asked within the budget, kept and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import msgspec

from skillsandbox.runtime.models.accounting import Price
from skillsandbox.runtime.models.cache import Data, ReplyCache
from skillsandbox.runtime.models.ledger import Ledger
from skillsandbox.runtime.models.request import NotRecorded, Role, Usage

Recall = Callable[[Role, str, Usage, Callable[[], Data]], Data]
"""How a reply is had: looked up, or asked for anew."""


@attrs.frozen(eq=False)
class Memory:
    """The kept replies of all runs, and what this run has used; with `replay` nothing is asked.

    `price` takes the place of what replies are said to cost; `ceiling` prices what is reserved.
    """

    cache: ReplyCache
    ledger: Ledger
    replay: bool = False
    price: Price | None = None
    ceiling: Price | None = None

    def recall(self, role: Role, key: str, most: Usage, ask: Callable[[], Data]) -> Data:
        """Return what is kept under a key, or else what asking gives; its `usage` is counted once in a run.

        `most` is what asking can take, without its cost. While one thread or process asks, others with the
        same key wait. Raises `BudgetSpent`, and `NotRecorded` in a replay.
        """
        kept = self.cache.get(key)
        if kept is None and not self.replay:
            with self.cache.asking(key):
                kept = self.cache.get(key)
                if kept is None:
                    return self._asked(role, key, most, ask)
        if kept is None:
            raise NotRecorded(
                "a request is not in the cache, and --replay sends nothing. Replay the same run with the "
                "same cache, or leave --replay out."
            )
        self._use(role, key, self.usage(kept))
        self.ledger.accounts.hit(role)
        return kept

    def usage(self, data: Data) -> Usage:
        """Return what a kept reply took, at the price of this run where one is given."""
        usage = msgspec.convert(data["usage"], Usage)
        return usage if self.price is None else _priced(usage, self.price)

    def replace(self, role: Role, key: str, most: Usage, ask: Callable[[], Data]) -> Data:
        """Ask anew, and keep that instead."""
        with self.cache.asking(key):
            return self._asked(role, key, most, ask)

    def _asked(self, role: Role, key: str, most: Usage, ask: Callable[[], Data]) -> Data:
        with self.ledger.budget.reserve(most if self.ceiling is None else _priced(most, self.ceiling)):
            data = ask()
            self.cache.put(key, data)
            self.ledger.count(role, key, self.usage(data))
        return data

    def _use(self, role: Role, key: str, usage: Usage) -> None:
        if (role, key) not in self.ledger:
            with self.ledger.budget.reserve(usage):
                self.ledger.count(role, key, usage)


def _priced(usage: Usage, price: Price) -> Usage:
    return attrs.evolve(usage, cost=price.of(usage.prompt_tokens, usage.completion_tokens))


def to_data(value: Any) -> Data:
    """Return JSON data of an attrs object."""
    data: Data = msgspec.to_builtins(value)
    return data
