"""Retrieval: the nearest skills by the cosine of embeddings, the same ones whatever their order."""

from __future__ import annotations

import math

import attrs
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.runtime.models.embedding import PackagedEmbedder
from skillsandbox.runtime.retrieval import Retriever, full_text
from skillsandbox.runtime.skills import Skill

WORDS = ("cold", "hot", "lamp", "fridge", "drawer")


@attrs.frozen
class CountedWords:
    """Embeds texts by which of five words they contain."""

    identity: str = "five words"

    def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        return tuple(unit([float(word in text) for word in WORDS]) for text in texts)


def unit(vector: list[float]) -> tuple[float, ...]:
    length = math.hypot(*vector) or 1.0
    return tuple(one / length for one in vector)


def skill(id: str, condition: str, principle: str = "act", title: str = "") -> Skill:
    return Skill(id, condition, principle, title, "here")


COLD = skill("cold", "it is cold", "use the fridge")
HOT = skill("hot", "it is hot", "open a drawer", "with a lamp")
NONE = skill("none", "anything")


def test_the_nearest_skills_come_first_with_their_cosines() -> None:
    found = Retriever((NONE, HOT, COLD), CountedWords()).retrieve("a cold fridge and a lamp")
    assert [(one.skill.id, one.similarity) for one in found] == [
        ("cold", round(2 / math.sqrt(2 * 3), 3)),
        ("hot", round(1 / math.sqrt(3 * 3), 3)),
        ("none", 0.0),
    ]


def test_title_condition_and_principle_are_all_looked_at() -> None:
    assert full_text(HOT) == "with a lamp\nit is hot\nopen a drawer"
    assert full_text(COLD) == "it is cold\nuse the fridge"


def test_a_library_of_few_skills_gives_all_and_an_empty_one_none() -> None:
    assert len(Retriever((COLD,), CountedWords()).retrieve("cold", 5)) == 1
    assert Retriever((), CountedWords()).retrieve("cold") == ()


@given(st.permutations([skill(name, "it is cold") for name in "abcde"]), st.integers(1, 5))
def test_ties_go_by_id_whatever_the_library_s_order(skills: list[Skill], top: int) -> None:
    found = Retriever(tuple(skills), CountedWords()).retrieve("cold", top)
    assert [one.skill.id for one in found] == list("abcde")[:top]


def test_the_packaged_model_finds_what_is_alike_and_knows_of_texts_without_words() -> None:
    retriever = Retriever((COLD, skill("cart", "price too high", "compare prices")), PackagedEmbedder())
    assert retriever.retrieve("put a cool apple in the fridge", 1)[0].skill is COLD
    assert [one.similarity for one in retriever.retrieve("")] == [0.0, 0.0]
