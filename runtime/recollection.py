"""What a model is shown of a run: the start, its latest exchanges, and what is observed now."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from skillsandbox.compiler.environment import Exchange

LONGEST_OBSERVATION = 6000
"""Characters of an observation that a model is shown: the pages of a shop may be of any length."""


@attrs.frozen
class ShownExchange:
    """An exchange as it is shown; the observation is None where it stands at the start already."""

    observation: str | None
    action: str


@attrs.frozen
class Recollection:
    """A run up to now: `forgotten` says that exchanges are left out behind the start.

    `now` is None where the start is all that was observed.
    """

    start: str
    forgotten: bool
    recent: tuple[ShownExchange, ...]
    now: str | None


def recollected(past: Sequence[Exchange], observation: str, memory: int) -> Recollection:
    """Return what is shown of a run with at most `memory` exchanges, so that as little as can be changes
    from one step to the next.
    """
    if not past:
        return Recollection(_cut(observation), forgotten=False, recent=(), now=None)
    forgotten = len(past) > memory
    recent = tuple(ShownExchange(_cut(one.observation), one.action) for one in past[-memory:])
    if not forgotten:
        recent = (attrs.evolve(recent[0], observation=None), *recent[1:])
    return Recollection(_cut(past[0].observation), forgotten, recent, _cut(observation))


def _cut(observation: str) -> str:
    if len(observation) <= LONGEST_OBSERVATION:
        return observation
    return f"{observation[:LONGEST_OBSERVATION]}…"
