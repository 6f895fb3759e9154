"""What a verification will ask of a language model, before it begins."""

from __future__ import annotations

from collections.abc import Iterator

from skillsandbox.runtime.builder import SCENARIOS
from skillsandbox.runtime.casting import Choices
from skillsandbox.runtime.models.accounting import Price
from skillsandbox.runtime.models.estimate import Forecast, PlannedCalls, estimate
from skillsandbox.runtime.models.request import Role
from skillsandbox.runtime.task_options import STEP_TOKENS

EPISODES = 2 * SCENARIOS
CANDIDATES = 7
"""How many programs a model typically writes until five scenarios are built."""
JUDGED = 3
"""How many steps of an episode with a skill typically count."""


def forecast(skills: int, choices: Choices, price: Price | None) -> Forecast:
    """Return what so many skills take if every episode lasts until the step limit and nothing is cached."""
    return estimate(_planned(skills, choices), price)


def _planned(skills: int, choices: Choices) -> Iterator[PlannedCalls]:
    """Yield requests with typical tokens: those of a few runs with a small model, rounded up."""
    if choices.written:
        yield PlannedCalls(Role.PROPOSER, skills, 3500, 150)
        yield PlannedCalls(Role.PROPOSER, skills * CANDIDATES, 4000, 300)
    yield PlannedCalls(Role.BUILDER_JUDGE, skills * SCENARIOS, 800, 60)
    steps = skills * EPISODES * choices.environment.step_limit
    yield PlannedCalls(Role.EXECUTOR, steps, *STEP_TOKENS)
    if not choices.rule_only:
        yield PlannedCalls(Role.VERIFIER_JUDGE, skills * SCENARIOS * JUDGED, 600, 60)
