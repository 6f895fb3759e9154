"""The skill library: skills with what verification found of them, and what it means to add some."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import attrs
import msgspec

from skillsandbox.runtime.scoring import Verdict
from skillsandbox.runtime.skills import (
    Skill,
    SkillEntry,
    SkillFileError,
    load_entries,
    own_entries,
)

REPORT_FILE = "report.json"
"""What `verify` writes into a run's folder."""

WITH_EVIDENCE = (Verdict.KEEP, Verdict.REJECT)


@attrs.frozen
class Evidence:
    """What verification found of a skill: R and the verdict, and the evidence that they rest on.

    `rescored` has R by discount, `scenarios` the digests of the scenarios, and `inputs` what determined the
    runs, such as environment and executor.
    """

    verdict: Verdict
    reliability: float
    rescored: Mapping[str, float] = attrs.field(hash=False)
    scenarios: tuple[str, ...]
    exercised: int
    inputs: Mapping[str, str] = attrs.field(hash=False)
    seed: int
    gamma: float

    @property
    def kept(self) -> bool:
        """Say whether the verdict is Keep."""
        return self.verdict is Verdict.KEEP

    def to_data(self) -> dict[str, Any]:
        """Return the evidence as JSON data, in which R goes by its name."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {"R" if name == "reliability" else name: value for name, value in data.items()}


@attrs.frozen
class LibrarySkill:
    """A skill of a library; `evidence` is None for one without a verdict.

    `further` has what else stands in its entry, which the library keeps.
    """

    skill: Skill
    evidence: Evidence | None = None
    further: Mapping[str, Any] = attrs.field(factory=dict, hash=False)

    @property
    def kept(self) -> bool:
        """Say whether a verification kept the skill."""
        return self.evidence is not None and self.evidence.kept


class Change(StrEnum):
    """What adding a skill does to a library."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@attrs.frozen
class Conflict:
    """A skill that cannot be added: the library has another one under its id."""

    present: Skill
    given: Skill

    def __str__(self) -> str:
        return (
            f"{self.given.id}: the library has another skill of this id ({self.present.origin}: "
            f"“{self.present.condition}”), and {self.given.origin} says “{self.given.condition}”"
        )


@attrs.frozen
class Merged:
    """A library after skills were added, and what that did to each; with conflicts nothing is added."""

    skills: tuple[LibrarySkill, ...]
    changes: tuple[tuple[LibrarySkill, Change], ...]
    conflicts: tuple[Conflict, ...]


def merged(library: Sequence[LibrarySkill], given: Iterable[LibrarySkill]) -> Merged:
    """Return a library with skills added behind those that it has.

    A skill of an id, condition and principle that the library has already is the same skill: what is new of
    its title, source and evidence replaces what is there. Another skill under a present id is a conflict.
    """
    skills = {one.skill.id: one for one in library}
    changes = []
    conflicts = []
    for one in given:
        present = skills.get(one.skill.id)
        if present is not None and not _same(present.skill, one.skill):
            conflicts.append(Conflict(present.skill, one.skill))
            continue
        after = one if present is None else _joined(present, one)
        changes.append((after, _change(present, after)))
        skills[one.skill.id] = after
    if conflicts:
        return Merged(tuple(library), (), tuple(conflicts))
    return Merged(tuple(skills.values()), tuple(changes), ())


def _same(one: Skill, other: Skill) -> bool:
    return (one.condition, one.principle) == (other.condition, other.principle)


def _joined(present: LibrarySkill, given: LibrarySkill) -> LibrarySkill:
    skill = attrs.evolve(
        present.skill,
        title=given.skill.title or present.skill.title,
        source=given.skill.source or present.skill.source,
    )
    further = {**present.further, **given.further}
    return LibrarySkill(skill, given.evidence or present.evidence, further)


def _change(present: LibrarySkill | None, after: LibrarySkill) -> Change:
    if present is None:
        return Change.ADDED
    return Change.UNCHANGED if after == present else Change.UPDATED


