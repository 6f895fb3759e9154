"""Verification of skills: five scenarios each, on each a run with the skill and one without."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, as_completed
from functools import partial
from typing import Any

import attrs
import msgspec

from skillsandbox.compiler.environment import Agent, Decision, Exchange, Guidance, Situation
from skillsandbox.runtime.builder import Building, build_scenarios
from skillsandbox.runtime.crew import Crew, crew
from skillsandbox.runtime.journal import Journal, Key
from skillsandbox.runtime.proposer import Attempt, derived_seed
from skillsandbox.runtime.results import PairedRun, Run, Settings, SkillResult, Verification
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.rollout import rollout
from skillsandbox.runtime.scoring import Judgement
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Stage


@attrs.frozen
class SkillStarted:
    """Work on a skill begins."""

    skill: Skill


@attrs.frozen
class CandidateTried:
    """A candidate was built or refused."""

    skill: Skill
    attempt: Attempt


@attrs.frozen
class RunFinished:
    """One of a skill's episodes, with the skill or without, was played or found in the journal."""

    skill: Skill
    with_skill: bool
    run: Run


@attrs.frozen
class SkillFinished:
    """A skill has its verdict."""

    result: SkillResult


@attrs.frozen
class Stopping:
    """Nothing new is begun: something failed, or a person interrupts. What is under way ends first."""


Event = SkillStarted | CandidateTried | RunFinished | SkillFinished | Stopping
Listener = Callable[[Event], None]


def run_inputs(skills: Iterable[Skill], stage: Stage, roles: Roles, settings: Settings) -> dict[str, str]:
    """Return what determines a run's evidence: the header of its journal."""
    texts = json.dumps([_told(skill) for skill in skills])
    return {
        **stage.identity,
        **roles.identity,
        "skills": hashlib.sha256(texts.encode()).hexdigest(),
        "programs": roles.proposer.identity,
        "seed": str(settings.seed),
    }


def _told(skill: Skill) -> list[Any]:
    """Return what of a skill determines its evidence."""
    texts = [skill.id, skill.condition, skill.principle]
    return texts if skill.source is None else [*texts, msgspec.to_builtins(skill.source)]


def verify(
    skills: Sequence[Skill],
    stage: Stage,
    roles: Roles,
    journal: Journal,
    settings: Settings,
    listener: Listener,
) -> Verification:
    """Verify skills, several at once if `settings` say so; what the journal holds already is not done again.

    The journal is to be opened with `run_inputs`. The listener is told of one event at a time. An
    environment or a model that fails raises its own error, after which nothing new is begun; the journal
    has everything that was finished, and the run can be continued from it.
    """
    with crew(settings.concurrency) as workers:
        verifier = _Verifier(stage, roles, journal, settings, listener, workers)
        try:
            results = workers.lead(partial(verifier.verified, skill) for skill in skills)
        except BaseException:
            verifier.tell(Stopping())
            raise
    identity = {**stage.identity, **roles.identity}
    return Verification(identity, settings, results, judged=roles.step_judge is not None)


@attrs.frozen
class _PlannedRun:
    key: Key
    scenario: BuiltScenario
    guidance: Guidance | None
    agent_seed: int


