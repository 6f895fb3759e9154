"""Verification end to end in a made-up world: verdicts, what is done once, and runs killed at any instant."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import attrs
import corridor
import pytest
from corridor import (
    LEFT,
    NARROW,
    RIGHT,
    SILENT,
    SKILLS,
    STRANGE,
    CorridorProposer,
    CorridorStage,
    ignore,
    verify_in,
)

from skillsandbox.runtime.builder import CANDIDATES, SCENARIOS
from skillsandbox.runtime.journal import JournalError, open_journal
from skillsandbox.runtime.proposer import Attempt, Declined
from skillsandbox.runtime.report_data import data
from skillsandbox.runtime.results import Settings, Verification
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.scoring import Verdict
from skillsandbox.runtime.skills import Skill, Source
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Refusal
from skillsandbox.runtime.verification import (
    CandidateTried,
    Event,
    RunFinished,
    SkillFinished,
    SkillStarted,
    run_inputs,
    verify,
)


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Verification:
    return verify_in(tmp_path_factory.mktemp("run"), CorridorStage())


def test_each_skill_gets_the_verdict_that_its_runs_speak_for(verified: Verification) -> None:
    verdicts = {result.skill.id: result.verdict for result in verified.results}
    assert verdicts == {
        RIGHT.id: Verdict.KEEP,
        LEFT.id: Verdict.REJECT,
        SILENT.id: Verdict.REJECT,
        NARROW.id: Verdict.TOO_FEW,
        STRANGE.id: Verdict.NO_PROGRAM,
    }


def test_every_verdict_is_explained_in_a_sentence(verified: Verification) -> None:
    # Right first saves both ways to the left wall: 4, 6, 8, 4, 6 actions at the first step, then none.
    # Wrongly right first costs both ways to the right wall: 4, 6, 8, 4, 6 actions at the first step.
    reasons = {result.skill.id: result.reason for result in verified.results}
    assert reasons == {
        RIGHT.id: "The skill was used in 5 of 5 scenarios; of these, 5 were solved with it and 5 "
        "without; where both solved the task, the run with it took 4 fewer actions on average "
        "from the steps that used it.",
        LEFT.id: "The skill was used in 5 of 5 scenarios; of these, 5 were solved with it and 5 "
        "without; where both solved the task, the run with it took 5.6 more actions on average "
        "from the steps that used it.",
        SILENT.id: "The executor never used the skill, so nothing speaks for it.",
        NARROW.id: "Only 3 of 5 scenarios could be built from 20 candidates; the most frequent complaint "
        "was: C1: too narrow.",
        STRANGE.id: "No program matches: there are no dragons.",
    }


def test_a_skill_used_only_where_the_other_run_never_comes_is_said_to_be_that(verified: Verification) -> None:
    right = verified.results[0]
    elsewhere = []
    for pair in right.pairs:
        steps = tuple(attrs.evolve(step, observation="Another room.") for step in pair.minus.trajectory.steps)
        trajectory = attrs.evolve(pair.minus.trajectory, steps=steps)
        elsewhere.append(attrs.evolve(pair, minus=attrs.evolve(pair.minus, trajectory=trajectory)))
    result = attrs.evolve(right, pairs=tuple(elsewhere))
    assert result.verdict is Verdict.REJECT
    assert result.reason == (
        "The skill was used only at steps that the other run does not share: nothing speaks for it."
    )


def test_r_of_a_corridor_by_hand(verified: Verification) -> None:
    pair = next(pair for pair in verified.results[0].pairs if pair.scenario.digest == "4-3")
    # From room 2: right, take (T = 2); without: left, left, right, right, right, take (T = 6).
    assert [len(run.trajectory.steps) for run in (pair.plus, pair.minus)] == [2, 6]
    gamma = Fraction("0.95")
    assert pair.comparison.score(gamma) == gamma**2 - gamma**6


def test_five_distinct_scenarios_and_not_more_than_twenty_candidates(verified: Verification) -> None:
    for result in verified.results[:3]:
        digests = [scenario.digest for _, scenario in result.building.scenarios]
        assert len(set(digests)) == len(digests) == SCENARIOS
    assert len(verified.results[3].building.attempts) == CANDIDATES
    assert verified.results[3].pairs == ()


def test_a_scenario_that_was_there_already_is_refused(tmp_path: Path) -> None:
    class Forgetful(CorridorProposer):
        def propose(self, skill: Skill, tried: Sequence[Attempt]) -> Candidate | Declined:
            return Candidate("lamp_right", "lamp right", len(tried) // 2)

    settings = Settings()
    with open_journal(tmp_path / "j", {}) as journal:
        verified = verify([RIGHT], CorridorStage(), Roles(Forgetful()), journal, settings, ignore)
    result = verified.results[0]
    complaints = [getattr(attempt.result, "complaints", ()) for attempt in result.building.attempts[:2]]
    assert complaints == [(), ("the scenario is the same as an earlier one of this skill",)]
    assert result.building.complete


def test_both_runs_on_a_scenario_have_the_same_executor_and_seed(verified: Verification) -> None:
    pairs = verified.results[0].pairs
    assert all(pair.plus.agent_seed == pair.minus.agent_seed for pair in pairs)
    assert len({pair.plus.agent_seed for pair in pairs}) == len(pairs)


def test_condition_checks_are_recorded_for_both_runs_and_do_not_gate(verified: Verification) -> None:
    pair = verified.results[0].pairs[0]
    assert [run.encounters[0].satisfied for run in (pair.plus, pair.minus)] == [False, True]


def test_progress_is_reported(tmp_path: Path) -> None:
    events: list[Event] = []
    stage, roles, settings = CorridorStage(), Roles(CorridorProposer()), Settings()
    for _ in range(2):
        with open_journal(tmp_path / "j", {}) as journal:
            verify([RIGHT, STRANGE], stage, roles, journal, settings, events.append)
    counts = Counter(map(type, events))
    tried = counts.pop(CandidateTried)
    assert tried >= 2 * SCENARIOS
    assert counts == {SkillStarted: 4, RunFinished: 4 * SCENARIOS, SkillFinished: 4}


def test_runs_without_a_skill_are_shared_by_skills_with_the_same_scenarios(tmp_path: Path) -> None:
    stage = CorridorStage()
    verify_in(tmp_path, stage)
    # RIGHT and SILENT have the same scenarios: 5 + 5 with them and 5 without; LEFT 10.
    assert stage.played == 25


def reports(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "report.html").read_bytes(), (folder / "report.json").read_bytes()


def test_a_run_continued_from_any_length_of_its_journal_gives_the_same_report(tmp_path: Path) -> None:
    stage = CorridorStage()
    verify_in(tmp_path / "whole", stage)
    journal = (tmp_path / "whole" / "journal.jsonl").read_bytes()
    lines = journal.splitlines(keepends=True)
    work = stage.played + stage.compiled
    for kept in range(0, len(lines) + 1, 3):
        folder = tmp_path / f"after-{kept}"
        folder.mkdir()
        torn = lines[kept][: len(lines[kept]) // 2] if kept < len(lines) else b""
        (folder / "journal.jsonl").write_bytes(b"".join(lines[:kept]) + torn)
        stage = CorridorStage()
        verify_in(folder, stage)
        assert reports(folder) == reports(tmp_path / "whole")
        assert (folder / "journal.jsonl").read_bytes() == journal
        # Every line but the header and the one that says that nothing matches is work not done again.
        done_before = sum(b'"declined"' not in line for line in lines[1:kept])
        assert stage.played + stage.compiled == work - done_before


def killed_after(folder: Path, events: int) -> None:
    """Verify in a process of its own and kill it once it has reported a number of events."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, corridor.__file__, str(folder)]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(events - 1):
            process.stdout.readline()
            process.stdin.write("\n")
        process.stdout.readline()
        process.kill()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("events", [1, 4, 9, 25])
