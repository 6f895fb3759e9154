"""The judges that a language model plays: the Builder's second gate, and the Verifier's judge of e.

Both are asked at temperature 0. A reply that cannot be read is asked for once more; after a second one a
default stands: a scenario is not taken, and of a step the rule alone decides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Protocol

import attrs

from skillsandbox.compiler.environment import Episode, Exchange
from skillsandbox.runtime.models.request import JsonReply, LanguageModel, Message, Reply, Request, Role
from skillsandbox.runtime.prompting import prompts_identity, render
from skillsandbox.runtime.proposer import derived_seed
from skillsandbox.runtime.recollection import LONGEST_OBSERVATION, recollected
from skillsandbox.runtime.replies import asked, read_json
from skillsandbox.runtime.rollout import Step
from skillsandbox.runtime.scoring import Judgement
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario

MOST_TOKENS = 800
LONGEST_PARTICULARS = 3000
"""Characters of what was built that a judge is shown."""


class Exhibitor(Protocol):
    """Shows built scenarios to a judge; the stage of a verification is one."""

    def particulars(self, scenario: BuiltScenario) -> str:
        """Return what was chosen for the scenario and what was changed, for reading."""

    def episode(self, scenario: BuiltScenario) -> Episode:
        """Return a fresh episode."""


@attrs.frozen
class _Suitability:
    reason: str
    meets: bool


@attrs.frozen
class _Execution:
    reason: str
    carries_out: bool


@attrs.frozen
class ModelScenarioJudge:
    """Has the executor's model say whether a built scenario is what its specification asks for."""

    model: LanguageModel
    exhibitor: Exhibitor
    seed: int

    @property
    def identity(self) -> str:
        """Return a hash of the model, the prompts and the seed."""
        return _identity(self.model, str(self.seed))

    def meets(self, skill: Skill, scenario: BuiltScenario) -> Judgement:
        """Return the answer; no where the model's reply could not be read twice.

        Raises:
            ModelFault: the model could not be asked.
        """
        prompt = render(
            "builder_judge",
            condition=skill.condition,
            scenario=scenario,
            particulars=self.exhibitor.particulars(scenario)[:LONGEST_PARTICULARS],
            opening=self._opening(scenario)[:LONGEST_OBSERVATION],
        )
        seed = derived_seed("scenario", str(self.seed), scenario.digest)
        answer = asked(self.model, _request(Role.BUILDER_JUDGE, prompt, seed), _read_suitability)
        if answer.value is None:
            return Judgement(False, f"its reply {answer.faults[-1]}", answer.faults)
        return Judgement(answer.value.meets, answer.value.reason, answer.faults)

    def _opening(self, scenario: BuiltScenario) -> str:
        episode = self.exhibitor.episode(scenario)
        try:
            return episode.reset().observation
        finally:
            episode.close()


@attrs.frozen
class ModelStepJudge:
    """Has a model say whether an action carries out a principle; it is shown what the agent was shown before,
    and neither the agent's reasons nor anything that came after.
    """

    model: LanguageModel
    memory: int
    seed: int

    @property
    def identity(self) -> str:
        """Return a hash of the model, the prompts, how much of a run is shown, and the seed."""
        return _identity(self.model, str(self.memory), str(self.seed))

    def carries_out(
        self, skill: Skill, scenario: BuiltScenario, past: Sequence[Exchange], step: Step
    ) -> Judgement:
        """Return the answer; yes, as the rule says, where the model's reply could not be read twice.

        Raises:
            ModelFault: the model could not be asked.
        """
        prompt = render(
            "verifier_judge",
            skill=skill,
            scenario=scenario,
            run=recollected(past, step.observation, self.memory),
            action=step.action,
        )
        seed = derived_seed("step judge", str(self.seed), scenario.digest, str(len(past)))
        answer = asked(self.model, _request(Role.VERIFIER_JUDGE, prompt, seed), _read_execution)
        if answer.value is None:
            reason = f"its reply {answer.faults[-1]}, so the rule alone decides"
            return Judgement(True, reason, answer.faults)
        return Judgement(answer.value.carries_out, answer.value.reason, answer.faults)


_SYSTEM = {Role.BUILDER_JUDGE: "builder_judge_system", Role.VERIFIER_JUDGE: "verifier_judge_system"}
_ANSWER = {Role.BUILDER_JUDGE: "meets", Role.VERIFIER_JUDGE: "carries_out"}


def _request(role: Role, prompt: str, seed: int) -> Request:
    return Request(
        role=role,
        messages=(Message("system", render(_SYSTEM[role])), Message("user", prompt)),
        temperature=0.0,
        seed=seed,
        max_tokens=MOST_TOKENS,
        constraint=JsonReply("judgement", _schema(_ANSWER[role])),
    )


def _schema(answer: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"reason": {"type": "string", "maxLength": 400}, answer: {"type": "boolean"}},
        "required": ["reason", answer],
        "additionalProperties": False,
    }


def _read_suitability(reply: Reply) -> _Suitability:
    return read_json(reply, _Suitability)


def _read_execution(reply: Reply) -> _Execution:
    return read_json(reply, _Execution)


def _identity(model: LanguageModel, *parts: str) -> str:
    return hashlib.sha256("\0".join((model.identity, prompts_identity(), *parts)).encode()).hexdigest()
