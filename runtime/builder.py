"""Five valid, distinct scenarios for a skill, out of at most twenty candidates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import msgspec

from skillsandbox.runtime.journal import Journal
from skillsandbox.runtime.proposer import Attempt, Declined, Proposer
from skillsandbox.runtime.roles import Roles, ScenarioJudge
from skillsandbox.runtime.scoring import Judgement
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Refusal, Stage

SCENARIOS = 5
CANDIDATES = 20


@attrs.frozen
class Building:
    """What was tried for a skill, in order; and why no more, where the proposer had nothing to propose."""

    attempts: tuple[Attempt, ...]
    declined: Declined | None

    @property
    def scenarios(self) -> tuple[tuple[Candidate, BuiltScenario], ...]:
        """Return the valid scenarios with the candidates that they came from."""
        return tuple(
            (attempt.candidate, attempt.result)
            for attempt in self.attempts
            if isinstance(attempt.result, BuiltScenario)
        )

    @property
    def complete(self) -> bool:
        """Say whether there are as many scenarios as a verdict needs."""
        return len(self.scenarios) == SCENARIOS


def build_scenarios(
    skill: Skill, roles: Roles, stage: Stage, journal: Journal, tried: Callable[[Attempt], None]
) -> Building:
    """Try candidates, at most twenty, until there are five scenarios; each is journalled.

    A scenario that passes the deterministic checks is put before the judge, if there is one. `tried` is
    told of every attempt, those found in the journal included.
    """
    attempts: list[Attempt] = []
    building = Building((), None)
    while not building.complete and building.declined is None and len(attempts) < CANDIDATES:
        number = str(len(attempts))
        key = ("candidate", skill.id, number)
        if key not in journal:
            journal.record(key, _to_data(next_attempt(skill, building, roles.proposer, stage)))
        outcome = _from_data(journal[key])
        if isinstance(outcome, Declined):
            building = attrs.evolve(building, declined=outcome)
        else:
            attempts.append(_gated(skill, outcome, roles.scenario_judge, journal, number))
            building = attrs.evolve(building, attempts=tuple(attempts))
            tried(attempts[-1])
    return building


def next_attempt(skill: Skill, building: Building, proposer: Proposer, stage: Stage) -> Attempt | Declined:
    """Return the next candidate with what came of it, or why there is none."""
    candidate = proposer.propose(skill, building.attempts)
    if isinstance(candidate, Declined):
        return candidate
    siblings = [scenario for _, scenario in building.scenarios]
    result = stage.compile(candidate, siblings, skill.source)
    if isinstance(result, BuiltScenario) and any(result.digest == sibling.digest for sibling in siblings):
        result = Refusal(("the scenario is the same as an earlier one of this skill",))
    return Attempt(candidate, result)


def _gated(
    skill: Skill, attempt: Attempt, judge: ScenarioJudge | None, journal: Journal, number: str
) -> Attempt:
    """Return the attempt, refused where the judge says that the scenario is not what was asked for."""
    if judge is None or not isinstance(attempt.result, BuiltScenario):
        return attempt
    key = ("suitability", skill.id, number)
    if key not in journal:
        journal.record(key, msgspec.to_builtins(judge.meets(skill, attempt.result)))
    judgement = msgspec.convert(journal[key], Judgement)
    if judgement.holds:
        return attempt
    return Attempt(attempt.candidate, Refusal((f"the builder's judge: {judgement.reason}",)))


def _to_data(outcome: Attempt | Declined) -> Any:
    match outcome:
        case Declined():
            return {"declined": msgspec.to_builtins(outcome)}
        case Attempt(candidate=candidate, result=Refusal() as refusal):
            return {"candidate": msgspec.to_builtins(candidate), "refused": msgspec.to_builtins(refusal)}
        case Attempt(candidate=candidate, result=scenario):
            return {"candidate": msgspec.to_builtins(candidate), "built": msgspec.to_builtins(scenario)}


def _from_data(data: Any) -> Attempt | Declined:
    match data:
        case {"declined": declined}:
            return msgspec.convert(declined, Declined)
        case {"candidate": candidate, "refused": refusal}:
            return Attempt(msgspec.convert(candidate, Candidate), msgspec.convert(refusal, Refusal))
        case {"candidate": candidate, "built": scenario}:
            return Attempt(msgspec.convert(candidate, Candidate), msgspec.convert(scenario, BuiltScenario))
        case _:
            raise ValueError(f"not the record of a candidate: {data!r}")
