"""A made-up world for tests of verification: a corridor of rooms in one of which a lamp stands.

The executor looks for the lamp leftwards first and turns at the wall; told to go right, it does, and cites.
As a program, `python corridor.py FOLDER` verifies three skills, as the command line would.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from skillsandbox.compiler.environment import Agent, Decision, Exchange, Frame, Guidance, Situation
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.proposer import Attempt, Declined
from skillsandbox.runtime.report import write_report
from skillsandbox.runtime.results import Settings, Verification
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.skills import Skill, Source
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Encounter, Refusal
from skillsandbox.runtime.verification import Event, Listener, run_inputs, verify

STEP_LIMIT = 12

RIGHT = Skill("c/right", "The lamp is to the right.", "Go right first.", "Right first", "corridor")
LEFT = Skill("c/left", "The lamp is to the left.", "Go right first all the same.", "Wrong way", "corridor")
SILENT = Skill("c/silent", "The lamp is to the right.", "Think of the sea.", "", "corridor")
NARROW = Skill("c/narrow", "The corridor is narrow.", "Go right first.", "", "corridor")
STRANGE = Skill("c/strange", "There is a dragon.", "Run.", "", "corridor")
SKILLS = (RIGHT, LEFT, SILENT, NARROW, STRANGE)


class Corridor:
    """An episode: rooms 0 to `last`, the agent in the middle, the lamp in one of them."""

    history: tuple[Exchange, ...] = ()

    def __init__(self, last: int, lamp: int) -> None:
        self.last, self.lamp = last, lamp
        self.reset()

    def reset(self) -> Frame:
        self.room, self.won = self.last // 2, False
        return self._frame(f"You are in room {self.room}.")

    def step(self, command: str) -> Frame:
        if command not in self._admissible():
            return self._frame("Nothing happens.")
        match command:
            case "left":
                self.room -= 1
            case "right":
                self.room += 1
            case "take lamp":
                self.won = True
        return self._frame("You have the lamp." if self.won else f"You are in  room {self.room}.")

    def close(self) -> None:
        pass

    def _admissible(self) -> tuple[str, ...]:
        options = {"left": self.room > 0, "right": self.room < self.last, "take lamp": self.room == self.lamp}
        return tuple(command for command, possible in options.items() if possible)

    def _frame(self, observation: str) -> Frame:
        return Frame(observation, self._admissible(), self.won, self.won, float(self.won))


@attrs.frozen
class Seeker:
    """An executor that goes left to the wall, then right; or right first, where the skill says so."""

    guidance: Guidance | None

    def decide(self, situation: Situation) -> Decision:
        if "take lamp" in situation.admissible:
            return Decision("The lamp is here.", " take lamp ")
        if self.guidance is not None and "right" in self.guidance.principle:
            return self._with_skill(situation, self.guidance.id)
        turned = any(exchange.action == "right" for exchange in situation.past)
        return Decision("Looking.", "left" if "left" in situation.admissible and not turned else "right")

    def _with_skill(self, situation: Situation, skill_id: str) -> Decision:
        turned = any(exchange.action == "left" for exchange in situation.past)
        if "right" in situation.admissible and not turned:
            return Decision(f"By {skill_id}, right first.", "right")
        return Decision("Looking.", "left")


class CorridorStage:
    """A stage whose programs read `lamp left|right` or `narrow`; it counts what it does."""

    def __init__(self) -> None:
        self.compiled = self.played = self.agents = 0
        self.lock = threading.Lock()

    identity: Mapping[str, str] = {"environment": "corridor", "data": "1"}
    step_limit = STEP_LIMIT

    def compile(
        self, candidate: Candidate, siblings: Sequence[BuiltScenario], source: Source | None = None
    ) -> BuiltScenario | Refusal:
        with self.lock:
            self.compiled += 1
        if candidate.text == "narrow" and candidate.seed > 2:
            return Refusal(("C1: too narrow",))
        last = 4 + candidate.seed % 3 * 2
        lamp = last // 2 + (1 if candidate.text != "lamp left" else -1) * (1 + candidate.seed // 3 % 2)
        digest = f"{last}-{lamp}"
        return BuiltScenario(f"find the lamp <b>{digest}</b>", digest, candidate.text, ("wake up",), digest)

    def episode(self, scenario: BuiltScenario) -> Corridor:
        with self.lock:
            self.played += 1
        last, lamp = map(int, scenario.place.split("-"))
        return Corridor(last, lamp)

    def agent(self, guidance: Guidance | None, seed: int) -> Agent:
        with self.lock:
            self.agents += 1
            return self.numbered_agent(self.agents, guidance)

    def numbered_agent(self, number: int, guidance: Guidance | None) -> Agent:
        return Seeker(guidance)

    def encounters(self, scenario: BuiltScenario, commands: Sequence[str]) -> tuple[Encounter, ...]:
        return (Encounter("turned", "left" in commands and "right" in commands),)


class CorridorProposer:
    """Proposes the program that the condition names, seed after seed."""

    identity = "corridor"

    def propose(self, skill: Skill, tried: Sequence[Attempt]) -> Candidate | Declined:
        named = re.search(r"left|right|narrow", skill.condition)
        if named is None:
            return Declined("No program matches: there are no dragons.")
        text = "narrow" if named[0] == "narrow" else f"lamp {named[0]}"
        return Candidate(text.replace(" ", "_"), text, len(tried))


def ignore(event: Event) -> None:
    """Listen to nothing."""


def announce(event: Event) -> None:
    """Tell the parent process of an event, and go on only when it says so."""
    print(type(event).__name__, flush=True)
    sys.stdin.readline()


def verify_in(
    folder: Path,
    stage: CorridorStage,
    settings: Settings | None = None,
    listener: Listener = ignore,
    skills: Sequence[Skill] = SKILLS,
    roles: Roles = Roles(CorridorProposer()),  # noqa: B008 - it is frozen
) -> Verification:
    """Verify skills with a journal in a folder, and write the report there."""
    settings = settings or Settings()
    inputs = run_inputs(skills, stage, roles, settings)
    with open_journal(folder / "journal.jsonl", inputs) as journal:
        result = verify(skills, stage, roles, journal, settings, listener)
    write_report(result, folder)
    return result


if __name__ == "__main__":
    verify_in(Path(sys.argv[1]), CorridorStage(), listener=announce)
