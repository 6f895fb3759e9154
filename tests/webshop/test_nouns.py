"""The nouns of titles are those that spaCy's whole pipeline gives, parser included."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillsandbox.envs.webshop.generator import generate
from skillsandbox.envs.webshop.nouns import MODEL, nouns

pytest.importorskip(MODEL)

GOALS = Path(__file__).parents[2] / ".." / "shared" / "data" / "webshop" / "human_goals.json"
WORDS = st.sampled_from(
    [
        *(
            "men's",
            "USB-C",
            "cable",
            "5'x7'",
            "rug,",
            "(pack",
            "of",
            "2)",
            "&",
            "waterproof",
            "something",
            "no",
        ),
        *("one", "everyone", "can't", "ü★™", "12oz", "\n", "", "red", "a"),
    ]
)


@cache
def whole_pipeline() -> Any:
    import spacy

    return spacy.load(MODEL, exclude=["ner", "lemmatizer"])


def by_spacy(text: str) -> tuple[str, ...]:
    return tuple(token.text.lower() for token in whole_pipeline()(text) if token.pos_ in ("NOUN", "PROPN"))


def test_titles_have_the_nouns_that_spacy_finds() -> None:
    titles = [product.title for product in generate(seed=5, size=150)]
    assert [nouns(title) for title in titles] == [by_spacy(title) for title in titles]


def test_wordings_of_people_have_the_nouns_that_spacy_finds() -> None:
    if not GOALS.exists():
        pytest.skip("the human goals are not here")
    texts = json.loads(GOALS.read_text("utf-8"))[::100]
    assert [nouns(text) for text in texts] == [by_spacy(text) for text in texts]


@settings(deadline=None, max_examples=60)
@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=20))
def test_any_text_has_the_nouns_that_spacy_finds(text: str) -> None:
    assert nouns(text) == by_spacy(text)


def test_nothing_has_no_nouns() -> None:
    assert nouns("") == nouns(" ") == nouns("\n\n") == ()
