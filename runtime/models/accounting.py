"""What a run takes of its language models, by role: what it used, and what was sent for it this time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from decimal import Decimal

import attrs

from skillsandbox.runtime.models.request import Role, Usage

NOTHING = Usage(0, 0, 0, Decimal(0))
MILLION = 1_000_000


@attrs.frozen
class Price:
    """US dollars for a million tokens."""

    prompt: Decimal
    completion: Decimal

    @classmethod
    def free(cls) -> Price:
        """Return the price of a model of one's own."""
        return cls(Decimal(0), Decimal(0))

    def of(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        """Return what so many tokens cost, in US dollars."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / MILLION


@attrs.frozen
class Tally:
    """Requests, and what their replies took; `usage.cost` is None where the price of any is unknown."""

    requests: int = 0
    usage: Usage = NOTHING

    def plus(self, usage: Usage) -> Tally:
        """Return the tally with one more reply."""
        return self.merged(Tally(1, usage))

    def merged(self, other: Tally) -> Tally:
        """Return the tally of both."""
        return Tally(self.requests + other.requests, added(self.usage, other.usage))


@attrs.frozen
class Account:
    """What a role took.

    `used` is what the run used since it began, each request once: it is the same for a run that was
    interrupted and for one that is played again from the cache. `sent` is what this process sent, `hits`
    the asks that it answered from the cache, `retries` the tries that failed and were made again.
    """

    used: Tally = Tally()
    sent: Tally = Tally()
    hits: int = 0
    retries: int = 0

    def merged(self, other: Account) -> Account:
        """Return the account of both."""
        return Account(
            self.used.merged(other.used),
            self.sent.merged(other.sent),
            self.hits + other.hits,
            self.retries + other.retries,
        )


@attrs.define(eq=False)
class Accounts:
    """The accounts of all roles; several threads may read and write."""

    _by_role: dict[Role, Account] = attrs.field(factory=dict)
    _lock: threading.Lock = attrs.field(factory=threading.Lock)

    def snapshot(self) -> Mapping[Role, Account]:
        """Return the accounts of the roles that took anything, as they are now, in the order of `Role`."""
        with self._lock:
            return {role: self._by_role[role] for role in Role if role in self._by_role}

    def total(self) -> Account:
        """Return the account of all roles together."""
        total = Account()
        for account in self.snapshot().values():
            total = total.merged(account)
        return total

    def use(self, role: Role, usage: Usage) -> None:
        """Count a reply that the run used."""
        self._change(role, lambda account: attrs.evolve(account, used=account.used.plus(usage)))

    def send(self, role: Role, usage: Usage) -> None:
        """Count a reply that came over the network."""
        self._change(role, lambda account: attrs.evolve(account, sent=account.sent.plus(usage)))

    def hit(self, role: Role) -> None:
        """Count an ask that was answered from the cache."""
        self._change(role, lambda account: attrs.evolve(account, hits=account.hits + 1))

    def retry(self, role: Role) -> None:
        """Count a try that failed and is made again."""
        self._change(role, lambda account: attrs.evolve(account, retries=account.retries + 1))

    def _change(self, role: Role, change: Callable[[Account], Account]) -> None:
        with self._lock:
            self._by_role[role] = change(self._by_role.get(role, Account()))


def added(one: Usage, other: Usage) -> Usage:
    """Return the sum of two usages; its cost is known only where both are."""
    costs = (one.cost, other.cost)
    return Usage(
        one.prompt_tokens + other.prompt_tokens,
        one.completion_tokens + other.completion_tokens,
        one.cached_tokens + other.cached_tokens,
        None if None in costs else sum(filter(None, costs), Decimal(0)),
    )