def read_library(path: Path, *, mistakes: bool = False) -> tuple[LibrarySkill, ...]:
    """Read the skills of a file or folder, in any format of skills, or those of a verification's report.

    Raises:
        SkillFileError: it cannot be read; an entry that is broken is named.
    """
    report = path / REPORT_FILE if path.is_dir() else path
    if report.name == REPORT_FILE and report.is_file():
        return _of_report(report)
    return tuple(_library_skill(path, entry) for entry in load_entries(path, mistakes=mistakes))


def read_own_library(path: Path) -> tuple[LibrarySkill, ...]:
    """Read a library that skills can be added to: JSON Lines of our own, or none yet.

    Raises:
        SkillFileError: it cannot be read, or is of another format, which rewriting would not keep.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return ()
    skills = read_library(path)
    if path.is_dir() or not _is_own(path):
        raise SkillFileError(
            path,
            None,
            "skills are added to JSON Lines alone, and this is another format.",
            "Name another library: all skills of this one can be added to it.",
        )
    return skills


def _is_own(path: Path) -> bool:
    """Say whether a file that can be read as skills has one of our entries on each line."""
    try:
        lines = [json.loads(line) for line in path.read_text("utf-8-sig").split("\n") if line.strip()]
    except ValueError:
        return False
    return all(isinstance(line, dict) and "id" in line for line in lines)


def _library_skill(path: Path, entry: SkillEntry) -> LibrarySkill:
    given = entry.further.get("verdict")
    further = {name: value for name, value in entry.further.items() if name != "verdict"}
    try:
        return LibrarySkill(entry.skill, None if given is None else _evidence(given), further)
    except msgspec.ValidationError as error:
        raise SkillFileError(
            path,
            entry.where,
            f"`verdict` is not of its form: {error}.",
            "Correct it, or leave `verdict` out and verify the skill again.",
        ) from error


def _evidence(data: Any) -> Evidence:
    """Return the evidence that `to_data` wrote; raise `msgspec.ValidationError` for anything else."""
    if isinstance(data, dict) and "reliability" not in data:
        data = {"reliability" if name == "R" else name: value for name, value in data.items()}
    evidence = msgspec.convert(data, Evidence)
    if evidence.verdict not in WITH_EVIDENCE:
        raise msgspec.ValidationError(
            f"{evidence.verdict.value!r} is no verdict on evidence - at `$.verdict`"
        )
    return evidence


def _of_report(path: Path) -> tuple[LibrarySkill, ...]:
    entries = own_entries(path, _report_entries(path, _read_report(path)))
    return tuple(_library_skill(path, entry) for entry in entries)


_REPORT_HELP = "Give the folder that `skillsandbox verify` wrote, or its report.json."


def _read_report(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise SkillFileError(
            path, None, f"{error.strerror}.", "Check the path and its permissions."
        ) from error
    except (ValueError, RecursionError) as error:
        raise SkillFileError(path, None, "this is not JSON.", _REPORT_HELP) from error


def _report_entries(path: Path, report: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the skills of a verification's report as entries of our own format."""
    try:
        for number, skill in enumerate(report["skills"], 1):
            entry = {name: skill[name] for name in ("id", "condition", "principle")}
            entry |= {name: skill[name] for name in ("title", "source") if skill.get(name)}
            if skill["verdict"] in WITH_EVIDENCE:
                entry["verdict"] = _reported_verdict(report, skill)
            yield f"skill {number}", entry
    except (LookupError, TypeError, AttributeError) as error:
        raise SkillFileError(path, None, "this is not the report of a verification.", _REPORT_HELP) from error


def _reported_verdict(report: Any, skill: Any) -> dict[str, Any]:
    return {
        **{name: skill[name] for name in ("verdict", "R", "rescored", "exercised")},
        "scenarios": [scenario["digest"] for scenario in skill["scenarios"]],
        **{name: report[name] for name in ("inputs", "seed", "gamma")},
    }
