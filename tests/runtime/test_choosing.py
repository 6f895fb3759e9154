"""Where skills are verified if nobody says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from skillsandbox.runtime.choosing import Undecided, nearest_environment
from skillsandbox.runtime.matching import ConditionMatcher, Embeddings, LibraryProgram
from skillsandbox.runtime.skills import Skill

WORDS = ("door", "price", "lamp", "page")


def encode(texts: Sequence[str]) -> Embeddings:
    """Return for each text how often it has each word, with length 1 if it has any."""
    counts = np.array([[text.count(word) for word in WORDS] for text in texts], dtype=np.float32)
    return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


def skill(condition: str) -> Skill:
    return Skill(condition, condition, condition, "", "")


def matchers(**conditions: str) -> Mapping[str, ConditionMatcher]:
    return {
        name: ConditionMatcher((LibraryProgram(name, "", condition, condition),), encode)
        for name, condition in conditions.items()
    }


LIBRARIES = matchers(household="door lamp", shop="price page")


def test_the_environment_with_the_nearest_programs_for_most_skills_is_taken() -> None:
    skills = [skill("door"), skill("price"), skill("page")]
    assert nearest_environment(skills, LIBRARIES) == ("shop", 2)
    assert nearest_environment(skills[:1], LIBRARIES) == ("household", 1)


def test_a_skill_that_nothing_is_like_counts_for_none() -> None:
    skills = [skill("door"), *map(skill, ("sea", "sky", "sand"))]
    assert nearest_environment(skills, LIBRARIES) == ("household", 1)


def test_a_skill_that_is_as_near_to_one_as_to_another_counts_for_none() -> None:
    skills = [skill("door price"), skill("lamp page"), skill("door")]
    assert nearest_environment(skills, LIBRARIES) == ("household", 1)


def test_among_matching_programs_the_more_similar_decides() -> None:
    assert nearest_environment([skill("door door price")], LIBRARIES) == ("household", 1)


@pytest.mark.parametrize("conditions", [["sea"], ["door price"]])
def test_nothing_is_guessed_where_no_skill_speaks_for_one(conditions: Sequence[str]) -> None:
    with pytest.raises(Undecided, match=r"no skill clearly matches .*household, shop"):
        nearest_environment([*map(skill, conditions)], LIBRARIES)


def test_nothing_is_guessed_where_equally_many_speak_for_two() -> None:
    with pytest.raises(Undecided, match="household and shop are each nearest to 1 of the skills"):
        nearest_environment([skill("door"), skill("price"), skill("sea")], LIBRARIES)


def test_the_order_of_the_environments_changes_nothing() -> None:
    backwards = dict(reversed(LIBRARIES.items()))
    skills = [skill("door"), skill("price"), skill("page")]
    assert nearest_environment(skills, backwards) == nearest_environment(skills, LIBRARIES)
