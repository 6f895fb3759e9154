"""The executor that a language model plays: per step one reply, a rationale and an action (ReAct)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import attrs

from skillsandbox.compiler.environment import Decision, Guidance, Situation
from skillsandbox.runtime.models.request import JsonReply, LanguageModel, Message, Reply, Request, Role
from skillsandbox.runtime.prompting import prompts_identity, render
from skillsandbox.runtime.proposer import derived_seed
from skillsandbox.runtime.recollection import recollected
from skillsandbox.runtime.replies import Unreadable, asked, read_json

EVIDENCE_TEMPERATURE = 0.7
"""At which runs are played that a verdict rests on."""

HELD_OUT_TEMPERATURE = 0.0
"""At which held-out tasks are played."""

MOST_TOKENS = 800
"""Of a reply: a model that reasons before it answers takes several times as many as the answer has."""
_LONGEST_RATIONALE = 400


@attrs.frozen
class _Choice:
    rationale: str
    action: str


@attrs.frozen
class ReactAgent:
    """Decides by asking a model, which sees the start, its last `memory` exchanges and what is admissible.

    A reply that is not one JSON object with a rationale and an action is asked for once more; after a
    second one the action is empty, which no environment admits. An action that is not admissible is
    executed as it stands. The same situation and seed give the same request.
    """

    _model: LanguageModel
    _memory: int
    _temperature: float
    _skills: tuple[Guidance, ...]
    _seed: int

    def decide(self, situation: Situation) -> Decision:
        """Return the next action; raise `ModelFault` where the model cannot be asked."""
        answer = asked(self._model, self._request(situation), _read_choice)
        if answer.value is None:
            return Decision("", "", answer.text, answer.faults)
        choice = answer.value
        return Decision(choice.rationale, choice.action.strip(), choice.action, answer.faults)

    def _request(self, situation: Situation) -> Request:
        return Request(
            role=Role.EXECUTOR,
            messages=(
                Message("system", render("executor_system")),
                Message("user", self._prompt(situation)),
            ),
            temperature=self._temperature,
            seed=derived_seed("step", str(self._seed), str(len(situation.past))),
            max_tokens=MOST_TOKENS,
            constraint=JsonReply("step", _schema(situation)),
        )

    def _prompt(self, situation: Situation) -> str:
        return render(
            "executor_step",
            skills=self._skills,
            run=recollected(situation.past, situation.observation, self._memory),
            admissible=situation.admissible,
            forms=tuple(family.form for family in situation.families),
        )


@attrs.frozen
class ReactExecutor:
    """A model as an executor: makes agents that differ in the skills they are given and in the seed."""

    model: LanguageModel
    memory: int = attrs.field(validator=attrs.validators.ge(1))
    temperature: float = EVIDENCE_TEMPERATURE

    @property
    def identity(self) -> str:
        """Return a hash of all that determines what the agents do, besides skills and seeds."""
        parts = (self.model.identity, prompts_identity(), str(self.memory), str(self.temperature))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def agent(self, guidance: Guidance | None, seed: int) -> ReactAgent:
        """Return an agent with one skill or none, for a paired run."""
        return self.agent_with((guidance,) if guidance else (), seed)

    def agent_with(self, skills: Sequence[Guidance], seed: int) -> ReactAgent:
        """Return an agent with skills of a library."""
        return ReactAgent(self.model, self.memory, self.temperature, tuple(skills), seed)


def _read_choice(reply: Reply) -> _Choice:
    choice = read_json(reply, _Choice)
    if not choice.action.strip():
        raise Unreadable("names no action")
    return choice


def _schema(situation: Situation) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "rationale": {"type": "string", "maxLength": _LONGEST_RATIONALE},
            "action": _action_schema(situation),
        },
        "required": ["rationale", "action"],
        "additionalProperties": False,
    }


def _action_schema(situation: Situation) -> dict[str, Any]:
    """Return the schema of what is admissible; any text where nothing is."""
    forms = {family.form for family in situation.families}
    listed = [command for command in dict.fromkeys(situation.admissible) if command not in forms]
    listing: list[dict[str, Any]] = [{"type": "string", "enum": listed}] if listed else []
    patterns = [{"type": "string", "pattern": f"^({family.pattern})$"} for family in situation.families]
    match [*listing, *patterns]:
        case []:
            return {"type": "string"}
        case [only]:
            return only
        case choices:
            return {"anyOf": choices}
