"""A skill from a run: what the model is told, and what becomes of its reply."""

from __future__ import annotations

import json

import pytest
from endpoint import Endpoint, blocks

from skillsandbox.runtime.distiller import distilled
from skillsandbox.runtime.retelling import MOST_CHARACTERS, shortened, told
from skillsandbox.runtime.rollout import Step, Trajectory

STEPS = (
    Step("You are in a room. Your task is to: find the key.", "look", "look", "To see.", True, False),
    Step("There is a box.", "open box", "open box", "It is closed.", True, False),
    Step("It is locked.", "fly", "fly", "", False, False),
)
WON = Trajectory(STEPS, True, "You have the key.", 1.0)
LOST = Trajectory(STEPS, False, "Nothing happens.", 0.0)
LESSON = {
    "analysis": "The box was closed.",
    "reusable": True,
    "title": "Boxes first",
    "condition": "The thing is not\nin sight. ",
    "principle": "Open boxes first.",
}


def lesson(**changes: object) -> str:
    return json.dumps({**LESSON, **changes})


def test_a_skill_is_what_the_model_says_under_the_given_id(scripted: Endpoint) -> None:
    scripted.will_reply(lesson())
    outcome = distilled(scripted.model, "find the key", WON, "run/1", 0)
    assert outcome.skill is not None
    assert (outcome.skill.id, outcome.skill.title) == ("run/1", "Boxes first")
    assert outcome.skill.condition == "The thing is not in sight."
    assert outcome.skill.principle == "Open boxes first."
    assert outcome.skill.origin == "distilled from a success"
    assert outcome.reason == "The box was closed."


def test_the_task_the_run_and_its_outcome_are_told(scripted: Endpoint) -> None:
    scripted.will_reply(lesson(), lesson())
    distilled(scripted.model, "find the key", WON, "run/1", 0)
    distilled(scripted.model, "find the key", LOST, "run/1", 0)
    won, lost = scripted.prompts
    (run,) = blocks(won, "run")
    assert run.split("\n")[:3] == [f"1. saw: {STEPS[0].observation}", "   thought: To see.", "   did: look"]
    assert "did: fly (not admissible: nothing was done)" in run
    assert run.endswith("in the end saw: You have the key.")
    assert "was solved in 3 actions" in won
    assert "was not solved in 3 actions" in lost


@pytest.mark.parametrize(
    ("replies", "faults"),
    [
        ([lesson(reusable=False, title="", condition="", principle="")], 0),
        (["no", "no"], 2),
        (["no", lesson(reusable=False)], 1),
        ([lesson(principle=" "), lesson(condition="")], 2),
    ],
)
def test_a_run_that_teaches_nothing_or_a_reply_that_cannot_be_read_gives_no_skill(
    scripted: Endpoint, replies: list[str], faults: int
) -> None:
    scripted.will_reply(*replies)
    outcome = distilled(scripted.model, "find the key", LOST, "run/1", 0)
    assert outcome.skill is None
    assert outcome.reason
    assert outcome.reply == replies[-1]
    assert len(outcome.faults) == faults


def test_a_run_of_long_pages_is_told_within_bounds() -> None:
    pages = tuple(Step("page " * 2000, "click[x]", "click[x]", "why " * 500, True, False) for _ in range(15))
    text = told(Trajectory(pages, False, "page " * 2000, 0.0))
    assert len(text) < 1.2 * MOST_CHARACTERS
    assert text.count("did: click[x]") == 15


def test_what_is_cut_says_so() -> None:
    assert shortened("a  b\nc", 10) == "a b c"
    assert shortened("abcdef", 4) == "abc…"
