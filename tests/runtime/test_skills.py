"""Skills are read from four formats, told apart by content; a bad file is answered with what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillsandbox.runtime.skills import SIZE_LIMIT, Skill, SkillFileError, load_skills

SKILLRL = Path(__file__).parents[2] / ".." / "shared" / "data" / "skillrl"

ENTRY = {"id": "s1", "condition": "It is cold.", "principle": "Wear a coat."}
SKILLRL_ENTRY = {"skill_id": "gen_1", "title": "Coat", "principle": "Wear it.", "when_to_apply": "When cold."}
SKILL_MD = "---\nname: warm-up\ndescription: When it is cold.\n---\n\n# Warm up\n\nWear a coat.\n"


def written(folder: Path, text: str | bytes, name: str = "skills.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_own_format_as_a_list(tmp_path: Path) -> None:
    second = {**ENTRY, "id": "s2", "title": "Coat"}
    assert load_skills(written(tmp_path, json.dumps([ENTRY, second]))) == (
        Skill("s1", "It is cold.", "Wear a coat.", "", "skills.json, entry 1"),
        Skill("s2", "It is cold.", "Wear a coat.", "Coat", "skills.json, entry 2"),
    )


def test_own_format_as_a_single_entry(tmp_path: Path) -> None:
    assert [skill.id for skill in load_skills(written(tmp_path, json.dumps(ENTRY, indent=1)))] == ["s1"]


def test_own_format_one_entry_on_each_line_whatever_the_file_is_called(tmp_path: Path) -> None:
    lines = "\n".join([json.dumps(ENTRY), "", json.dumps({**ENTRY, "id": "s2"}), ""])
    skills = load_skills(written(tmp_path, lines, "skills.txt"))
    assert [(skill.id, skill.origin) for skill in skills] == [
        ("s1", "skills.txt, line 1"),
        ("s2", "skills.txt, line 3"),
    ]


def test_a_line_separator_inside_a_text_does_not_end_a_line(tmp_path: Path) -> None:
    odd = json.dumps({**ENTRY, "condition": "cold\u2028and wet"}, ensure_ascii=False)
    skills = load_skills(written(tmp_path, f"{odd}\n{json.dumps({**ENTRY, 'id': 's2'})}\n"))
    assert skills[0].condition == "cold\u2028and wet"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    assert load_skills(written(tmp_path, "\ufeff" + json.dumps([ENTRY])))[0].id == "s1"
    assert load_skills(written(tmp_path, "\ufeff" + SKILL_MD, "SKILL.md"))[0].id == "warm-up"


def skillrl_file(folder: Path, **changes: object) -> Path:
    mistake = {
        "mistake_id": "err_1",
        "description": "Freezing.",
        "how_to_avoid": "Wear it.",
        "why_it_happens": "-",
    }
    data = {
        "general_skills": [SKILLRL_ENTRY],
        "task_specific_skills": {"walk": [{**SKILLRL_ENTRY, "skill_id": "wal_1"}]},
        "common_mistakes": [mistake],
        "metadata": {},
        **changes,
    }
    return written(folder, json.dumps(data), "house_skills.json")


def test_skillrl_ids_are_prefixed_by_their_set(tmp_path: Path) -> None:
    assert load_skills(skillrl_file(tmp_path)) == (
        Skill(
            "house_skills/gen_1",
            "When cold.",
            "Wear it.",
            "Coat",
            "house_skills.json, general_skills, entry 1",
        ),
        Skill(
            "house_skills/wal_1",
            "When cold.",
            "Wear it.",
            "Coat",
            "house_skills.json, task_specific_skills.walk, entry 1",
        ),
    )


def test_skillrl_mistakes_are_skills_only_when_asked_for(tmp_path: Path) -> None:
    mistake = load_skills(skillrl_file(tmp_path), mistakes=True)[-1]
    assert (mistake.id, mistake.condition, mistake.principle) == (
        "house_skills/err_1",
        "Freezing.",
        "Wear it.",
    )


@pytest.mark.skipif(not SKILLRL.is_dir(), reason="the shared data are not beside the project")
@pytest.mark.parametrize(
    ("name", "skills", "with_mistakes"), [("alfworld_skills", 25, 30), ("webshop_skills", 29, 35)]
)
def test_skillrls_own_files_load_whole(name: str, skills: int, with_mistakes: int) -> None:
    path = SKILLRL / f"{name}.json"
    assert len(load_skills(path)) == skills
    assert len(load_skills(path, mistakes=True)) == with_mistakes


def test_an_agent_skill_as_folder_as_file_and_in_a_folder_of_them(tmp_path: Path) -> None:
    expected = Skill(
        "warm-up", "When it is cold.", "# Warm up\n\nWear a coat.", "warm-up", "warm-up/SKILL.md"
    )
    file = written(tmp_path, SKILL_MD, "warm-up/SKILL.md")
    written(tmp_path, SKILL_MD.replace("warm-up", "cool-down"), "cool-down/SKILL.md")
    written(tmp_path, "not a skill", "notes/README.md")
    assert load_skills(file) == load_skills(file.parent) == (expected,)
    assert [skill.id for skill in load_skills(tmp_path)] == ["cool-down", "warm-up"]


def test_an_agent_skill_with_windows_line_ends(tmp_path: Path) -> None:
    skill = load_skills(written(tmp_path, SKILL_MD.replace("\n", "\r\n"), "SKILL.md"))[0]
    assert skill.principle == "# Warm up\n\nWear a coat."


BAD_FILES: dict[str, tuple[str | bytes, str, str]] = {
    # what: content, where it is said to be, what is said of it
    "empty": ("", "skills.json:", "the file is empty"),
    "white space": (" \n", "skills.json:", "the file is empty"),
    "only a byte order mark": (b"\xef\xbb\xbf", "skills.json:", "the file is empty"),
    "binary": (b'{"id": "a\0b"}', "character 9", "binary"),
    "not UTF-8": (b'{"id": "\xff"}', "byte 8", "expected a text in UTF-8"),
    "UTF-16": ("[]".encode("utf-16"), "byte 0", "expected a text in UTF-8"),
    "not JSON": ('{"id": "s1",\n "condition" "x"}', "line 2, column 14", "this is not JSON"),
    "prose": ("Wear a coat.", "line 1, column 1", "this is not JSON"),
    "deep": ("[" * 100_000, "skills.json:", "nested too deeply"),
    "long number": ("[" + "1" * 5000 + "]", "skills.json:", "too long a number"),
    "number": ("3", "skills.json:", "expected skills, found a number"),
    "null": ("null", "skills.json:", "expected skills, found null"),
    "text": ('"x"', "skills.json:", "expected skills, found a text"),
    "empty list": ("[]", "skills.json:", "there are no skills in it"),
    "list of numbers": ("[1]", "entry 1", "expected an object, found a number"),
    "foreign object": ('{"a": 1}', "the only entry", "`id` is missing (there: `a`)"),
    "missing field": ('[{"id": "s1", "condition": "x"}]', "entry 1", "`principle` is missing"),
    "wrong type": (
        json.dumps([{**ENTRY, "condition": ["x"]}]),
        "entry 1",
        "`condition` should be a text, found a list",
    ),
    "empty field": (json.dumps([{**ENTRY, "principle": " "}]), "entry 1", "`principle` is empty"),
    "id with a blank": (
        json.dumps([{**ENTRY, "id": "a b"}]),
        "entry 1",
        "expected a name without white space",
    ),
    "half a character": (json.dumps([{**ENTRY, "principle": "\ud800"}]), "entry 1", "lone surrogate"),
    "duplicate id": (
        json.dumps([ENTRY, ENTRY]),
        "entry 2",
        "the id `s1` is taken already (skills.json, entry 1)",
    ),
    "bad line": (f"{json.dumps(ENTRY)}\n{{oops\n", "line 2", "this line is not JSON"),
    "line that is no object": (f"{json.dumps(ENTRY)}\n{{}}\n[]\n", "line 2", "`id` is missing (there: none)"),
    "general skills no list": (
        '{"general_skills": {}}',
        "general_skills",
        "expected a list, found an object",
    ),
    "types no object": (
        '{"task_specific_skills": []}',
        "task_specific_skills",
        "expected an object, found a list",
    ),
    "entry no object": ('{"general_skills": ["x"]}', "general_skills, entry 1", "found a text"),
    "SkillRL field missing": (
        '{"general_skills": [{"skill_id": "g"}]}',
        "general_skills, entry 1",
        "is missing",
    ),
    "empty SkillRL": ('{"general_skills": []}', "skills.json:", "there are no skills in it"),
    "no closing line": ("---\nname: x\n", "front matter", "found no such block"),
    "front matter no mapping": ("---\n- x\n---\nbody\n", "front matter", "found no such block"),
    "bad YAML": ("---\nname: [x\n---\nbody\n", "line 3", "the front matter is not YAML"),
    "front matter without name": ("---\ndescription: x\n---\nbody\n", "front matter", "`name` is missing"),
    "name no text": ("---\nname: 3\ndescription: x\n---\nbody\n", "front matter", "`name` should be a text"),
    "no body": ("---\nname: x\ndescription: y\n---\n", "the body", "is empty"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_answered_with_where_and_what(tmp_path: Path, kind: str) -> None:
    content, where, what = BAD_FILES[kind]
    path = written(tmp_path, content)
    with pytest.raises(SkillFileError) as raised:
        load_skills(path)
    message = str(raised.value)
    assert str(path) in message
    assert where in message
    assert what in message
    assert "\n  help: " in message


def test_a_folder_without_skills_a_missing_file_and_a_huge_one(tmp_path: Path) -> None:
    with pytest.raises(SkillFileError, match="found neither"):
        load_skills(tmp_path)
    with pytest.raises(SkillFileError, match="No such file"):
        load_skills(tmp_path / "absent.json")
    huge = written(tmp_path, "[")
    with huge.open("r+b") as file:
        file.truncate(SIZE_LIMIT + 1)
    with pytest.raises(SkillFileError, match="larger than 16 MiB"):
        load_skills(huge)


def test_a_skill_md_file_without_front_matter_is_not_taken_for_json(tmp_path: Path) -> None:
    with pytest.raises(SkillFileError, match="found no such block"):
        load_skills(written(tmp_path, "# Warm up\n", "SKILL.md"))


def test_ids_that_occur_in_two_folders_are_refused(tmp_path: Path) -> None:
    written(tmp_path, SKILL_MD, "a/SKILL.md")
    written(tmp_path, SKILL_MD, "b/SKILL.md")
    with pytest.raises(SkillFileError, match="taken already"):
        load_skills(tmp_path)
