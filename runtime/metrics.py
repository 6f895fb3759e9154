"""What a library is worth on held-out tasks, and what verdicts on its skills were worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import fmean

import attrs

from skillsandbox.runtime.rollout import Trajectory, cites
from skillsandbox.runtime.skill_library import Evidence
from skillsandbox.runtime.solving import TaskResult
from skillsandbox.runtime.statistics import (
    Agreement,
    Interval,
    agreement,
    mcnemar,
    mean_interval,
    pearson,
    spearman,
    wilson,
)

MOST_SCORE = 100


@attrs.frozen
class Estimate:
    """A figure with its confidence interval, None where there are too few values for one."""

    value: float
    interval: Interval | None


@attrs.frozen
class ArmFigures:
    """One way of playing: the share of tasks solved (SR), the mean score from 0 to 100, the mean of steps.

    Steps are counted over all episodes, solved or not.
    """

    success_rate: Estimate
    score: Estimate
    steps: Estimate


@attrs.frozen
class LibraryEffect:
    """With the library against without: Recovery and Regression as shares of all tasks.

    `recovered` and `regressed` are their numbers, and `p` is that of McNemar's exact test on them.
    """

    recovered: int
    regressed: int
    recovery: Estimate
    regression: Estimate
    p: Fraction


@attrs.frozen
class SkillEffect:
    """A skill on the tasks that it was given for: how often it helped and harmed, and was cited.

    Helped: solved with the library, and not without. Harmed: the other way round.
    """

    id: str
    given: int
    cited: int
    helped: int
    harmed: int

    @property
    def effect(self) -> Fraction | None:
        """Return E, (Help - Harm) / n over the tasks that the skill was given for; None without any."""
        return Fraction(self.helped - self.harmed, self.given) if self.given else None

    @property
    def helpful(self) -> bool | None:
        """Say whether it helped more often than it harmed; None where it did neither more often."""
        return None if self.helped == self.harmed else self.helped > self.harmed


@attrs.frozen
class VerdictQuality:
    """How verdicts agree with effects: Keep against helpful, ties dropped, and R against E.

    `judged` is the number of skills with a verdict that were given at all: the correlations are of those.
    """

    keep: Agreement
    judged: int
    spearman: float | None
    pearson: float | None


def arm_figures(runs: Sequence[Trajectory]) -> ArmFigures:
    """Return the figures of one way of playing; raise `ValueError` where there are no runs."""
    if not runs:
        raise ValueError("figures need at least one run")
    solved = sum(run.success for run in runs)
    return ArmFigures(
        success_rate=_share(solved, len(runs)),
        score=_bounded(_mean([MOST_SCORE * run.reward for run in runs])),
        steps=_mean([float(len(run.steps)) for run in runs]),
    )


def library_effect(results: Sequence[TaskResult]) -> LibraryEffect:
    """Compare the two ways of playing on tasks that were played both ways."""
    recovered = sum(_helped(result) for result in results)
    regressed = sum(_harmed(result) for result in results)
    return LibraryEffect(
        recovered=recovered,
        regressed=regressed,
        recovery=_share(recovered, len(results)),
        regression=_share(regressed, len(results)),
        p=mcnemar(recovered, regressed),
    )


def skill_effects(ids: Sequence[str], results: Sequence[TaskResult]) -> tuple[SkillEffect, ...]:
    """Return what each skill did on the tasks that it was given for, in the order of the ids."""
    return tuple(_skill_effect(id, results) for id in ids)


def _skill_effect(id: str, results: Sequence[TaskResult]) -> SkillEffect:
    found = [result for result in results if any(one.id == id for one in result.given)]
    return SkillEffect(
        id=id,
        given=len(found),
        cited=sum(_cited(id, result) for result in found),
        helped=sum(_helped(result) for result in found),
        harmed=sum(_harmed(result) for result in found),
    )


def verdict_quality(
    effects: Sequence[SkillEffect], evidence: Mapping[str, Evidence]
) -> VerdictQuality | None:
    """Compare verdicts with effects; None where no skill has both."""
    judged = [
        (evidence[one.id], one.effect, one.helpful)
        for one in effects
        if one.id in evidence and one.effect is not None
    ]
    if not judged:
        return None
    reliabilities = [found.reliability for found, _, _ in judged]
    measured = [effect for _, effect, _ in judged if effect is not None]
    return VerdictQuality(
        keep=agreement([(found.kept, helpful) for found, _, helpful in judged if helpful is not None]),
        judged=len(judged),
        spearman=spearman(reliabilities, measured),
        pearson=pearson(reliabilities, measured),
    )


def _helped(result: TaskResult) -> bool:
    return result.with_library is not None and result.with_library.success and not result.without.success


def _harmed(result: TaskResult) -> bool:
    return result.with_library is not None and result.without.success and not result.with_library.success


def _cited(id: str, result: TaskResult) -> bool:
    run = result.with_library
    return run is not None and any(cites(step.rationale, id) for step in run.steps)


def _share(part: int, whole: int) -> Estimate:
    return Estimate(part / whole, wilson(part, whole))


def _mean(values: Sequence[float]) -> Estimate:
    return Estimate(fmean(values), mean_interval(values))


def _bounded(score: Estimate) -> Estimate:
    """Cut off what no score can be."""
    interval = score.interval
    if interval is None:
        return score
    return Estimate(score.value, Interval(max(0.0, interval.low), min(float(MOST_SCORE), interval.high)))
