"""Skills: a condition and a principle, read from the formats in which skills are found.

Four formats are told apart by their content, not by the file's name:

- our own: a JSON list of entries, a single entry, or one entry on each line (JSON Lines). An entry is
  `{"id": …, "condition": …, "principle": …}` with an optional `"title"`, all non-empty texts, and an optional
  `"source"` with the fields of `Source`;
- SkillRL's `*_skills.json`: `general_skills`, `task_specific_skills` by type and `common_mistakes`;
- an Agent Skill: a folder with a `SKILL.md` (YAML front matter with `name` and `description`, then the body),
  or that file itself; see https://agentskills.io/specification. Those that this project wrote keep in their
  `metadata` what the specification has no room for;
- a folder of Agent Skills.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import frontmatter
import msgspec
import yaml

SIZE_LIMIT = 16 * 1024 * 1024
SKILL_FILE = "SKILL.md"
METADATA_PREFIX = "skillsandbox-"
"""Begins the keys of this project's in an Agent Skill's metadata: `id`, `title`, `condition`, … and JSON."""

_OWN_FORM = 'an entry such as {"id": "s1", "condition": "…", "principle": "…"}'
_TEXT_FIELDS = frozenset({"id", "condition", "principle", "title"})
_SKILL_FIELDS = _TEXT_FIELDS | {"source"}
_BLANK_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@attrs.frozen
class Source:
    """What a skill was learned from: a task of an environment, and a model's run on it.

    `values` are those that scenarios for the skill have to differ from, by type. `trajectory` is a hash of
    the run, `summary` the run in a line. `model` is the one that wrote the skill down.
    """

    environment: str
    task: str
    instruction: str
    values: Mapping[str, tuple[str, ...]] = attrs.field(hash=False)
    success: bool
    trajectory: str
    summary: str
    model: str
    seed: int


@attrs.frozen
class Skill:
    """A skill: when its condition arises, do as its principle says. `origin` says where it was read.

    `source` is None where it is not known what the skill was learned from.
    """

    id: str
    condition: str
    principle: str
    title: str
    origin: str
    source: Source | None = None


@attrs.frozen
class SkillEntry:
    """A skill as it stands in a file: where, and what else its entry says, which is not the skill's."""

    skill: Skill
    where: str
    further: Mapping[str, object]


@attrs.frozen
class SkillFileError(Exception):
    """A skill file that cannot be read: which file, where in it, what was expected, and what to do."""

    path: Path
    where: str | None
    problem: str
    help: str

    def __str__(self) -> str:
        place = f"{self.path}, {self.where}" if self.where else str(self.path)
        return f"{place}: {self.problem}\n  help: {self.help}"


def load_skills(path: Path, *, mistakes: bool = False) -> tuple[Skill, ...]:
    """Read the skills of a file or folder, in the order in which they stand there (folders by name).

    `mistakes` asks for SkillRL's `common_mistakes` too: description → condition, how_to_avoid → principle.
    Raises `SkillFileError`; an id that occurs twice is an error.
    """
    return tuple(entry.skill for entry in load_entries(path, mistakes=mistakes))


def load_entries(path: Path, *, mistakes: bool = False) -> tuple[SkillEntry, ...]:
    """Read the skills of a file or folder as `load_skills` does, with what else their entries say."""
    entries = tuple(_from_folder(path)) if path.is_dir() else tuple(_from_file(path, mistakes=mistakes))
    if not entries:
        raise SkillFileError(path, None, "there are no skills in it.", f"Give {_OWN_FORM}.")
    _refuse_duplicates(path, [entry.skill for entry in entries])
    return entries


def _from_folder(folder: Path) -> Iterator[SkillEntry]:
    own = folder / SKILL_FILE
    files = [own] if own.is_file() else sorted(folder.glob(f"*/{SKILL_FILE}"))
    if not files:
        raise SkillFileError(
            folder,
            None,
            f"expected a {SKILL_FILE} in this folder, or folders that hold one each; found neither.",
            "Give an Agent Skill's folder, a folder of such folders, or a JSON file of skills.",
        )
    for file in files:
        yield _agent_skill(file, _read(file))


def _from_file(path: Path, *, mistakes: bool) -> Iterator[SkillEntry]:
    text = _read(path)
    if text.startswith("---") or path.name == SKILL_FILE:
        yield _agent_skill(path, text)
    elif _is_json_lines(text):
        yield from own_entries(path, _json_lines(path, text))
    else:
        yield from _from_json(path, _json(path, text), mistakes=mistakes)


