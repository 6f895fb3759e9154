"""A hard limit on what a run uses, in tokens and in money."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal

import attrs

from skillsandbox.runtime.models.request import BudgetSpent, Usage


@attrs.frozen
class Limits:
    """The most that a run may use; None is no limit. Money is in US dollars."""

    tokens: int | None = None
    dollars: Decimal | None = None


@attrs.frozen
class Amount:
    """Tokens, those of prompts and completions together, and US dollars."""

    tokens: int = 0
    dollars: Decimal = Decimal(0)

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.tokens + other.tokens, self.dollars + other.dollars)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.tokens - other.tokens, self.dollars - other.dollars)


def amount(usage: Usage) -> Amount:
    """Return what a usage counts for; where its price is unknown there is no limit of money."""
    return Amount(usage.prompt_tokens + usage.completion_tokens, usage.cost or Decimal(0))


@attrs.define(eq=False)
class Budget:
    """What a run has used, and what requests that are open may still use; several threads may share it.

    A request reserves the most that it can take before it is sent, so the limits hold whatever the replies
    turn out to take. A request that does not fit waits while others are open, since these may take less
    than they reserved.
    """

    limits: Limits
    _used: Amount = attrs.field(factory=Amount, init=False)
    _reserved: Amount = attrs.field(factory=Amount, init=False)
    _changed: threading.Condition = attrs.field(factory=threading.Condition, init=False)

    @property
    def used(self) -> Amount:
        """Return what the run has used."""
        return self._used

    @contextmanager
    def reserve(self, most: Usage) -> Iterator[None]:
        """Hold back the most that a request can take while it is open. Raises `BudgetSpent`."""
        held = amount(most)
        with self._changed:
            while not self._fits(held):
                if self._reserved == Amount():
                    raise self._spent(held)
                self._changed.wait()
            self._reserved += held
        try:
            yield
        finally:
            with self._changed:
                self._reserved -= held
                self._changed.notify_all()

    def use(self, usage: Usage) -> None:
        """Count what a reply took."""
        with self._changed:
            self._used += amount(usage)

    def _fits(self, more: Amount) -> bool:
        total = self._used + self._reserved + more
        tokens, dollars = self.limits.tokens, self.limits.dollars
        return (tokens is None or total.tokens <= tokens) and (dollars is None or total.dollars <= dollars)

    def _spent(self, more: Amount) -> BudgetSpent:
        used, tokens, dollars = self._used, self.limits.tokens, self.limits.dollars
        if tokens is not None and used.tokens + more.tokens > tokens:
            return BudgetSpent(
                f"the budget is spent: the run has used {used.tokens:,} of {tokens:,} tokens, and the next "
                f"request may take {more.tokens:,}. A larger --budget-tokens continues the run."
            )
        return BudgetSpent(
            f"the budget is spent: the run has used {used.dollars:.4f} of {dollars} US dollars, and the next "
            f"request may take {more.dollars:.4f}. A larger --budget-dollars continues the run."
        )
