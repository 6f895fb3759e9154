"""What a run will take of its models, before it begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from skillsandbox.runtime.models.accounting import Price, Tally
from skillsandbox.runtime.models.request import Role, Usage


@attrs.frozen
class PlannedCalls:
    """So many requests of a role, with the tokens that one typically takes."""

    role: Role
    calls: int
    prompt_tokens: int
    completion_tokens: int


@attrs.frozen
class Forecast:
    """What a plan takes, by role; costs are None where the price is unknown."""

    by_role: Mapping[Role, Tally]

    @property
    def total(self) -> Tally:
        """Return what all roles take."""
        total = Tally()
        for tally in self.by_role.values():
            total = total.merged(tally)
        return total


def estimate(plan: Iterable[PlannedCalls], price: Price | None) -> Forecast:
    """Return what planned calls take where none is in the cache."""
    by_role: dict[Role, Tally] = {}
    for planned in plan:
        prompt, completion = planned.calls * planned.prompt_tokens, planned.calls * planned.completion_tokens
        cost = None if price is None else price.of(prompt, completion)
        tally = Tally(planned.calls, Usage(prompt, completion, 0, cost))
        by_role[planned.role] = by_role.get(planned.role, Tally()).merged(tally)
    return Forecast({role: by_role[role] for role in Role if role in by_role})
