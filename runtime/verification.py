"""Verification of skills: five scenarios each, on each a run with the skill and one without."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import attrs
import msgspec

from skillsandbox.compiler.environment import Guidance
from skillsandbox.runtime.builder import SCENARIOS, Building, build_scenarios
from skillsandbox.runtime.journal import Journal, Key
from skillsandbox.runtime.proposer import Attempt, Proposer, derived_seed
from skillsandbox.runtime.rollout import Trajectory, rollout
from skillsandbox.runtime.scoring import (
    DEFAULT_GAMMA,
    Comparison,
    Figures,
    Verdict,
    compare,
    figures,
    flips,
    reliability,
    rescored,
    verdict,
)
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Encounter, Stage


@attrs.frozen
class Settings:
    """How skills are verified: the run's seed, and the discount gamma.

    Gamma has no part in the evidence: a run can be continued, or scored again, with another.
    """

    seed: int = 0
    gamma: Fraction = DEFAULT_GAMMA


@attrs.frozen
class Run:
    """A recorded run: the executor's seed, what it did, and which condition checks its run satisfied."""

    agent_seed: int
    trajectory: Trajectory
    encounters: tuple[Encounter, ...]


@attrs.define(frozen=True, slots=False)
class PairedRun:
    """A scenario, and the runs on it with the skill and without."""

    candidate: Candidate
    scenario: BuiltScenario
    plus: Run
    minus: Run

    @cached_property
    def comparison(self) -> Comparison:
        """Return the aligned runs and the pairs of steps that count."""
        return compare(self.plus.trajectory, self.minus.trajectory)


@attrs.define(frozen=True, slots=False)
class SkillResult:
    """What came of one skill; without five scenarios there are no pairs."""

    skill: Skill
    building: Building
    pairs: tuple[PairedRun, ...]
    gamma: Fraction

    @property
    def verdict(self) -> Verdict:
        """Return Keep or Reject where there is evidence, else what was missing."""
        if self.r is not None:
            return verdict(self.r)
        nothing_proposed = self.building.declined is not None and not self.building.attempts
        return Verdict.NO_PROGRAM if nothing_proposed else Verdict.TOO_FEW

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Return the comparisons, one for each scenario."""
        return tuple(pair.comparison for pair in self.pairs)

    @property
    def r(self) -> Fraction | None:
        """Return R, or None where there is no evidence."""
        return reliability(self.comparisons, self.gamma) if self.pairs else None

    @property
    def rescored(self) -> Mapping[Fraction, Fraction]:
        """Return R at other discounts, from the same evidence."""
        return rescored(self.comparisons) if self.pairs else {}

    @property
    def flips(self) -> bool:
        """Say whether another discount gives another verdict."""
        return bool(self.pairs) and flips(self.comparisons, self.gamma)

    @property
    def figures(self) -> Figures:
        """Return executability, utility and efficiency."""
        return figures(self.comparisons)

    @property
    def exercised(self) -> int:
        """Return in how many scenarios the skill was used at a step that both runs share."""
        return sum(comparison.exercised for comparison in self.comparisons)

    @property
    def cited(self) -> bool:
        """Say whether any step of any run cites the skill, aligned or not."""
        return any(step.cites for pair in self.pairs for step in pair.plus.trajectory.steps)

    @property
    def reason(self) -> str:
        """Say in one plain sentence why the verdict is what it is."""
        return _reason(self)


@attrs.frozen
class Verification:
    """What came of all skills, in the order in which they were given."""

    identity: Mapping[str, str]
    settings: Settings
    results: tuple[SkillResult, ...]


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
    """One of a skill's episodes was played, or found in the journal."""

    skill: Skill


@attrs.frozen
class SkillFinished:
    """A skill has its verdict."""

    result: SkillResult


Event = SkillStarted | CandidateTried | RunFinished | SkillFinished
Listener = Callable[[Event], None]


def run_inputs(
    skills: Iterable[Skill], stage: Stage, proposer: Proposer, settings: Settings
) -> dict[str, str]:
    """Return what determines a run's evidence: the header of its journal."""
    texts = json.dumps([[skill.id, skill.condition, skill.principle] for skill in skills])
    return {
        **stage.identity,
        "skills": hashlib.sha256(texts.encode()).hexdigest(),
        "programs": proposer.identity,
        "seed": str(settings.seed),
    }


