"""What the household agent reads in the words of a skill."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.envs.alfworld.agent_directives import (
    RULES,
    Circumstances,
    Directive,
    Kind,
    circumstances_of,
    directives_of,
)

ROOT = Path(__file__).parents[2]
SKILLS = ROOT / ".." / "shared" / "data" / "skillrl" / "alfworld_skills.json"


def kinds(principle: str) -> list[str]:
    return list(dict.fromkeys(directive.kind.value for directive in directives_of(principle)))


def documented() -> list[tuple[str, str]]:
    """The directives of the documentation's table with the sentence that stands for each."""
    page = (ROOT / "docs" / "household-agent.md").read_text(encoding="utf-8")
    return re.findall(r"^\| \*\*(.+?)\*\* \|.*\| “(.+?)” \|$", page, flags=re.MULTILINE)


def test_the_documentation_and_the_table_of_rules_are_one_to_one() -> None:
    assert [name for name, _ in documented()] == [rule.kind.value for rule in RULES]
    assert {rule.kind for rule in RULES} == set(Kind)


@pytest.mark.parametrize(("name", "sentence"), documented())
def test_every_documented_sentence_is_read_as_its_directive_alone(name: str, sentence: str) -> None:
    assert kinds(sentence) == [name]


@pytest.mark.parametrize(
    "principle",
    [
        "Activate the stationary appliance first, then fetch the object.",
        "Switch the stationary tool on first, then fetch the object.",
        "Turn the appliance on before picking the object up.",
        "Before grabbing the item, travel to the appliance and prepare it.",
        "Do not pick up the target until the device is open.",
        "First walk to the required fixed fixture, and only then look for the movable object.",
        "Fetch the object only after the appliance has been switched on.",
    ],
)
def test_the_tool_comes_first_in_whatever_words(principle: str) -> None:
    assert kinds(principle) == ["tool first"]


@pytest.mark.parametrize(
    "principle",
    [
        "First acquire the object, then go to the appliance.",
        "Pick up the object before you move to the appliance.",
        "After picking up the object, go to the appliance first.",
        "Instead of opening the fridge first, fetch the target.",
        "Never go to the microwave first.",
        "Pick up the object, to prevent opening the fridge first.",
    ],
)
def test_the_tool_does_not_come_first_where_the_object_does_or_where_it_is_warned_against(
    principle: str,
) -> None:
    assert "tool first" not in kinds(principle)


def test_named_places_are_read_with_the_objects_that_they_are_named_for() -> None:
    paired = "Begin at category-specific places (kitchenware on countertop/stove, food on dining table)."
    assert directives_of(paired) == (
        Directive(Kind.LOOK_FIRST, ("countertop", "stoveburner"), "kitchenware"),
        Directive(Kind.LOOK_FIRST, ("diningtable",), "food"),
    )
    named = "Look in closed containers such as the refrigerator first when searching for food."
    assert Directive(Kind.LOOK_FIRST, ("fridge",), "food") in directives_of(named)
    assert "closed containers first" in kinds(named)


def test_a_named_appliance_limits_a_directive_to_it() -> None:
    assert directives_of("Open the microwave before fetching the object.") == (
        Directive(Kind.TOOL_FIRST, ("microwave",)),
    )


@pytest.mark.parametrize(
    "principle",
    [
        "",
        "Be polite.",
        "Reflect on your reasoning and write it down.",
        "Pair matching attributes with the budget.",
        "⚠ 0 \ud83d",
    ],
)
def test_what_is_not_understood_gives_no_directive(principle: str) -> None:
    assert directives_of(principle) == ()


@given(st.text())
def test_odd_principles_and_conditions_are_read_without_complaint(text: str) -> None:
    directives_of(text)
    circumstances_of(text)


@pytest.mark.parametrize(
    ("condition", "circumstances"),
    [
        (
            "The task needs a stationary appliance on a movable object that is somewhere else.",
            Circumstances(tasks=frozenset({"tool"})),
        ),
        ("When an object must change temperature", Circumstances(tasks=frozenset({"hot", "cool"}))),
        ("In multi-instance tasks (put two X)", Circumstances(several=True)),
        (
            "While searching a kitchen for food",
            Circumstances(rooms=frozenset({"kitchen"}), categories=frozenset({"food"})),
        ),
        ("While carrying a required object", Circumstances(hands="full")),
        ("Before picking up the object", Circumstances(hands="empty")),
        ("When the lamp is seen or the object is held", Circumstances(tasks=frozenset({"look"}))),
        ("Always", Circumstances()),
    ],
)
def test_a_condition_names_the_circumstances_of_its_skill(
    condition: str, circumstances: Circumstances
) -> None:
    assert circumstances_of(condition) == circumstances


EXPECTED = {
    "gen_004": ["until done"],
    "gen_005": ["object first", "transform at once"],
    "gen_008": ["keep notes"],
    "gen_009": ["keep notes"],
    "gen_010": ["object first"],
    "gen_011": ["near the reference first"],
    "gen_012": ["until done"],
    "pic_001": ["keep notes", "open what is closed"],
    "pic_003": ["transform at once"],
    "pic_004": ["place before more search"],
    "loo_001": ["look first at"],
    "loo_002": ["lamp at once"],
    "loo_003": ["take at sight"],
    "cle_002": ["take at sight"],
    "cle_003": ["transform at once"],
    "cle_006": ["look first at", "likely places first"],
    "hea_003": ["open the appliance first"],
    "hea_004": ["keep off until held"],
    "hea_005": ["deliver directly"],
    "coo_003": ["tool first"],
    "coo_004": ["transform at once"],
    "coo_005": ["deliver directly"],
    "exa_001": ["lamp at once"],
    "exa_005": ["keep notes"],
    "exa_006": ["take at sight", "keep notes"],
    "err_001": ["keep notes"],
    "err_002": ["open what is closed"],
    "err_003": ["take at sight"],
    "err_004": ["until done"],
    "err_005": ["place before more search"],
}
"""What a person reads in each of SkillRL's skills."""


def test_the_published_skills_are_read_as_a_person_would() -> None:
    if not SKILLS.exists():
        pytest.skip("SkillRL's skills are not beside the project")
    data = json.loads(SKILLS.read_text(encoding="utf-8"))
    groups = [data["general_skills"], *data["task_specific_skills"].values()]
    principles = {skill["skill_id"]: skill["principle"] for group in groups for skill in group}
    principles |= {mistake["mistake_id"]: mistake["how_to_avoid"] for mistake in data["common_mistakes"]}
    assert {skill: kinds(principle) for skill, principle in principles.items()} == EXPECTED