def _from_json(path: Path, data: Any, *, mistakes: bool) -> Iterator[SkillEntry]:
    match data:
        case list():
            yield from own_entries(path, ((f"entry {n}", item) for n, item in enumerate(data, 1)))
        case {"general_skills": _} | {"task_specific_skills": _} | {"common_mistakes": _}:
            yield from (SkillEntry(one, "", {}) for one in _skillrl(path, data, mistakes=mistakes))
        case dict():
            yield from own_entries(path, [("the only entry", data)])
        case _:
            raise SkillFileError(path, None, f"expected skills, found {_kind(data)}.", f"Give {_OWN_FORM}.")


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > SIZE_LIMIT:
            limit = SIZE_LIMIT // (1024 * 1024)
            raise SkillFileError(
                path,
                None,
                f"the file is larger than {limit} MiB.",
                "Split it, or check that it is a skill file.",
            )
        raw = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "the file cannot be read"
        raise SkillFileError(path, None, f"{reason}.", "Check the path and its permissions.") from error
    text = _decode(path, raw)
    if not text.strip():
        raise SkillFileError(path, None, "the file is empty.", f"Write {_OWN_FORM} into it.")
    return text.replace("\r\n", "\n")


def _decode(path: Path, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SkillFileError(
            path,
            f"byte {error.start}",
            "expected a text in UTF-8, found something else.",
            "Save the file as UTF-8, or check that it is a skill file.",
        ) from error
    if "\0" in text:
        raise SkillFileError(
            path, f"character {text.index(chr(0))}", "this is a binary file.", "Give a JSON or SKILL.md file."
        )
    return text


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SkillFileError(
            path,
            f"line {error.lineno}, column {error.colno}",
            f"this is not JSON: {error.msg}.",
            "Correct it there, or give a file in one of the formats of skill files.",
        ) from error
    except (RecursionError, ValueError) as error:
        raise SkillFileError(
            path, None, "the JSON is nested too deeply or holds too long a number.", f"Give {_OWN_FORM}."
        ) from error


def _is_json_lines(text: str) -> bool:
    """Tell JSON Lines from one JSON document: two or more lines that open an object at the margin."""
    # Not splitlines(): U+2028 and its like may stand inside a JSON text.
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(line.startswith("{") for line in lines[:2])


def _json_lines(path: Path, text: str) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield f"line {number}", json.loads(line)
            except (ValueError, RecursionError) as error:
                raise SkillFileError(
                    path, f"line {number}", "this line is not JSON.", f"Write {_OWN_FORM} on each line."
                ) from error


def own_entries(path: Path, entries: Iterable[tuple[str, object]]) -> Iterator[SkillEntry]:
    """Yield the skills of entries in our own format, each given with its place in the file.

    Raises:
        SkillFileError: an entry is not of the format.
    """
    for where, entry in entries:
        fields = _mapping(path, where, entry)
        skill = Skill(
            id=_identifier(path, where, fields, "id"),
            condition=_text(path, where, fields, "condition"),
            principle=_text(path, where, fields, "principle"),
            title=_text(path, where, fields, "title") if "title" in fields else "",
            origin=f"{path.name}, {where}",
            source=_source(path, where, fields),
        )
        yield SkillEntry(skill, where, _further(fields))


def _further(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if name not in _SKILL_FIELDS}


def _source(path: Path, where: str, fields: Mapping[str, object]) -> Source | None:
    given = fields.get("source")
    if given is None:
        return None
    help = "Correct it, or leave `source` out: a skill needs none."
    try:
        source = msgspec.convert(given, Source)
    except msgspec.ValidationError as error:
        raise SkillFileError(path, where, f"`source` is not of its form: {error}.", help) from error
    if _SURROGATE.search(json.dumps(given, ensure_ascii=False)):
        raise SkillFileError(path, where, "`source` holds half of a character (a lone surrogate).", help)
    return source


def _skillrl(path: Path, data: Mapping[str, object], *, mistakes: bool) -> Iterator[Skill]:
    yield from _skillrl_group(path, "general_skills", data.get("general_skills", []))
    by_type = _mapping(path, "task_specific_skills", data.get("task_specific_skills", {}))
    for task_type, group in by_type.items():
        yield from _skillrl_group(path, f"task_specific_skills.{task_type}", group)
    if mistakes:
        yield from _skillrl_mistakes(path, data.get("common_mistakes", []))


def _skillrl_group(path: Path, group: str, entries: object) -> Iterator[Skill]:
    for where, entry in _numbered(path, group, entries):
        yield Skill(
            id=f"{path.stem}/{_identifier(path, where, entry, 'skill_id')}",
            condition=_text(path, where, entry, "when_to_apply"),
            principle=_text(path, where, entry, "principle"),
            title=_text(path, where, entry, "title"),
            origin=f"{path.name}, {where}",
        )


def _skillrl_mistakes(path: Path, entries: object) -> Iterator[Skill]:
    for where, entry in _numbered(path, "common_mistakes", entries):
        yield Skill(
            id=f"{path.stem}/{_identifier(path, where, entry, 'mistake_id')}",
            condition=_text(path, where, entry, "description"),
            principle=_text(path, where, entry, "how_to_avoid"),
            title="",
            origin=f"{path.name}, {where}",
        )


def _numbered(path: Path, group: str, entries: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    if not isinstance(entries, list):
        raise SkillFileError(
            path, group, f"expected a list, found {_kind(entries)}.", "Give a file in SkillRL's format."
        )
    for number, entry in enumerate(entries, 1):
        where = f"{group}, entry {number}"
        yield where, _mapping(path, where, entry)


def _agent_skill(path: Path, text: str) -> SkillEntry:
    where = "front matter"
    try:
        post = frontmatter.loads(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise SkillFileError(
            path, f"line {line}", f"the front matter is not YAML: {error.problem}.", "Correct the YAML there."
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SkillFileError(
            path, where, "the front matter is not YAML.", "Correct the YAML there."
        ) from error
    if not post.metadata:
        raise SkillFileError(
            path,
            where,
            "expected `---`, lines such as `name: …` and `description: …`, and `---`; found no such block.",
            "Start the file with the front matter of an Agent Skill.",
        )
    name = _text(path, where, post.metadata, "name")
    fields: dict[str, object] = {
        "id": name,
        "condition": _text(path, where, post.metadata, "description"),
        "principle": _text(
            path, "the body", {"text behind the front matter": post.content}, "text behind the front matter"
        ),
        "title": name,
        **_own_metadata(path, post.metadata),
    }
    skill = Skill(
        id=_identifier(path, where, fields, "id"),
        condition=_text(path, where, fields, "condition"),
        principle=_text(path, where, fields, "principle"),
        title=_text(path, where, fields, "title") if fields["title"] else "",
        origin=f"{path.parent.name}/{path.name}",
        source=_source(path, where, fields),
    )
    return SkillEntry(skill, where, _further(fields))


def _own_metadata(path: Path, front_matter: Mapping[str, object]) -> dict[str, object]:
    """Return the fields that this project keeps in an Agent Skill's metadata; nested ones are JSON there."""
    metadata = front_matter.get("metadata")
    if not isinstance(metadata, dict):
        return {}
    given = {key: value for key, value in metadata.items() if str(key).startswith(METADATA_PREFIX)}
    fields = {key.removeprefix(METADATA_PREFIX): value for key, value in given.items()}
    for name in [name for name in fields if name not in _TEXT_FIELDS]:
        try:
            fields[name] = json.loads(fields[name])
        except (ValueError, TypeError, RecursionError) as error:
            raise SkillFileError(
                path,
                "front matter",
                f"`metadata.{METADATA_PREFIX}{name}` is not JSON.",
                "Correct it there, or leave it out.",
            ) from error
    return fields


def _mapping(path: Path, where: str, value: object) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise SkillFileError(path, where, f"expected an object, found {_kind(value)}.", f"Write {_OWN_FORM}.")


def _text(path: Path, where: str, fields: Mapping[str, object], name: str) -> str:
    if name not in fields:
        present = ", ".join(f"`{key}`" for key in fields) or "none"
        raise SkillFileError(
            path, where, f"`{name}` is missing (there: {present}).", f"Add `{name}`, a text."
        )
    value = fields[name]
    if not isinstance(value, str):
        raise SkillFileError(
            path, where, f"`{name}` should be a text, found {_kind(value)}.", f"Write `{name}` in quotes."
        )
    if not value.strip():
        raise SkillFileError(path, where, f"`{name}` is empty.", f"Write what `{name}` says.")
    if _SURROGATE.search(value):
        raise SkillFileError(
            path,
            where,
            f"`{name}` holds half of a character (a lone surrogate).",
            "Write the whole character.",
        )
    return value.strip()


def _identifier(path: Path, where: str, fields: Mapping[str, object], name: str) -> str:
    value = _text(path, where, fields, name)
    if _BLANK_OR_CONTROL.search(value):
        raise SkillFileError(
            path,
            where,
            f"`{name}` is {value!r}; expected a name without white space.",
            "Write it as one word: an agent cites a skill by its id.",
        )
    return value


def _refuse_duplicates(path: Path, skills: Sequence[Skill]) -> None:
    first: dict[str, Skill] = {}
    for skill in skills:
        if skill.id in first:
            raise SkillFileError(
                path,
                skill.origin,
                f"the id `{skill.id}` is taken already ({first[skill.id].origin}).",
                "Give each skill an id of its own.",
            )
        first[skill.id] = skill


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a {type(value).__name__}"