def test_a_killed_process_is_continued_to_the_same_report(tmp_path: Path, events: int) -> None:
    verify_in(tmp_path / "whole", CorridorStage())
    whole = (tmp_path / "whole" / "journal.jsonl").read_bytes()
    killed_after(tmp_path / "killed", events)
    assert whole.startswith((tmp_path / "killed" / "journal.jsonl").read_bytes())
    assert not (tmp_path / "killed" / "report.html").exists()
    verify_in(tmp_path / "killed", CorridorStage())
    assert reports(tmp_path / "killed") == reports(tmp_path / "whole")


def test_other_skills_or_another_seed_are_another_run_but_another_discount_is_not(tmp_path: Path) -> None:
    verify_in(tmp_path, CorridorStage())
    with pytest.raises(JournalError, match="seed was 0, now 1"):
        verify_in(tmp_path, CorridorStage(), Settings(seed=1))
    inputs = run_inputs(SKILLS[:2], CorridorStage(), Roles(CorridorProposer()), Settings())
    with pytest.raises(JournalError, match="skills was"), open_journal(tmp_path / "journal.jsonl", inputs):
        pass
    stage = CorridorStage()
    rescored = verify_in(tmp_path, stage, Settings(gamma=Fraction("0.5")))
    assert stage.played == stage.compiled == 0
    pair = next(pair for pair in rescored.results[0].pairs if pair.scenario.digest == "4-3")
    assert pair.comparison.score(rescored.settings.gamma) == Fraction(1, 4) - Fraction(1, 64)


class Recording(CorridorStage):
    """A stage that keeps what it is told of where a skill was learned."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[Source | None] = []

    def compile(
        self, candidate: Candidate, siblings: Sequence[BuiltScenario], source: Source | None = None
    ) -> BuiltScenario | Refusal:
        self.sources.append(source)
        return super().compile(candidate, siblings, source)


def test_scenarios_are_built_with_where_the_skill_was_learned_in_view(tmp_path: Path) -> None:
    source = Source("corridor", "hall 1", "find the lamp", {}, True, "d", "solved", "m", 0)
    learned, stage, roles = attrs.evolve(RIGHT, source=source), Recording(), Roles(CorridorProposer())
    inputs = run_inputs([learned], stage, roles, Settings())
    assert inputs != run_inputs([RIGHT], stage, roles, Settings())
    with open_journal(tmp_path / "journal.jsonl", inputs) as journal:
        result = verify([learned], stage, roles, journal, Settings(), ignore)
    assert stage.sources == [source] * 5
    (reported,) = data(result)["skills"]
    assert reported["source"]["task"] == "hall 1"
