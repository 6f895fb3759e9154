"""Judges in a verification: what they are asked, what comes of their answers, and that nobody asks twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from io import StringIO
from pathlib import Path

import attrs
import pytest
from corridor import RIGHT, SILENT, CorridorProposer, CorridorStage, verify_in
from rich.console import Console

from skillsandbox.compiler.environment import Exchange
from skillsandbox.runtime import report
from skillsandbox.runtime.builder import CANDIDATES
from skillsandbox.runtime.journal import JournalError
from skillsandbox.runtime.models.accounting import Tally
from skillsandbox.runtime.models.request import BudgetSpent, Role, Usage
from skillsandbox.runtime.results import Settings
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.rollout import Step
from skillsandbox.runtime.scoring import Judgement, Verdict
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Refusal

EIGHT = Settings(concurrency=8)


@attrs.frozen
class StrictJudge:
    """Says no to every step in room 2, and fails when it is asked more often than it may be."""

    most: int = 1000
    asked: list[tuple[str, str, tuple[Exchange, ...], Step]] = attrs.field(factory=list, eq=False)
    identity: str = "strict"

    def carries_out(
        self, skill: Skill, scenario: BuiltScenario, past: Sequence[Exchange], step: Step
    ) -> Judgement:
        if len(self.asked) == self.most:
            raise BudgetSpent("the budget is spent")
        self.asked.append((skill.id, scenario.digest, tuple(past), step))
        return Judgement("room 2" not in step.observation, f"because of {step.observation}")


@attrs.frozen
class ShortCorridors:
    """Takes no scenario with more than seven rooms."""

    asked: list[str] = attrs.field(factory=list, eq=False)
    identity: str = "short corridors"

    def meets(self, skill: Skill, scenario: BuiltScenario) -> Judgement:
        self.asked.append(scenario.digest)
        return Judgement(not scenario.digest.startswith("8"), "that is too long")


def test_r_is_the_judges_and_the_rules_stands_beside_it(tmp_path: Path) -> None:
    judge = StrictJudge()
    verified = verify_in(tmp_path, CorridorStage(), EIGHT, roles=Roles(CorridorProposer(), step_judge=judge))
    plain = verify_in(tmp_path / "plain", CorridorStage())
    for result, without in zip(verified.results, plain.results, strict=True):
        assert result.r_by_rule == without.r
    right = verified.results[0]
    in_room_2 = [pair for pair in right.pairs if "room 2" in pair.plus.trajectory.steps[0].observation]
    assert in_room_2
    assert all(pair.comparison.score(right.gamma) == 0 for pair in in_room_2)
    assert right.r is not None
    assert right.r_by_rule is not None
    assert 0 < right.r < right.r_by_rule


def test_the_judge_is_asked_of_each_step_that_counts_and_told_only_what_went_before(tmp_path: Path) -> None:
    judge = StrictJudge()
    verified = verify_in(tmp_path, CorridorStage(), EIGHT, roles=Roles(CorridorProposer(), step_judge=judge))
    expected = [
        (result.skill.id, pair.scenario.digest, kept.plus.step)
        for result in verified.results
        for pair in result.pairs
        for kept in pair.comparison.by_rule.kept
        if kept.executed
    ]
    assert sorted((skill, digest, len(past)) for skill, digest, past, _ in judge.asked) == sorted(expected)
    assert any(past for _, _, past, _ in judge.asked)
    for skill, digest, past, step in judge.asked:
        result = next(result for result in verified.results if result.skill.id == skill)
        pair = next(pair for pair in result.pairs if pair.scenario.digest == digest)
        steps = pair.plus.trajectory.steps
        assert past == tuple(Exchange(one.observation, one.action) for one in steps[: len(past)])
        assert step == steps[len(past)]


def test_what_a_judge_answered_is_not_asked_again_and_the_report_is_the_same(tmp_path: Path) -> None:
    whole = StrictJudge()
    verify_in(tmp_path / "whole", CorridorStage(), roles=Roles(CorridorProposer(), step_judge=whole))
    poor, rich = StrictJudge(most=4), StrictJudge()
    with pytest.raises(BudgetSpent):
        verify_in(tmp_path / "cut", CorridorStage(), EIGHT, roles=Roles(CorridorProposer(), step_judge=poor))
    verify_in(tmp_path / "cut", CorridorStage(), EIGHT, roles=Roles(CorridorProposer(), step_judge=rich))
    assert sorted(map(repr, poor.asked + rich.asked)) == sorted(map(repr, whole.asked))
    for name in ("report.html", "report.json"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_scenario_that_the_builders_judge_does_not_take_is_a_refused_candidate(tmp_path: Path) -> None:
    judge = ShortCorridors()
    roles = Roles(CorridorProposer(), scenario_judge=judge)
    verified = verify_in(tmp_path, CorridorStage(), skills=(RIGHT,), roles=roles)
    (result,) = verified.results
    # Of the six corridors that there are, four are short enough.
    assert result.verdict is Verdict.TOO_FEW
    assert len(result.building.scenarios) == 4
    assert len(result.building.attempts) == CANDIDATES
    refused = [one.result for one in result.building.attempts if isinstance(one.result, Refusal)]
    assert Refusal(("the builder's judge: that is too long",)) in refused
    asked = len(judge.asked)
    verify_in(tmp_path, CorridorStage(), skills=(RIGHT,), roles=roles)
    assert len(judge.asked) == asked


def test_a_run_with_a_judge_is_another_run_than_one_without(tmp_path: Path) -> None:
    verify_in(tmp_path, CorridorStage())
    with pytest.raises(JournalError, match="verifier's judge was not given, now strict"):
        verify_in(tmp_path, CorridorStage(), roles=Roles(CorridorProposer(), step_judge=StrictJudge()))


def test_the_report_shows_both_figures_the_judges_reasons_and_what_models_took(tmp_path: Path) -> None:
    roles = Roles(CorridorProposer(), step_judge=StrictJudge())
    judged = verify_in(tmp_path, CorridorStage(), roles=roles)
    usage = {
        Role.EXECUTOR: Tally(3, Usage(1200, 34, 0, Decimal("0.0021"))),
        Role.PROPOSER: Tally(1, Usage(9, 1)),
    }
    verified = attrs.evolve(judged, usage=usage)
    page = report.html(verified)
    assert "Judge: because of You are in room 2." in page
    assert "executor: 3 requests, 1,200 tokens read, 34 tokens written, $0.0021" in page
    assert "proposer: 1 request, 9 tokens read, 1 token written, at an unknown price" in page
    right = json.loads(json.dumps(report.data(verified)))["skills"][0]
    assert 0 < right["R"] < right["R_by_rule"]
    (kept,) = next(pair for pair in right["scenarios"] if pair["digest"] == "4-3")["kept"]
    assert (kept["executed"], kept["judgement"]["holds"]) == (False, False)
    lines = shown(verified).splitlines()
    assert "R by" in lines[1]
    assert all(len(line) <= 80 for line in lines)


def test_the_silent_skill_has_nothing_to_judge(tmp_path: Path) -> None:
    judge = StrictJudge()
    verify_in(tmp_path, CorridorStage(), skills=(SILENT,), roles=Roles(CorridorProposer(), step_judge=judge))
    assert judge.asked == []


def shown(verified: report.Verification) -> str:
    console = Console(file=StringIO(), width=80, color_system=None)
    console.print(report.table(verified))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()
