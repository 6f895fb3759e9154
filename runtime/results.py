"""What came of a verification: for each skill the scenarios, the runs on them, and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import attrs

from skillsandbox.runtime.builder import SCENARIOS, Building
from skillsandbox.runtime.models.accounting import Tally
from skillsandbox.runtime.models.request import Role
from skillsandbox.runtime.rollout import Trajectory
from skillsandbox.runtime.scoring import (
    DEFAULT_GAMMA,
    Comparison,
    Figures,
    Judgement,
    Verdict,
    compare,
    figures,
    flips,
    reliability,
    rescored,
    verdict,
)
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Encounter


@attrs.frozen
class Settings:
    """How skills are verified: the run's seed, the discount gamma, and how many episodes are played at once.

    The last two have no part in the evidence: a run can be continued, or scored again, with others.
    """

    seed: int = 0
    gamma: Fraction = DEFAULT_GAMMA
    concurrency: int = attrs.field(default=1, validator=attrs.validators.ge(1))


@attrs.frozen
class Run:
    """A recorded run: the executor's seed, what it did, and which condition checks its run satisfied."""

    agent_seed: int
    trajectory: Trajectory
    encounters: tuple[Encounter, ...]


@attrs.define(frozen=True, slots=False)
class PairedRun:
    """A scenario, and the runs on it with the skill and without.

    `judgements` has the judge's answers, if there is one, by the number of the step with the skill.
    """

    candidate: Candidate
    scenario: BuiltScenario
    plus: Run
    minus: Run
    judgements: Mapping[int, Judgement] = attrs.field(factory=dict)

    @cached_property
    def comparison(self) -> Comparison:
        """Return the aligned runs and the pairs of steps that count."""
        return compare(self.plus.trajectory, self.minus.trajectory, self.judgements)


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
    def r_by_rule(self) -> Fraction | None:
        """Return R with e by rule only, or None where there is no evidence."""
        if not self.pairs:
            return None
        return reliability([comparison.by_rule for comparison in self.comparisons], self.gamma)

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
    """What came of all skills, in the order in which they were given.

    `judged` says that a judge had a say in e. `usage` is what the run took of language models, by role.
    """

    identity: Mapping[str, str]
    settings: Settings
    results: tuple[SkillResult, ...]
    judged: bool = False
    usage: Mapping[Role, Tally] = attrs.field(factory=dict)

    @property
    def with_skill(self) -> tuple[Trajectory, ...]:
        """Return all episodes with a skill."""
        return tuple(pair.plus.trajectory for result in self.results for pair in result.pairs)

    @property
    def without_skill(self) -> tuple[Trajectory, ...]:
        """Return all episodes without one, each once, whichever skills share it."""
        found = {
            (pair.candidate.name, pair.candidate.seed, pair.scenario.digest): pair.minus.trajectory
            for result in self.results
            for pair in result.pairs
        }
        return tuple(found.values())


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
        return f"{sentence}, but {_why_none_carried_out(shown)}."
    saved = result.figures.efficiency
    if saved is None:
        return f"{sentence}."
    return f"{sentence}; where both solved the task, {_actions_saved(saved)} from the steps that used it."


def _why_none_carried_out(shown: Sequence[PairedRun]) -> str:
    if any(kept.judgement is not None for pair in shown for kept in pair.comparison.kept):
        return "no action that cited it carried it out, as the judge sees it"
    return "no action that cited it was admissible"


def _actions_saved(saved: Fraction) -> str:
    if saved == 0:
        return "the run with it took as many actions"
    more_or_fewer = "fewer" if saved > 0 else "more"
    amount = f"{abs(float(saved)):.1f}".removesuffix(".0")
    return f"the run with it took {amount} {more_or_fewer} action{'' if amount == '1' else 's'} on average"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
