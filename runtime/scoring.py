"""The Verifier's score: what a skill is worth on paired runs with and without it.

All arithmetic is exact (`fractions.Fraction`), so the sign of R, which is the verdict, never hangs on
rounding, and the same evidence gives the same verdict on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

import attrs

from skillsandbox.runtime.alignment import align, normalised
from skillsandbox.runtime.rollout import Step, Trajectory

DEFAULT_GAMMA = Fraction("0.95")
RESCORED_AT = (Fraction("0.9"), Fraction("0.95"), Fraction("0.99"))


class Verdict(StrEnum):
    """What the evidence says of a skill; the last two say that there is none."""

    KEEP = "keep"
    REJECT = "reject"
    TOO_FEW = "too few scenarios"
    NO_PROGRAM = "no program matches"


@attrs.frozen
class Remainder:
    """What is left of a run at a step: r (won in the end), t (the step, from 0), T (the run's actions)."""

    success: bool
    step: int
    length: int

    @property
    def remaining(self) -> int:
        """Return T - t: how many actions the run takes from this step on, this one included."""
        return self.length - self.step

    def utility(self, gamma: Fraction) -> Fraction:
        """Return r gamma^(T-t)."""
        return gamma**self.remaining if self.success else Fraction(0)


@attrs.frozen
class Judgement:
    """What a judge answered: yes or no, and why.

    `faults` says of each reply that could not be read what was wrong with it; after a second one the answer
    is the judge's default.
    """

    holds: bool
    reason: str
    faults: tuple[str, ...] = ()


@attrs.frozen
class KeptPair:
    """An aligned pair of steps that counts: the step with the skill, marked as using it, and the one without.

    `executed` is e: whether the action with the skill carries out the principle. A judge is asked only
    where the rule says so already; `judgement` is its answer.
    """

    executed: bool
    plus: Remainder
    minus: Remainder
    judgement: Judgement | None = None

    @property
    def by_rule(self) -> KeptPair:
        """Return the pair with e by rule only."""
        return KeptPair(self.executed or self.judgement is not None, self.plus, self.minus)

    def gain(self, gamma: Fraction) -> Fraction:
        """Return Δu = r⁺ gamma^(T⁺-t⁺) - r⁻ gamma^(T⁻-t⁻)."""
        return self.plus.utility(gamma) - self.minus.utility(gamma)


@attrs.frozen
class Comparison:
    """A pair of runs on one scenario, aligned: all aligned pairs of steps, and those that count."""

    aligned: tuple[tuple[int, int], ...]
    kept: tuple[KeptPair, ...]

    @property
    def exercised(self) -> bool:
        """Say whether the skill was used at any step that both runs share."""
        return bool(self.kept)

    @property
    def passing(self) -> tuple[int, ...]:
        """Return the steps with the skill that count and whose actions carry out the principle."""
        return tuple(pair.plus.step for pair in self.kept if pair.executed)

    @property
    def by_rule(self) -> Comparison:
        """Return the comparison with e by rule only."""
        return Comparison(self.aligned, tuple(pair.by_rule for pair in self.kept))

    def score(self, gamma: Fraction) -> Fraction:
        """Return the mean of e·Δu over the kept pairs; 0 where there is none."""
        if not self.kept:
            return Fraction(0)
        gains = (pair.gain(gamma) for pair in self.kept if pair.executed)
        return sum(gains, Fraction(0)) / len(self.kept)


@attrs.frozen
class Figures:
    """Three views of the kept pairs of all scenarios, each None where nothing speaks to it.

    executability: the mean of e over kept pairs. utility: the mean of r⁺ - r⁻ over kept pairs.
    efficiency: the mean of (T⁻-t⁻) - (T⁺-t⁺), the actions saved from the pair on, over kept pairs where
    both runs win.
    """

    executability: Fraction | None
    utility: Fraction | None
    efficiency: Fraction | None


def carried_out(step: Step) -> bool:
    """Judge e by rule only: the step cites the skill and its action was admissible."""
    return step.cites and step.admissible


def compare(
    plus: Trajectory, minus: Trajectory, judgements: Mapping[int, Judgement] = MappingProxyType({})
) -> Comparison:
    """Align two runs; keep for each distinct observation the earliest pair marked as using the skill.

    `judgements` has a judge's answers by the number of the step with the skill; without one, e is the rule's.
    """
    seen_plus = [normalised(step.observation) for step in plus.steps]
    seen_minus = [normalised(step.observation) for step in minus.steps]
    aligned = align(seen_plus, seen_minus)
    kept: dict[str, KeptPair] = {}
    for i, j in aligned:
        if plus.steps[i].cites:
            kept.setdefault(
                seen_plus[i],
                KeptPair(
                    executed=carried_out(plus.steps[i]) and (i not in judgements or judgements[i].holds),
                    plus=Remainder(plus.success, i, len(plus.steps)),
                    minus=Remainder(minus.success, j, len(minus.steps)),
                    judgement=judgements.get(i),
                ),
            )
    return Comparison(aligned, tuple(kept.values()))


def reliability(comparisons: Sequence[Comparison], gamma: Fraction = DEFAULT_GAMMA) -> Fraction:
    """Return R, the mean of the comparisons' scores; raise `ValueError` where there are none."""
    if not comparisons:
        raise ValueError("R needs at least one scenario")
    return sum((comparison.score(gamma) for comparison in comparisons), Fraction(0)) / len(comparisons)


def verdict(r: Fraction) -> Verdict:
    """Keep iff R > 0."""
    return Verdict.KEEP if r > 0 else Verdict.REJECT


def rescored(comparisons: Sequence[Comparison]) -> dict[Fraction, Fraction]:
    """Return R at each of the discounts of `RESCORED_AT`, from the same evidence."""
    return {gamma: reliability(comparisons, gamma) for gamma in RESCORED_AT}


def flips(comparisons: Sequence[Comparison], gamma: Fraction = DEFAULT_GAMMA) -> bool:
    """Say whether the verdict at one of the discounts of `RESCORED_AT` differs from that at `gamma`."""
    return any(verdict(r) != verdict(reliability(comparisons, gamma)) for r in rescored(comparisons).values())


def figures(comparisons: Iterable[Comparison]) -> Figures:
    """Return the three separate figures over the kept pairs of all comparisons."""
    pairs = [pair for comparison in comparisons for pair in comparison.kept]
    both_won = [pair for pair in pairs if pair.plus.success and pair.minus.success]
    return Figures(
        executability=_mean([int(pair.executed) for pair in pairs]),
        utility=_mean([pair.plus.success - pair.minus.success for pair in pairs]),
        efficiency=_mean([pair.minus.remaining - pair.plus.remaining for pair in both_won]),
    )


def _mean(values: Sequence[int]) -> Fraction | None:
    return Fraction(sum(values), len(values)) if values else None
