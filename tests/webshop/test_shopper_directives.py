"""What the shopper reads in the words of a skill."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.envs.webshop.agent_directives import (
    RULES,
    Circumstances,
    Directive,
    Kind,
    circumstances_of,
    directives_of,
)

ROOT = Path(__file__).parents[2]
SKILLS = ROOT / ".." / "shared" / "data" / "skillrl" / "webshop_skills.json"


def kinds(principle: str) -> list[str]:
    return list(dict.fromkeys(directive.kind.value for directive in directives_of(principle)))


def documented() -> list[tuple[str, str]]:
    """The directives of the documentation's table with the sentence that stands for each."""
    page = (ROOT / "docs" / "shopper.md").read_text(encoding="utf-8")
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
        "Buy only if the required claim is confirmed in both the Features and the Description sections.",
        "The claim has to be made in both the description and the features.",
        "Make sure that features as well as in the description say it.",
    ],
)
def test_a_claim_can_be_demanded_in_both_sections_in_several_ways(principle: str) -> None:
    assert "claim in both sections" in kinds(principle)


def test_a_query_s_price_and_the_named_sections_are_read() -> None:
    assert directives_of("Put every filter (size, price cap) into the query.") == (
        Directive(Kind.FULL_QUERY, with_price=True),
    )
    assert directives_of("Always read the description and the reviews.") == (
        Directive(Kind.READ_ALWAYS, sections=("description", "reviews")),
    )


@pytest.mark.parametrize(
    "principle",
    [
        "Never read the description.",
        "Buy the first one instead of opening the reviews.",
        "Do not open the cheapest one first.",
        "Do not put every filter into the query.",
    ],
)
def test_what_is_warned_against_is_not_done(principle: str) -> None:
    assert not {
        "read the description",
        "read the reviews",
        "cheapest first",
        "all wishes in the query",
    } & set(kinds(principle))


@pytest.mark.parametrize("principle", ["", "Be polite.", "Cool the apple in the fridge.", "⚠ 0 \ud83d"])
def test_what_is_not_understood_gives_no_directive(principle: str) -> None:
    assert directives_of(principle) == ()


@given(st.text())
def test_odd_principles_and_conditions_are_read_without_complaint(text: str) -> None:
    directives_of(text)
    circumstances_of(text)


@pytest.mark.parametrize(
    ("condition", "circumstances"),
    [
        ("Near task limit when exact match is absent.", Circumstances(late=True)),
        ("When few steps are left", Circumstances()),
        ("When only a few steps remain", Circumstances(late=True)),
        ("The task names a price.", Circumstances(priced=True)),
        ("Whenever a page is open", Circumstances()),
    ],
)
def test_a_condition_names_the_circumstances_of_its_skill(
    condition: str, circumstances: Circumstances
) -> None:
    assert circumstances_of(condition) == circumstances


EXPECTED = {
    "gen_004": ["check the kind", "price gate", "leave what does not say it"],
    "gen_005": ["choose the variants"],
    "gen_008": ["leave without the variant", "never open twice"],
    "gen_010": ["check the kind", "price gate", "leave without the variant", "settle for the nearest"],
    "gen_012": ["never open twice"],
    "gen_013": ["price gate", "buy when confirmed"],
    "gen_014": ["short query"],
    "gen_015": ["settle for the nearest"],
    "app_002": ["check the kind"],
    "app_003": ["choose the variants"],
    "app_005": ["read the features", "read the description", "leave what does not say it"],
    "foo_001": ["all wishes in the query"],
    "foo_002": ["read the features", "read the description"],
    "foo_003": ["choose the variants"],
    "hom_003": ["choose the variants"],
    "hom_004": ["read the features", "read the description"],
    "hom_006": ["leave what does not say it"],
    "ele_003": ["price gate", "read the features", "leave what does not say it"],
    "ele_004": ["leave without the variant", "never open twice"],
    "ele_005": ["best title first"],
    "acc_001": ["all wishes in the query"],
    "acc_002": ["choose the variants"],
    "acc_005": ["leave without the variant"],
    "bea_001": ["all wishes in the query"],
    "bea_002": ["best title first"],
    "bea_004": ["price gate"],
    "oth_003": ["price gate", "choose the variants"],
    "oth_004": ["read the features", "read the description"],
    "oth_006": ["price gate", "buy when confirmed"],
    "err_001": ["all wishes in the query"],
    "err_002": ["short query"],
    "err_003": ["check the kind"],
    "err_004": ["price gate"],
    "err_005": ["choose the variants"],
    "err_006": ["read the features"],
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