def verify(
    skills: Sequence[Skill],
    stage: Stage,
    proposer: Proposer,
    journal: Journal,
    settings: Settings,
    listener: Listener,
) -> Verification:
    """Verify skills one after another; what the journal holds already is not done again.

    The journal is to be opened with `run_inputs`. An environment that fails raises its own error and
    leaves a journal from which the run can be continued.
    """
    results = []
    for skill in skills:
        listener(SkillStarted(skill))
        result = _verify_skill(skill, stage, proposer, journal, settings, listener)
        results.append(result)
        listener(SkillFinished(result))
    return Verification(dict(stage.identity), settings, tuple(results))


def _verify_skill(
    skill: Skill, stage: Stage, proposer: Proposer, journal: Journal, settings: Settings, listener: Listener
) -> SkillResult:
    building = build_scenarios(
        skill, proposer, stage, journal, lambda attempt: listener(CandidateTried(skill, attempt))
    )
    if not building.complete:
        return SkillResult(skill, building, (), settings.gamma)
    planned = _planned(skill, building, settings)
    runs = _play(planned, stage, journal, lambda: listener(RunFinished(skill)))
    pairs = tuple(
        PairedRun(
            candidate, scenario, runs[_key(candidate, scenario, skill)], runs[_key(candidate, scenario, None)]
        )
        for candidate, scenario in building.scenarios
    )
    return SkillResult(skill, building, pairs, settings.gamma)


@attrs.frozen
class _PlannedRun:
    key: Key
    scenario: BuiltScenario
    guidance: Guidance | None
    agent_seed: int


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


def _play(
    planned: Sequence[_PlannedRun], stage: Stage, journal: Journal, finished: Callable[[], None]
) -> dict[Key, Run]:
    """Play what the journal lacks; each run is journalled as it ends."""
    for run in planned:
        if run.key not in journal:
            journal.record(run.key, msgspec.to_builtins(_played(run, stage)))
        finished()
    return {run.key: msgspec.convert(journal[run.key], Run) for run in planned}


def _played(run: _PlannedRun, stage: Stage) -> Run:
    episode = stage.episode(run.scenario)
    try:
        trajectory = rollout(
            episode, stage.agent(run.guidance, run.agent_seed), run.guidance, stage.step_limit
        )
    finally:
        episode.close()
    return Run(run.agent_seed, trajectory, stage.encounters(run.scenario, trajectory.actions))


def _reason(result: SkillResult) -> str:
    match result.verdict:
        case Verdict.NO_PROGRAM if result.building.declined:
            return result.building.declined.reason
        case Verdict.TOO_FEW:
            return _why_too_few(result.building)
        case _ if not result.exercised and result.cited:
            return (
                "The skill was used only at steps that the other run does not share: nothing speaks for it."
            )
        case _ if not result.exercised:
            return "The executor never used the skill, so nothing speaks for it."
        case _:
            return _what_the_runs_show(result)


def _why_too_few(building: Building) -> str:
    complaints = Counter(
        complaint
        for attempt in building.attempts
        if not isinstance(attempt.result, BuiltScenario)
        for complaint in attempt.result.complaints
    )
    built = f"Only {len(building.scenarios)} of {SCENARIOS} scenarios could be built"
    tried = f"from {_counted(len(building.attempts), 'candidate')}"
    if not complaints:
        return f"{built} {tried}."
    most = min(complaints, key=lambda complaint: (-complaints[complaint], complaint))
    return f"{built} {tried}; the most frequent complaint was: {most.rstrip('.')}."


def _what_the_runs_show(result: SkillResult) -> str:
    shown = [pair for pair in result.pairs if pair.comparison.exercised]
    plus = sum(pair.plus.trajectory.success for pair in shown)
    minus = sum(pair.minus.trajectory.success for pair in shown)
    sentence = (
        f"The skill was used in {len(shown)} of {len(result.pairs)} scenarios; "
        f"of these, {plus} were solved with it and {minus} without"
    )
    if result.figures.executability == 0:
        return f"{sentence}, but no action that cited it was admissible."
    saved = result.figures.efficiency
    if saved is None:
        return f"{sentence}."
    return f"{sentence}; where both solved the task, {_actions_saved(saved)} from the steps that used it."


def _actions_saved(saved: Fraction) -> str:
    if saved == 0:
        return "the run with it took as many actions"
    more_or_fewer = "fewer" if saved > 0 else "more"
    amount = f"{abs(float(saved)):.1f}".removesuffix(".0")
    return f"the run with it took {amount} {more_or_fewer} action{'' if amount == '1' else 's'} on average"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
