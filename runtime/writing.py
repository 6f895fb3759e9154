"""The Proposer that a language model plays: it interprets a skill's condition, then writes a program.

What the compiler says of a program goes back to the model, at most three times. All that is asked depends
on the skill, on what was tried, and on the seed, so that a run can be continued.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, Protocol

import attrs

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import format_source
from skillsandbox.compiler.environment import Environment
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.syntax import Scenario
from skillsandbox.grammar.export import Form, export
from skillsandbox.runtime.examples import chosen_examples
from skillsandbox.runtime.matching import LibraryProgram
from skillsandbox.runtime.models.request import (
    GrammarReply,
    JsonReply,
    LanguageModel,
    Message,
    Reply,
    Request,
    Role,
)
from skillsandbox.runtime.prompting import prompts_identity, render
from skillsandbox.runtime.proposer import Attempt, Declined, derived_seed
from skillsandbox.runtime.reference import reference
from skillsandbox.runtime.replies import Unreadable, asked, finished_text, only_block, read_json, shown_reply
from skillsandbox.runtime.retelling import shortened
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.skills import Source as SkillSource
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Refusal, Turn

REPAIRS = 3
"""How often a program goes back to the model with what the compiler says of it."""

TEMPERATURE = 0.7
MOST_TOKENS = 2000
MOST_FAULTS = 6
MOST_REFUSALS = 3

_INTERPRETATION_TOKENS = 1000
_LONGEST_EXCERPT = 120
_START = re.compile(r"^[ \t]*scenario\s+\w+\s+for\b", re.MULTILINE)
_INTERPRETATION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string", "maxLength": 500},
        "arises": {"type": "string", "enum": ["initial", "history", "rollout", "unsupported"]},
        "plan": {"type": "string", "maxLength": 400},
    },
    "required": ["reason", "arises", "plan"],
    "additionalProperties": False,
}


class Checker(Protocol):
    """Compiles a candidate and says what is wrong with it; the stage of a verification is one."""

    def faults(
        self, candidate: Candidate, siblings: Sequence[BuiltScenario], source: SkillSource | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Return JSON data with a `message` for each fault; none where the candidate is a valid scenario."""


class WritingStage(Checker, Protocol):
    """A stage that programs are written for."""

    @property
    def environment(self) -> Environment:
        """The environment whose language the programs are in."""


@attrs.frozen
class _Interpretation:
    reason: str
    arises: Literal["initial", "history", "rollout", "unsupported"]
    plan: str


@attrs.frozen
class _Draft:
    """A program as the model wrote it, and what is wrong with it, or why it says that there can be none."""

    candidate: Candidate
    faults: tuple[Mapping[str, Any], ...] = ()
    unsupported: str | None = None


