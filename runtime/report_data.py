"""The report of a verification as JSON data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from skillsandbox.runtime.metrics import ArmFigures, Estimate, arm_figures
from skillsandbox.runtime.models.accounting import Tally
from skillsandbox.runtime.results import PairedRun, SkillResult, Verification
from skillsandbox.runtime.rollout import Trajectory
from skillsandbox.runtime.scoring import KeptPair
from skillsandbox.runtime.stage import BuiltScenario


def data(verification: Verification) -> Any:
    """Return the report as JSON data: for each skill verdict, figures, candidates and runs."""
    return {
        "inputs": dict(verification.identity),
        "seed": verification.settings.seed,
        "gamma": float(verification.settings.gamma),
        "episodes": {
            "with_skill": _arm_data(verification.with_skill),
            "without_skill": _arm_data(verification.without_skill),
        },
        "usage": {role: _usage_data(tally) for role, tally in verification.usage.items()},
        "skills": [_skill_data(result, judged=verification.judged) for result in verification.results],
    }


def _arm_data(runs: Sequence[Trajectory]) -> Any:
    if not runs:
        return None
    unreadable = sum(len(step.faults) for run in runs for step in run.steps)
    return {"episodes": len(runs), "unreadable_replies": unreadable, **figures_data(arm_figures(runs))}


def figures_data(figures: ArmFigures) -> dict[str, Any]:
    """Return the figures of one way of playing as JSON data."""
    return {
        "SR": estimate_data(figures.success_rate),
        "score": estimate_data(figures.score),
        "steps": estimate_data(figures.steps),
    }


def estimate_data(estimate: Estimate) -> dict[str, Any]:
    """Return a figure with its confidence interval as JSON data."""
    interval = estimate.interval
    ends = None if interval is None else [interval.low, interval.high]
    return {"value": estimate.value, "confidence_interval": ends}


def _usage_data(tally: Tally) -> Any:
    return {"requests": tally.requests, **msgspec.to_builtins(tally.usage)}


def _skill_data(result: SkillResult, *, judged: bool) -> Any:
    learned = result.skill.source
    source = {} if learned is None else {"source": msgspec.to_builtins(learned)}
    by_rule = {"R_by_rule": _number(result.r_by_rule)} if judged else {}
    return {
        "id": result.skill.id,
        "title": result.skill.title,
        "condition": result.skill.condition,
        "principle": result.skill.principle,
        "origin": result.skill.origin,
        **source,
        "verdict": result.verdict,
        "reason": result.reason,
        "R": _number(result.r),
        **by_rule,
        "rescored": {f"{float(gamma):g}": _number(r) for gamma, r in sorted(result.rescored.items())},
        "verdict_flips": result.flips,
        "executability": _number(result.figures.executability),
        "utility": _number(result.figures.utility),
        "efficiency": _number(result.figures.efficiency),
        "exercised": result.exercised,
        "candidates": [
            {"program": attempt.candidate.name, "seed": attempt.candidate.seed, **_outcome(attempt.result)}
            for attempt in result.building.attempts
        ],
        "scenarios": [_pair_data(pair, result) for pair in result.pairs],
    }


def _outcome(result: object) -> dict[str, Any]:
    if isinstance(result, BuiltScenario):
        return {"digest": result.digest, "complaints": []}
    return {"digest": None, **msgspec.to_builtins(result)}


def _pair_data(pair: PairedRun, result: SkillResult) -> Any:
    return {
        "program": pair.candidate.name,
        "seed": pair.candidate.seed,
        "digest": pair.scenario.digest,
        "instruction": pair.scenario.instruction,
        "history": list(pair.scenario.history),
        "score": _number(pair.comparison.score(result.gamma)),
        "aligned": [list(steps) for steps in pair.comparison.aligned],
        "kept": [_kept_data(kept, result.gamma) for kept in pair.comparison.kept],
        "with_skill": msgspec.to_builtins(pair.plus),
        "without_skill": msgspec.to_builtins(pair.minus),
    }


def _kept_data(kept: KeptPair, gamma: Fraction) -> Any:
    judgement = {} if kept.judgement is None else {"judgement": msgspec.to_builtins(kept.judgement)}
    return {
        "executed": kept.executed,
        "plus": msgspec.to_builtins(kept.plus),
        "minus": msgspec.to_builtins(kept.minus),
        "gain": _number(kept.gain(gamma)),
        **judgement,
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
