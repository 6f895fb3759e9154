"""The report of solved tasks: tables for the terminal, and JSON.

Both hold no date and no path, and are the same bytes for the same runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs
import msgspec
from rich import box
from rich.table import Table
from rich.text import Text

from skillsandbox.compiler.files import write_whole
from skillsandbox.runtime.metrics import (
    ArmFigures,
    LibraryEffect,
    SkillEffect,
    VerdictQuality,
    arm_figures,
    library_effect,
    skill_effects,
    verdict_quality,
)
from skillsandbox.runtime.report import VERDICT_WORDS, estimate_words, plain, signed, visible
from skillsandbox.runtime.report_data import estimate_data, figures_data
from skillsandbox.runtime.rollout import Trajectory
from skillsandbox.runtime.skill_library import REPORT_FILE, Evidence
from skillsandbox.runtime.solving import Solving, TaskResult

_ABSENT = "\N{EN DASH}"


@attrs.define(frozen=True, slots=False)
class SolveReport:
    """All figures of solved tasks; without a library there are those of one way of playing alone.

    `evidence` has what verification found of skills, by id.
    """

    solving: Solving
    evidence: Mapping[str, Evidence]

    @cached_property
    def without(self) -> ArmFigures:
        """Return the figures of the runs without skills."""
        return arm_figures([result.without for result in self.solving.results])

    @cached_property
    def with_library(self) -> ArmFigures | None:
        """Return the figures of the runs with skills, None where there is no library."""
        runs = [result.with_library for result in self.solving.results]
        return arm_figures([run for run in runs if run is not None]) if any(runs) else None

    @cached_property
    def effect(self) -> LibraryEffect | None:
        """Return what the library did, None where there is none."""
        return library_effect(self.solving.results) if self.with_library else None

    @cached_property
    def skills(self) -> tuple[SkillEffect, ...]:
        """Return what each skill of the library did."""
        return skill_effects([skill.id for skill in self.solving.skills], self.solving.results)

    @cached_property
    def verdicts(self) -> VerdictQuality | None:
        """Return how the verdicts agree with what the skills did, None where there are no verdicts."""
        return verdict_quality(self.skills, self.evidence)


def data(report: SolveReport) -> Any:
    """Return the report as JSON data; the runs themselves are in the journal."""
    effect, verdicts = report.effect, report.verdicts
    return {
        "inputs": report.solving.identity,
        "tasks": report.solving.description,
        "played": len(report.solving.results),
        "without": figures_data(report.without),
        "with_library": None if report.with_library is None else figures_data(report.with_library),
        "library": None if effect is None else _effect_data(effect),
        "skills": [_skill_data(one, report.evidence.get(one.id)) for one in report.skills],
        "verdicts": None if verdicts is None else _verdicts_data(verdicts),
        "results": [_result_data(result) for result in report.solving.results],
    }


def _effect_data(effect: LibraryEffect) -> dict[str, Any]:
    return {
        "recovered": effect.recovered,
        "regressed": effect.regressed,
        "recovery": estimate_data(effect.recovery),
        "regression": estimate_data(effect.regression),
        "mcnemar_p": float(effect.p),
    }


def _skill_data(effect: SkillEffect, evidence: Evidence | None) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(effect),
        "E": None if effect.effect is None else float(effect.effect),
        "helpful": effect.helpful,
        "verdict": None if evidence is None else evidence.verdict,
        "R": None if evidence is None else evidence.reliability,
    }


def _verdicts_data(verdicts: VerdictQuality) -> dict[str, Any]:
    keep = verdicts.keep
    shares = {
        "precision": keep.precision,
        "recall": keep.recall,
        "F1": keep.f1,
        "specificity": keep.specificity,
    }
    return {
        "judged": verdicts.judged,
        "counts": msgspec.to_builtins(keep),
        **{name: None if share is None else float(share) for name, share in shares.items()},
        "spearman": verdicts.spearman,
        "pearson": verdicts.pearson,
    }


def _result_data(result: TaskResult) -> dict[str, Any]:
    played = result.with_library
    return {
        "task": result.name,
        "instruction": result.instruction,
        "without": _run_data(result.without),
        "given": msgspec.to_builtins(result.given),
        "with_library": None if played is None else _run_data(played),
    }


def _run_data(run: Trajectory) -> dict[str, Any]:
    return {
        "success": run.success,
        "reward": run.reward,
        "steps": len(run.steps),
        "cited": sum(step.cites for step in run.steps),
    }


def write_report(report: SolveReport, folder: Path) -> Path:
    """Write report.json into a folder, whole or not at all; return its path."""
    path = folder / REPORT_FILE
    write_whole(path, json.dumps(data(report), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    return path


def tables(report: SolveReport) -> Iterator[Table]:
    """Yield the tables for a terminal: ways of playing, what the library did, its skills, the verdicts."""
    yield _arms_table(report)
    if report.effect is not None:
        yield _effect_table(report.effect)
    if report.skills:
        yield _skills_table(report)
    if report.verdicts is not None:
        yield _verdicts_table(report.verdicts)


def _table(*headings: str) -> Table:
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for number, heading in enumerate(headings):
        shown.add_column(heading, justify="right" if number else "left", overflow="fold")
    return shown


def _arms_table(report: SolveReport) -> Table:
    number = len(report.solving.results)
    shown = _table(f"{number} {'task' if number == 1 else 'tasks'}", "SR", "Score", "Steps")
    for name, figures in (("without skills", report.without), ("with the library", report.with_library)):
        if figures is not None:
            shown.add_row(
                name,
                estimate_words(figures.success_rate, 3),
                estimate_words(figures.score, 1),
                estimate_words(figures.steps, 1),
            )
    return shown


def _effect_table(effect: LibraryEffect) -> Table:
    shown = _table("Library", "Tasks", "Share")
    shown.add_row("Recovery", str(effect.recovered), estimate_words(effect.recovery, 3))
    shown.add_row("Regression", str(effect.regressed), estimate_words(effect.regression, 3))
    shown.add_row("McNemar's p", "", _p_value(effect.p))
    return shown


def _p_value(p: Fraction) -> str:
    return "< 0.001" if p < Fraction(1, 1000) else f"{float(p):.3f}"


def _skills_table(report: SolveReport) -> Table:
    shown = _table("Skill", "Given", "Cited", "Help", "Harm", "E", "R", "Verdict")
    for effect in report.skills:
        evidence = report.evidence.get(effect.id)
        counts = (effect.given, effect.cited, effect.helped, effect.harmed)
        shown.add_row(
            Text(visible(effect.id)),
            *map(str, counts),
            signed(effect.effect, 3),
            _ABSENT if evidence is None else f"{evidence.reliability:+.4f}",
            _ABSENT if evidence is None else VERDICT_WORDS[evidence.verdict],
        )
    return shown


def _verdicts_table(verdicts: VerdictQuality) -> Table:
    keep = verdicts.keep
    shown = _table("Keep against helpful", "Precision", "Recall", "F1", "Specificity", "Spearman", "Pearson")
    shown.add_row(
        f"{verdicts.judged} judged and given",
        *(plain(share) for share in (keep.precision, keep.recall, keep.f1, keep.specificity)),
        *(_ABSENT if one is None else f"{one:+.2f}" for one in (verdicts.spearman, verdicts.pearson)),
    )
    return shown
