"""The skill library: what its files keep, and what adding to it does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
import frontmatter
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skillsandbox.runtime.scoring import Verdict
from skillsandbox.runtime.skill_files import (
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    agent_skill,
    jsonl,
    skill_names,
    write_agent_skills,
    write_jsonl,
)
from skillsandbox.runtime.skill_library import (
    Change,
    Evidence,
    LibrarySkill,
    merged,
    read_library,
)
from skillsandbox.runtime.skills import SKILL_FILE, Skill, SkillFileError, Source, load_skills

CHARACTERS = st.characters(exclude_categories=("Cs",)) | st.sampled_from("\r\n\t\x85\u2028\ufeff:'\"#-")
TEXTS = st.text(CHARACTERS, min_size=1, max_size=40).map(str.strip).filter(bool)
WORDS = st.from_regex(r"[A-Za-z0-9_./-]{1,70}|[Ä-ö]{1,5}", fullmatch=True)
NUMBERS = st.floats(-1, 1)
SOURCES = st.builds(
    Source,
    environment=TEXTS,
    task=TEXTS,
    instruction=TEXTS,
    values=st.dictionaries(TEXTS, st.lists(TEXTS, max_size=2).map(tuple), max_size=2),
    success=st.booleans(),
    trajectory=TEXTS,
    summary=TEXTS,
    model=TEXTS,
    seed=st.integers(0, 2**32),
)
EVIDENCE = st.builds(
    Evidence,
    verdict=st.sampled_from([Verdict.KEEP, Verdict.REJECT]),
    reliability=NUMBERS,
    rescored=st.dictionaries(st.sampled_from(["0.9", "0.95", "0.99"]), NUMBERS),
    scenarios=st.lists(TEXTS, max_size=2).map(tuple),
    exercised=st.integers(0, 5),
    inputs=st.dictionaries(TEXTS, TEXTS, max_size=2),
    seed=st.integers(0, 9),
    gamma=st.floats(0.5, 1),
)
SKILLS = st.builds(
    LibrarySkill,
    st.builds(
        Skill,
        id=WORDS,
        condition=TEXTS | st.just("very long " * 200 + "."),
        principle=TEXTS | st.just("first\r\n---\nthen\0") | TEXTS.map("---\n{}".format),
        title=st.just("") | TEXTS,
        origin=st.just("made up"),
        source=st.none() | SOURCES,
    ),
    st.none() | EVIDENCE,
    st.dictionaries(st.sampled_from(["notes", "more notes"]), TEXTS | NUMBERS, max_size=1),
)
LIBRARIES = st.lists(SKILLS, min_size=1, max_size=4, unique_by=lambda one: one.skill.id)

COAT = Skill("coat", "It is cold.", "Wear a coat.", "Coat", "a.jsonl, line 1")
SOURCE = Source("alfworld", "t1", "find a coat", {"Scene": ("Hall",)}, True, "abc", "solved: go", "m", 3)
KEPT = Evidence(Verdict.KEEP, 0.25, {"0.9": 0.2}, ("d1", "d2"), 2, {"environment": "alfworld"}, 0, 0.95)
REJECTED = attrs.evolve(KEPT, verdict=Verdict.REJECT, reliability=-0.5)

NEAR = st.builds(
    LibrarySkill,
    st.builds(
        Skill,
        id=st.sampled_from("abc"),
        condition=st.sampled_from(["It is cold.", "It is warm."]),
        principle=st.just("Wear a coat."),
        title=st.sampled_from(["", "Coat"]),
        origin=st.just("made up"),
        source=st.sampled_from([None, SOURCE]),
    ),
    st.sampled_from([None, KEPT, REJECTED]),
)
NEAR_LIBRARIES = st.lists(NEAR, max_size=3, unique_by=lambda one: one.skill.id)
"""Libraries that have much in common."""


def without_origins(skills: tuple[LibrarySkill, ...] | list[LibrarySkill]) -> list[LibrarySkill]:
    return [attrs.evolve(one, skill=attrs.evolve(one.skill, origin="")) for one in skills]


def by_id(skills: list[LibrarySkill]) -> list[LibrarySkill]:
    return sorted(skills, key=lambda one: one.skill.id)


# Files


@settings(deadline=None, max_examples=25)
@given(LIBRARIES)
def test_json_lines_keep_all_that_a_library_knows(library: list[LibrarySkill]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "library.jsonl"
        write_jsonl(path, library)
        assert without_origins(read_library(path)) == without_origins(library)
        assert [one.id for one in load_skills(path)] == [one.skill.id for one in library]
        assert len(path.read_text("utf-8").splitlines()) == len(library)


@settings(deadline=None, max_examples=25)
@given(LIBRARIES)
def test_agent_skills_keep_all_that_a_library_knows(library: list[LibrarySkill]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "skills"
        write_agent_skills(path, library)
        assert by_id(without_origins(read_library(path))) == by_id(without_origins(library))


@settings(deadline=None, max_examples=25)
@given(SKILLS)
def test_an_agent_skill_keeps_to_the_specification(skill: LibrarySkill) -> None:
    (name,) = skill_names([skill.skill.id])
    front = frontmatter.loads(agent_skill(name, skill)).metadata
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= LONGEST_NAME
    assert front["name"] == name
    description, metadata = front["description"], front.get("metadata", {})
    assert isinstance(description, str)
    assert 0 < len(description) <= LONGEST_DESCRIPTION
    assert isinstance(metadata, dict)
    assert all(isinstance(part, str) for pair in metadata.items() for part in pair)
    assert set(front) <= {"name", "description", "metadata"}


@settings(deadline=None, max_examples=25)
@given(st.lists(WORDS, unique=True, max_size=8))
def test_no_two_skills_have_one_name(ids: list[str]) -> None:
    assert len(set(skill_names(ids))) == len(ids)


def test_ids_that_differ_in_signs_alone_have_names_of_their_own() -> None:
    assert skill_names(["a/b", "c"]) == ("a-b", "c")
    one, other, third = skill_names(["a/b", "a.b", "c"])
    assert one.startswith("a-b-")
    assert other.startswith("a-b-")
    assert one != other
    assert third == "c"


def test_a_plain_skill_needs_no_metadata() -> None:
    plain = LibrarySkill(attrs.evolve(COAT, title="coat"))
    assert agent_skill("coat", plain) == "---\nname: coat\ndescription: It is cold.\n---\n\nWear a coat.\n"


def test_a_line_of_the_library_is_one_that_people_can_read() -> None:
    (line,) = jsonl([LibrarySkill(attrs.evolve(COAT, condition="Es ist früh.\u2028"), KEPT)]).splitlines()
    assert json.loads(line)["verdict"]["R"] == 0.25
    assert "früh.\\u2028" in line


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(FileExistsError):
        write_agent_skills(tmp_path, [LibrarySkill(COAT)])
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_a_folder_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    half_a_character = LibrarySkill(attrs.evolve(COAT, id="b", principle="\ud800"))
    with pytest.raises(UnicodeEncodeError):
        write_agent_skills(tmp_path / "skills", [LibrarySkill(COAT), half_a_character])
    assert list(tmp_path.iterdir()) == []


BROKEN = {
    "source no object": ({"source": 3}, "`source` is not of its form"),
    "source without a task": ({"source": {"environment": "x"}}, "missing required field `task`"),
    "half a character": (
        {
            "source": {
                **json.loads(jsonl([LibrarySkill(attrs.evolve(COAT, source=SOURCE))]))["source"],
                "task": "\ud800",
            }
        },
        "lone surrogate",
    ),
    "verdict no object": ({"verdict": "keep"}, "`verdict` is not of its form"),
    "verdict without R": ({"verdict": {**KEPT.to_data(), "R": None}}, "got `null`"),
    "no such verdict": ({"verdict": {**KEPT.to_data(), "verdict": "perhaps"}}, "'perhaps'"),
    "no verdict on evidence": (
        {"verdict": {**KEPT.to_data(), "verdict": "too few scenarios"}},
        "no verdict on evidence",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_entry_is_answered_with_where_and_what(tmp_path: Path, kind: str) -> None:
    fields, what = BROKEN[kind]
    path = tmp_path / "library.jsonl"
    broken = {"id": "b", "condition": "x", "principle": "y", **fields}
    path.write_text(f"{jsonl([LibrarySkill(COAT)])}{json.dumps(broken)}\n")
    with pytest.raises(SkillFileError) as raised:
        read_library(path)
    assert f"{path}, line 2: " in str(raised.value)
    assert what in str(raised.value)


def test_metadata_of_ours_that_is_no_json_is_named(tmp_path: Path) -> None:
    text = agent_skill("coat", LibrarySkill(COAT, KEPT)).replace(
        "skillsandbox-verdict: '{", "skillsandbox-verdict: '["
    )
    (tmp_path / SKILL_FILE).write_text(text)
    with pytest.raises(SkillFileError, match=r"`metadata\.skillsandbox-verdict` is not JSON"):
        read_library(tmp_path / SKILL_FILE)


def test_metadata_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / SKILL_FILE).write_text("---\nname: x\ndescription: y\nmetadata:\n  id: other\n---\nz\n")
    assert read_library(tmp_path)[0].skill.id == "x"
    (tmp_path / SKILL_FILE).write_text("---\nname: x\ndescription: y\nmetadata: none\n---\nz\n")
    assert read_library(tmp_path)[0].skill.id == "x"


# Adding


@given(NEAR_LIBRARIES, NEAR_LIBRARIES)
def test_nothing_is_lost_by_adding(library: list[LibrarySkill], given_skills: list[LibrarySkill]) -> None:
    after = merged(library, given_skills).skills
    assert [one.skill.id for one in after[: len(library)]] == [one.skill.id for one in library]
    for one, kept in zip(library, after, strict=False):
        assert (one.skill.condition, one.skill.principle) == (kept.skill.condition, kept.skill.principle)
        assert one.evidence is None or kept.evidence is not None
        assert one.skill.source is None or kept.skill.source is not None


@given(NEAR_LIBRARIES, NEAR_LIBRARIES)
def test_adding_again_changes_nothing(library: list[LibrarySkill], given_skills: list[LibrarySkill]) -> None:
    once = merged(library, given_skills)
    assume(not once.conflicts)
    again = merged(once.skills, given_skills)
    assert again.skills == once.skills
    assert {change for _, change in again.changes} <= {Change.UNCHANGED}


def test_what_is_new_of_a_present_skill_is_taken() -> None:
    library = [LibrarySkill(COAT, KEPT)]
    learned = LibrarySkill(attrs.evolve(COAT, source=SOURCE, title=""), REJECTED)
    after = merged(library, [learned])
    assert after.skills == (LibrarySkill(attrs.evolve(COAT, source=SOURCE), REJECTED),)
    assert [change for _, change in after.changes] == [Change.UPDATED]


def test_another_skill_of_a_present_id_is_a_conflict_and_then_nothing_is_added() -> None:
    library = [LibrarySkill(COAT)]
    other = attrs.evolve(COAT, principle="Stay in.", origin="b.jsonl, line 7")
    after = merged(library, [LibrarySkill(attrs.evolve(COAT, id="new")), LibrarySkill(other)])
    assert after.skills == tuple(library)
    assert after.changes == ()
    assert [(one.present, one.given) for one in after.conflicts] == [(COAT, other)]
    assert "b.jsonl, line 7" in str(after.conflicts[0])
