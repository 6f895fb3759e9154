"""Writing skills to files that people and other agents read: JSON Lines, and folders of Agent Skills.

Both keep all that a library knows of a skill, and both are read again by `skill_library.read_library`.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import yaml

from skillsandbox.compiler.files import whole_folder, write_whole
from skillsandbox.runtime.skill_library import LibrarySkill
from skillsandbox.runtime.skills import METADATA_PREFIX, SKILL_FILE

LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
"""Of an Agent Skill, in characters: see https://agentskills.io/specification."""

_HASHED = 12
_LINE_BREAKS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""What stands in JSON texts as it is, and some readers take for the end of a line."""


def jsonl(skills: Iterable[LibrarySkill]) -> str:
    """Return skills as JSON Lines, one a line, in their order."""
    return "".join(f"{_line(skill)}\n" for skill in skills)


def _line(skill: LibrarySkill) -> str:
    return json.dumps(to_data(skill), ensure_ascii=False).translate(_LINE_BREAKS)


def to_data(skill: LibrarySkill) -> dict[str, Any]:
    """Return a skill of a library as JSON data: an entry of our own format."""
    one = skill.skill
    return {
        "id": one.id,
        **({"title": one.title} if one.title else {}),
        "condition": one.condition,
        "principle": one.principle,
        **_nested(skill),
    }


def _nested(skill: LibrarySkill) -> dict[str, Any]:
    source, evidence = skill.skill.source, skill.evidence
    return {
        **({} if source is None else {"source": msgspec.to_builtins(source)}),
        **({} if evidence is None else {"verdict": evidence.to_data()}),
        **skill.further,
    }


def write_jsonl(path: Path, skills: Iterable[LibrarySkill], *, new: bool = False) -> None:
    """Write skills as JSON Lines, whole or not at all.

    Raises:
        FileExistsError: the file is to be new, and is not.
    """
    if new and path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    write_whole(path, jsonl(skills))


def write_agent_skills(folder: Path, skills: Sequence[LibrarySkill]) -> None:
    """Write each skill as an Agent Skill into a new folder, which is there whole or not at all.

    Raises:
        FileExistsError: something is there already.
    """
    with whole_folder(folder) as draft:
        for name, skill in zip(skill_names([one.skill.id for one in skills]), skills, strict=True):
            write_whole(draft / name / SKILL_FILE, agent_skill(name, skill))


def skill_names(ids: Sequence[str]) -> tuple[str, ...]:
    """Return a name that an Agent Skill may have for each of distinct ids, no two alike.

    A name is the id in lower case with hyphens for all but letters and digits; where that is too long,
    empty or another's too, it ends in a hash of the id.
    """
    slugs = [re.sub(r"[^a-z0-9]+", "-", one.lower()).strip("-") for one in ids]
    counts = Counter(slugs)
    fits = {slug: 0 < len(slug) <= LONGEST_NAME and counts[slug] == 1 for slug in slugs}
    names = [slug if fits[slug] else _hashed(slug, one) for slug, one in zip(slugs, ids, strict=True)]
    if len(set(names)) < len(names):
        names = [_hashed(slug, one) for slug, one in zip(slugs, ids, strict=True)]
    return tuple(names)


def _hashed(slug: str, id: str) -> str:
    digest = hashlib.sha256(id.encode()).hexdigest()[:_HASHED]
    start = slug[: LONGEST_NAME - _HASHED - 1].strip("-")
    return f"{start}-{digest}" if start else digest


def agent_skill(name: str, skill: LibrarySkill) -> str:
    """Return the text of an Agent Skill's `SKILL.md`: the condition as description, the principle as body.

    What else there is, and what a front matter has no room for, stands in the metadata.
    """
    one = skill.skill
    description = _shortened(one.condition)
    body = _body(one.principle)
    exact = {
        "id": (one.id, name),
        "title": (one.title, name),
        "condition": (one.condition, description),
        "principle": (one.principle, body),
    }
    metadata = {key: text for key, (text, shown) in exact.items() if text != shown}
    metadata |= {key: json.dumps(value, ensure_ascii=False) for key, value in _nested(skill).items()}
    front: dict[str, Any] = {"name": name, "description": description}
    if metadata:
        front["metadata"] = {f"{METADATA_PREFIX}{key}": text for key, text in metadata.items()}
    return f"---\n{_yaml(front)}---\n\n{body}\n"


def _yaml(front: dict[str, Any]) -> str:
    # YAML takes these for line breaks, and as such they do not come back as they were.
    breaks = any(chr(code) in json.dumps(front, ensure_ascii=False) for code in _LINE_BREAKS)
    return yaml.safe_dump(front, allow_unicode=not breaks, sort_keys=False, width=10**6)


def _shortened(condition: str) -> str:
    if len(condition) <= LONGEST_DESCRIPTION:
        return condition
    return f"{condition[: LONGEST_DESCRIPTION - 1].rstrip()}…"


def _body(principle: str) -> str:
    """Return a principle as the body of a file of text, on which all readers agree."""
    text = principle.replace("\r\n", "\n").replace("\0", "\N{SYMBOL FOR NULL}")
    return text.strip()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes that do the same from reading and writing a file until the body has run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not the file itself: it is replaced by each writer.
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
