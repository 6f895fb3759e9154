"""A verification's live progress: episodes, the share solved, tokens, money, time left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs
import click

from skillsandbox.runtime.forecast import EPISODES
from skillsandbox.runtime.models.accounting import Accounts
from skillsandbox.runtime.models.request import Usage
from skillsandbox.runtime.progress import progress
from skillsandbox.runtime.verification import Event, Listener, RunFinished, SkillFinished, Stopping

_MANY = 100_000


@attrs.frozen
class Standing:
    """How many episodes were played and how many of them solved, with a skill (True) and without.

    An episode without a skill that several skills share counts for each.
    """

    played: dict[bool, int] = attrs.field(factory=lambda: {True: 0, False: 0})
    solved: dict[bool, int] = attrs.field(factory=lambda: {True: 0, False: 0})

    def take(self, event: Event) -> int:
        """Count an event; return how many episodes less there are to wait for."""
        match event:
            case RunFinished(with_skill=arm, run=run):
                self.played[arm] += 1
                self.solved[arm] += run.trajectory.success
                return 1
            case SkillFinished(result=result) if not result.pairs:
                return EPISODES
            case _:
                return 0

    def words(self, accounts: Accounts | None) -> str:
        """Return the share solved so far in each arm, and what models took."""
        arms = [(words, arm) for words, arm in (("", True), (" without", False)) if self.played[arm]]
        rates = [f"{self.solved[arm] / self.played[arm]:.0%}{words}" for words, arm in arms]
        solved = [f"solved {', '.join(rates)}"] if rates else []
        taken = [] if accounts is None else [_taken(accounts.total().used.usage)]
        return "; ".join([*solved, *taken])


def _taken(usage: Usage) -> str:
    """Return tokens and money in as few words as a line has room for."""
    tokens = usage.prompt_tokens + usage.completion_tokens
    many = f"{tokens / 1_000_000:.1f}M" if tokens >= _MANY else f"{tokens:,}"
    return f"{many} tokens" if usage.cost is None else f"{many} tokens, ${usage.cost:.2f}"


@contextmanager
def watched(skills: int, accounts: Accounts | None) -> Iterator[Listener]:
    """Show progress on a terminal while the body runs; what it yields is to be told of every event."""
    standing = Standing()
    with progress("episodes", skills * EPISODES) as advance:

        def listen(event: Event) -> None:
            if isinstance(event, Stopping) and accounts is not None:
                click.echo("stopping once open requests are answered; interrupt again to drop them", err=True)
            advance(by=standing.take(event), facts=standing.words(accounts))

        yield listen
