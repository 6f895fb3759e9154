"""Distilling a skill from a run: what a model learns from having solved a task, or from having failed."""

from __future__ import annotations

from typing import Any

import attrs

from skillsandbox.runtime.models.request import JsonReply, LanguageModel, Message, Reply, Request, Role
from skillsandbox.runtime.prompting import render
from skillsandbox.runtime.replies import Unreadable, asked, read_json
from skillsandbox.runtime.retelling import told
from skillsandbox.runtime.rollout import Trajectory
from skillsandbox.runtime.skills import Skill

MOST_TOKENS = 1200
TEMPERATURE = 0.0
ORIGIN = {True: "distilled from a success", False: "distilled from a failure"}

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "analysis": {"type": "string", "maxLength": 600},
        "reusable": {"type": "boolean"},
        "title": {"type": "string", "maxLength": 80},
        "condition": {"type": "string", "maxLength": 400},
        "principle": {"type": "string", "maxLength": 600},
    },
    "required": ["analysis", "reusable", "title", "condition", "principle"],
    "additionalProperties": False,
}


@attrs.frozen
class Distilled:
    """What was learned from a run: a skill, or None and why not.

    `reply` is the model's last reply as it came; `faults` says of each reply that could not be read why.
    """

    skill: Skill | None
    reason: str
    reply: str
    faults: tuple[str, ...]


@attrs.frozen
class _Lesson:
    analysis: str
    reusable: bool
    title: str
    condition: str
    principle: str


def distilled(
    model: LanguageModel, instruction: str, trajectory: Trajectory, identity: str, seed: int
) -> Distilled:
    """Ask a model for the skill that a run teaches, by the prompt for successes or the one for failures.

    `identity` becomes the skill's id. A reply that cannot be read twice gives no skill.

    Raises:
        ModelFault: the model could not be asked.
    """
    answer = asked(model, _request(instruction, trajectory, seed), _read_lesson)
    lesson = answer.value
    if lesson is None:
        return Distilled(None, f"The model's reply {answer.faults[-1]}.", answer.text, answer.faults)
    if not lesson.reusable:
        return Distilled(None, lesson.analysis, answer.text, answer.faults)
    skill = Skill(identity, lesson.condition, lesson.principle, lesson.title, ORIGIN[trajectory.success])
    return Distilled(skill, lesson.analysis, answer.text, answer.faults)


def _request(instruction: str, trajectory: Trajectory, seed: int) -> Request:
    run = render(
        "distiller_run",
        instruction=instruction,
        run=told(trajectory),
        success=trajectory.success,
        steps=len(trajectory.steps),
    )
    return Request(
        role=Role.DISTILLER,
        messages=(Message("system", render("distiller_system")), Message("user", run)),
        temperature=TEMPERATURE,
        seed=seed,
        max_tokens=MOST_TOKENS,
        constraint=JsonReply("lesson", _SCHEMA),
    )


def _read_lesson(reply: Reply) -> _Lesson:
    lesson = read_json(reply, _Lesson)
    lesson = _Lesson(
        analysis=_one_line(lesson.analysis),
        reusable=lesson.reusable,
        title=_one_line(lesson.title),
        condition=_one_line(lesson.condition),
        principle=_one_line(lesson.principle),
    )
    if lesson.reusable and not (lesson.condition and lesson.principle):
        raise Unreadable('says "reusable": true and leaves the condition or the principle empty')
    return lesson


def _one_line(text: str) -> str:
    return " ".join(text.split())
