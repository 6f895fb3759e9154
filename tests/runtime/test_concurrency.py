"""Verification by several threads: the same reports as by one, and faults that lose nothing."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from corridor import CorridorStage, Seeker, verify_in

from skillsandbox.compiler.environment import Agent, Decision, Guidance, Situation, Unavailable
from skillsandbox.runtime.models.request import BudgetSpent
from skillsandbox.runtime.results import Settings
from skillsandbox.runtime.verification import Event, Stopping

EIGHT = Settings(concurrency=8)


def reports(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "report.html").read_bytes(), (folder / "report.json").read_bytes()


def journalled(folder: Path) -> list[bytes]:
    return sorted((folder / "journal.jsonl").read_bytes().splitlines())


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run by one thread."""
    folder = tmp_path_factory.mktemp("alone")
    verify_in(folder, CorridorStage())
    return folder


def test_reports_do_not_depend_on_the_number_of_threads_nor_on_who_ends_first(
    tmp_path: Path, alone: Path
) -> None:
    for number in range(5):
        verify_in(tmp_path / str(number), CorridorStage(), EIGHT)
        assert reports(tmp_path / str(number)) == reports(alone)
        assert journalled(tmp_path / str(number)) == journalled(alone)


class Waiting:
    """An agent that decides when others are about to decide too."""

    def __init__(self, agent: Agent, barrier: threading.Barrier) -> None:
        self.agent, self.barrier = agent, barrier

    def decide(self, situation: Situation) -> Decision:
        if not situation.past:
            self.barrier.wait(10)
        return self.agent.decide(situation)


class Meeting(CorridorStage):
    """A stage whose first eight agents wait for each other."""

    def __init__(self) -> None:
        super().__init__()
        self.barrier = threading.Barrier(8)

    def numbered_agent(self, number: int, guidance: Guidance | None) -> Agent:
        agent = Seeker(guidance)
        return Waiting(agent, self.barrier) if number <= 8 else agent


def test_eight_episodes_are_under_way_at_once_and_shared_runs_are_played_once(tmp_path: Path) -> None:
    stage = Meeting()
    verify_in(tmp_path, stage, EIGHT)
    assert not stage.barrier.broken
    assert stage.played == 25


class Stumbling:
    """An agent that fails at its second step."""

    def __init__(self, agent: Agent, fault: Exception) -> None:
        self.agent, self.fault = agent, fault

    def decide(self, situation: Situation) -> Decision:
        if situation.past:
            raise self.fault
        return self.agent.decide(situation)


@pytest.mark.parametrize("fault", [BudgetSpent("the budget is spent"), Unavailable("the engine crashed")])
def test_after_a_fault_the_same_command_goes_on_and_nothing_finished_is_done_again(
    tmp_path: Path, alone: Path, fault: Exception
) -> None:
    class Failing(CorridorStage):
        def numbered_agent(self, number: int, guidance: Guidance | None) -> Agent:
            agent = Seeker(guidance)
            return Stumbling(agent, fault) if number == 10 else agent

    events: list[Event] = []
    with pytest.raises(type(fault), match=str(fault)):
        verify_in(tmp_path, Failing(), EIGHT, events.append)
    assert Stopping() in events
    assert not (tmp_path / "report.html").exists()
    before = (tmp_path / "journal.jsonl").read_bytes()
    played_before = before.count(b'"key":["run"')
    stage = CorridorStage()
    verify_in(tmp_path, stage, EIGHT)
    assert (tmp_path / "journal.jsonl").read_bytes().startswith(before)
    assert stage.played == 25 - played_before
    assert reports(tmp_path) == reports(alone)
