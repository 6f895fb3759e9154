"""Replies that could not be read are counted in the report, arm by arm."""

from __future__ import annotations

from fractions import Fraction

from skillsandbox.runtime.builder import Building
from skillsandbox.runtime.report_data import data
from skillsandbox.runtime.results import PairedRun, Run, Settings, SkillResult, Verification
from skillsandbox.runtime.rollout import Step, Trajectory
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Candidate


def run(*faults: tuple[str, ...]) -> Run:
    steps = tuple(Step("You see a box.", "look", "look", "", True, False, found) for found in faults)
    return Run(0, Trajectory(steps, False, "", 0.0), ())


def test_replies_that_could_not_be_read_are_counted() -> None:
    pair = PairedRun(
        Candidate("a", "", 0),
        BuiltScenario("", "", "", (), ""),
        plus=run(("is empty", "is empty"), (), ("was cut off",)),
        minus=run((), ("is empty",)),
    )
    result = SkillResult(Skill("s", "c", "p", "", ""), Building((), None), (pair,), Fraction(1))
    episodes = data(Verification({}, Settings(), (result,)))["episodes"]
    assert episodes["with_skill"]["unreadable_replies"] == 3
    assert episodes["without_skill"]["unreadable_replies"] == 1
