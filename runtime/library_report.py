"""A skill library as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rich import box
from rich.table import Table
from rich.text import Text

from skillsandbox.runtime.report import VERDICT_WORDS, signed, visible
from skillsandbox.runtime.skill_library import LibrarySkill

_ABSENT = "\N{EN DASH}"


def table(skills: Iterable[LibrarySkill]) -> Table:
    """Return skills with their verdicts, what they were learned from, and their conditions."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for heading in ("Skill", "R", "Verdict", "Learned from", "Condition"):
        shown.add_column(heading, justify="right" if heading == "R" else "left", overflow="fold")
    for skill in skills:
        shown.add_row(*(Text(visible(cell)) for cell in _cells(skill)))
    return shown


def _cells(skill: LibrarySkill) -> tuple[str, ...]:
    evidence, source = skill.evidence, skill.skill.source
    verdict = _ABSENT if evidence is None else VERDICT_WORDS[evidence.verdict]
    r = _ABSENT if evidence is None else signed(Fraction(evidence.reliability))
    learned = (
        _ABSENT if source is None else f"{'a success' if source.success else 'a failure'}: {source.task}"
    )
    return skill.skill.id, r, verdict, learned, skill.skill.condition
