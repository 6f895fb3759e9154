"""Who plays the parts of a verification, besides the executor, which belongs to the stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from skillsandbox.compiler.environment import Exchange
from skillsandbox.runtime.proposer import Proposer
from skillsandbox.runtime.rollout import Step
from skillsandbox.runtime.scoring import Judgement
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario


class ScenarioJudge(Protocol):
    """The Builder's second gate, after the deterministic checks; may be asked by several threads at once."""

    @property
    def identity(self) -> str:
        """Return what determines its answers besides what it is asked."""

    def meets(self, skill: Skill, scenario: BuiltScenario) -> Judgement:
        """Say whether a built scenario is what its specification asks for, so that it can test the skill."""


class StepJudge(Protocol):
    """The Verifier's judge of e; it is told neither the outcome nor which run it sees, and may be asked by
    several threads at once.
    """

    @property
    def identity(self) -> str:
        """Return what determines its answers besides what it is asked."""

    def carries_out(
        self, skill: Skill, scenario: BuiltScenario, past: Sequence[Exchange], step: Step
    ) -> Judgement:
        """Say whether a step's action, taken after what is past, carries out the skill's principle."""


@attrs.frozen
class Roles:
    """The proposer, and the judges if there are any: without them, rules alone decide.

    `model` names the language model that plays, None where none does.
    """

    proposer: Proposer
    scenario_judge: ScenarioJudge | None = None
    step_judge: StepJudge | None = None
    model: str | None = None

    @property
    def identity(self) -> Mapping[str, str]:
        """Return the model, and what determines the answers of each judge."""
        judges = {"builder's judge": self.scenario_judge, "verifier's judge": self.step_judge}
        model = {} if self.model is None else {"model": self.model}
        return {**model, **{name: judge.identity for name, judge in judges.items() if judge is not None}}