@attrs.frozen
class _Verifier:
    """What the verification of every skill shares."""

    stage: Stage
    roles: Roles
    journal: Journal
    settings: Settings
    listener: Listener
    workers: Crew
    _listening: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def verified(self, skill: Skill) -> SkillResult:
        """Build a skill's scenarios one after another, then have its runs played and its steps judged."""
        self.tell(SkillStarted(skill))
        building = build_scenarios(skill, self.roles, self.stage, self.journal, partial(self._tried, skill))
        pairs = self._pairs(skill, building) if building.complete else ()
        result = SkillResult(skill, building, pairs, self.settings.gamma)
        self.tell(SkillFinished(result))
        return result

    def tell(self, event: Event) -> None:
        """Tell the listener of an event, one at a time."""
        with self._listening:
            self.listener(event)

    def _tried(self, skill: Skill, attempt: Attempt) -> None:
        self.tell(CandidateTried(skill, attempt))
        self.workers.go_on()

    def _pairs(self, skill: Skill, building: Building) -> tuple[PairedRun, ...]:
        planned = _planned(skill, building, self.settings)
        parts = {self.workers.part(run.key, partial(self._run, run)): run for run in planned}
        runs: dict[Key, Run] = {}
        for part in as_completed(parts):
            run = parts[part]
            runs[run.key] = part.result()
            self.tell(RunFinished(skill, run.guidance is not None, runs[run.key]))
        pairs = [
            PairedRun(*built, runs[_key(*built, skill)], runs[_key(*built, None)])
            for built in building.scenarios
        ]
        return self._judged(skill, pairs)

    def _run(self, planned: _PlannedRun) -> Run:
        """Play a run that the journal lacks; it is journalled as it ends."""
        if planned.key not in self.journal:
            self.journal.record(planned.key, msgspec.to_builtins(self._played(planned)))
        return msgspec.convert(self.journal[planned.key], Run)

    def _played(self, planned: _PlannedRun) -> Run:
        agent = _Watched(self.stage.agent(planned.guidance, planned.agent_seed), self.workers.go_on)
        episode = self.stage.episode(planned.scenario)
        try:
            trajectory = rollout(episode, agent, planned.guidance, self.stage.step_limit)
        finally:
            episode.close()
        encounters = self.stage.encounters(planned.scenario, trajectory.actions)
        return Run(planned.agent_seed, trajectory, encounters)

    def _judged(self, skill: Skill, pairs: Sequence[PairedRun]) -> tuple[PairedRun, ...]:
        """Have the steps judged that count and that the rule lets pass."""
        if self.roles.step_judge is None:
            return tuple(pairs)
        asked = [
            {
                kept.plus.step: self._judgement(skill, pair, kept.plus.step)
                for kept in pair.comparison.kept
                if kept.executed
            }
            for pair in pairs
        ]
        for future in as_completed([future for answers in asked for future in answers.values()]):
            future.result()
        return tuple(
            attrs.evolve(pair, judgements={step: future.result() for step, future in answers.items()})
            for pair, answers in zip(pairs, asked, strict=True)
        )

    def _judgement(self, skill: Skill, pair: PairedRun, number: int) -> Future[Judgement]:
        key = ("judgement", *_key(pair.candidate, pair.scenario, skill)[1:], str(number))
        return self.workers.part(key, partial(self._answer, key, skill, pair, number))

    def _answer(self, key: Key, skill: Skill, pair: PairedRun, number: int) -> Judgement:
        judge = self.roles.step_judge
        assert judge is not None
        if key not in self.journal:
            self.workers.go_on()
            steps = pair.plus.trajectory.steps
            past = tuple(Exchange(step.observation, step.action) for step in steps[:number])
            answer = judge.carries_out(skill, pair.scenario, past, steps[number])
            self.journal.record(key, msgspec.to_builtins(answer))
        return msgspec.convert(self.journal[key], Judgement)


@attrs.frozen
class _Watched:
    """An agent that is asked for no further action once the run is called off."""

    agent: Agent
    go_on: Callable[[], None]

    def decide(self, situation: Situation) -> Decision:
        self.go_on()
        return self.agent.decide(situation)


def _key(candidate: Candidate, scenario: BuiltScenario, skill: Skill | None) -> Key:
    """Name a run. Runs without a skill are named by program and scenario alone: skills share them."""
    arm = ("with", skill.id) if skill else ("without",)
    return ("run", candidate.name, str(candidate.seed), scenario.digest, *arm)


def _planned(skill: Skill, building: Building, settings: Settings) -> tuple[_PlannedRun, ...]:
    """Return ten runs; the two on one scenario have the same executor seed."""
    guidance = Guidance(skill.id, skill.condition, skill.principle)
    planned = []
    for candidate, scenario in building.scenarios:
        seed = derived_seed("executor", str(settings.seed), scenario.digest)
        planned.append(_PlannedRun(_key(candidate, scenario, skill), scenario, guidance, seed))
        planned.append(_PlannedRun(_key(candidate, scenario, None), scenario, None, seed))
    return tuple(planned)