@attrs.define(frozen=True, slots=False, eq=False)
class ModelProposer:
    """Has a model write one program after another for a skill, and repair what the compiler refuses.

    `examples` are shown to the model; `grammar` is sent where the endpoint keeps to grammars. `compact`
    leaves the explanations of the vocabulary out, for models with little context.
    """

    model: LanguageModel
    environment: Environment
    checker: Checker
    examples: tuple[LibraryProgram, ...]
    seed: int
    grammar: GrammarReply | None = None
    compact: bool = False

    @cached_property
    def identity(self) -> str:
        """A hash of the model, the prompts with their reference and examples, the grammar and the seed."""
        grammar = sorted(self.grammar.forms.items()) if self.grammar else []
        parts = [self.model.identity, prompts_identity(), self._system.content, grammar, self.seed]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def propose(self, skill: Skill, tried: Sequence[Attempt]) -> Candidate | Declined:
        """Return the next candidate, with the conversation that led to it; a program that could not be
        repaired too, which then counts among those tried.

        Raises:
            ModelFault: the model could not be asked.
        """
        request = self._interpretation_request(skill)
        answer = asked(self.model, request, _read_interpretation)
        opening = (*request.messages, shown_reply(answer.text))
        if answer.value is not None and answer.value.arises == "unsupported":
            return Declined(answer.value.reason, _turns(opening))
        return self._written(skill, tried, opening)

    def _written(
        self, skill: Skill, tried: Sequence[Attempt], opening: tuple[Message, ...]
    ) -> Candidate | Declined:
        """Ask for a program until it is free of faults, or was sent back often enough."""
        siblings = [attempt.result for attempt in tried if isinstance(attempt.result, BuiltScenario)]
        asking = (*opening, Message("user", self._program_prompt(tried)))
        told, repairs = list(asking), 0
        while True:
            reply = self.model.ask(self._program_request(skill, asking, len(tried), repairs))
            draft = self._draft(reply, skill, siblings, len(tried))
            told.append(Message("assistant", reply.text))
            if draft.unsupported is not None:
                return Declined(draft.unsupported, _turns(told))
            if not draft.faults or repairs == REPAIRS:
                return attrs.evolve(draft.candidate, transcript=_turns(told))
            repair = Message("user", render("proposer_repair", faults=draft.faults))
            asking = (*asking[: len(opening) + 1], shown_reply(draft.candidate.text or reply.text), repair)
            told.append(repair)
            repairs += 1

    def _draft(self, reply: Reply, skill: Skill, siblings: Sequence[BuiltScenario], number: int) -> _Draft:
        fallback = Candidate(f"unwritten_{number}", "", self._seed("binding", skill.id, number))
        try:
            text = _program_text(reply)
        except Unreadable as fault:
            return _Draft(fallback, ({"message": f"The reply {fault}."},))
        text, scenarios = self._parsed(text)
        candidate = attrs.evolve(fallback, name=scenarios[0].name if scenarios else fallback.name, text=text)
        if len(scenarios) == 1 and scenarios[0].condition.reason is not None:
            return _Draft(candidate, unsupported=scenarios[0].condition.reason)
        faults = self.checker.faults(candidate, siblings, skill.source)
        return _Draft(candidate, tuple(_told_fault(fault) for fault in faults[:MOST_FAULTS]))

    def _parsed(self, text: str) -> tuple[str, tuple[Scenario, ...]]:
        """Return a program in its canonical form, if its syntax is right, and its scenarios."""
        languages = {self.environment.name: lambda: self.environment}
        formatted = format_source(Source("candidate", text), languages)
        if not isinstance(formatted, str):
            return text, parse(Source("candidate", text), languages).program.scenarios
        return formatted, parse(Source("candidate", formatted), languages).program.scenarios

    @cached_property
    def _system(self) -> Message:
        return Message(
            "system",
            render(
                "proposer_system",
                reference=reference(self.environment, compact=self.compact),
                examples=[example.text.strip() for example in self.examples],
            ),
        )

    def _program_prompt(self, tried: Sequence[Attempt]) -> str:
        built = [(one.candidate, one.result) for one in tried if isinstance(one.result, BuiltScenario)]
        refused = [(one.candidate, one.result) for one in tried if isinstance(one.result, Refusal)]
        latest = refused[-MOST_REFUSALS:]
        return render(
            "proposer_program",
            environment=self.environment.name,
            earlier=[f"{candidate.name}: {scenario.instruction}" for candidate, scenario in built],
            refused=[f"{candidate.name}: {refusal.complaints[0]}" for candidate, refusal in latest],
        )

    def _interpretation_request(self, skill: Skill) -> Request:
        prompt = render("proposer_interpretation", skill=skill, source=skill.source)
        return Request(
            role=Role.PROPOSER,
            messages=(self._system, Message("user", prompt)),
            temperature=0.0,
            seed=self._seed("interpretation", skill.id, 0),
            max_tokens=_INTERPRETATION_TOKENS,
            constraint=JsonReply("interpretation", _INTERPRETATION),
        )

    def _program_request(
        self, skill: Skill, messages: tuple[Message, ...], number: int, repairs: int
    ) -> Request:
        return Request(
            role=Role.PROPOSER,
            messages=messages,
            temperature=TEMPERATURE,
            seed=self._seed("program", skill.id, number),
            max_tokens=MOST_TOKENS,
            constraint=self.grammar,
            attempt=repairs,
        )

    def _seed(self, purpose: str, skill_id: str, number: int) -> int:
        return derived_seed(purpose, str(self.seed), skill_id, str(number))


def model_proposer(
    model: LanguageModel, stage: WritingStage, programs: Sequence[LibraryProgram], seed: int, *, compact: bool
) -> ModelProposer:
    """Return a proposer for a stage, with examples from a library; `compact` is for little context."""
    environment = stage.environment
    examples = chosen_examples(programs, 1 if compact else 2)
    forms = {form.value: export(environment.grammar(), form) for form in Form}
    grammar = GrammarReply("program", forms)
    return ModelProposer(model, environment, stage, examples, seed, grammar, compact)


def _read_interpretation(reply: Reply) -> _Interpretation:
    return read_json(reply, _Interpretation)


def _program_text(reply: Reply) -> str:
    """Return the program in a reply, which models like to put into a fence or to introduce."""
    text = finished_text(reply)
    text = only_block(text) or text
    start = _START.search(text)
    text = text[start.start() :] if start else text
    end = text.rfind("}") + 1
    return text[: end or None].strip()


def _told_fault(fault: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a diagnostic without what it does not say, and without offsets, which a model cannot count."""
    rest = {name: value for name, value in fault.items() if name not in ("start", "end")}
    place = {name: fault["start"][name] for name in ("line", "column")} if "start" in fault else {}
    told = {name: value for name, value in rest.items() if value not in (None, [])}
    if "text" in told:
        told["text"] = shortened(told["text"], _LONGEST_EXCERPT)
    if "notes" in told:
        told["notes"] = [_told_fault(note) for note in told["notes"]]
    if "fix" in told:
        edits = [_told_fault(edit) for edit in told["fix"]["edits"]]
        told["fix"] = {"title": told["fix"]["title"], "edits": edits}
    return {**place, **told}


def _turns(messages: Sequence[Message]) -> tuple[Turn, ...]:
    return tuple(Turn(message.role, message.content) for message in messages)
