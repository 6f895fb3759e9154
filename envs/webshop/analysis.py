"""Lucene's English analysis: the index terms of a text.

Words are stripped of a possessive 's, lower-cased, dropped when they are stop words, and stemmed with
Porter's algorithm, as by `io.anserini.analysis.DefaultEnglishAnalyzer` on Lucene 8.11.
"""

from functools import cache, lru_cache
from typing import Final, Protocol

from skillsandbox.envs.webshop.word_break import words

_STOPPED: Final = """
    a an and are as at be but by for if in into is it no not of on or such
    that the their then there these they this to was will with
"""
STOP_WORDS: Final = frozenset(_STOPPED.split())
_POSSESSIVES: Final = tuple(apostrophe + s for apostrophe in "'\u2019\uff07" for s in "sS")


def terms(text: str) -> list[str]:
    """The terms of `text` in order, repeated as often as they occur."""
    return [term for word in words(text) if (term := _term(word)) is not None]


@lru_cache(maxsize=1 << 18)
def _term(word: str) -> str | None:
    bare = word[:-2] if word.endswith(_POSSESSIVES) else word
    lower = _lower(bare)
    return None if lower in STOP_WORDS else _stem(lower)


def _lower(word: str) -> str:
    """`word` with each character lower-cased by itself: Java knows no final sigma, nor dots that part."""
    return word.lower() if word.isascii() else "".join(_lower_character(c) for c in word)


def _lower_character(character: str) -> str:
    return "i" if character == "\u0130" else character.lower()


def _stem(word: str) -> str:
    if word.isascii():
        return _porter().stem(word, False)
    # Java's stemmer sees UTF-16 units, which matters where it counts letters.
    units = memoryview(word.encode("utf-16-le", "surrogatepass")).cast("H")
    stem = _porter().stem("".join(map(chr, units)), False)
    return stem.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class _Stemmer(Protocol):
    def stem(self, word: str, to_lowercase: bool, /) -> str: ...


@cache
def _porter() -> _Stemmer:
    from nltk.stem.porter import PorterStemmer  # half a second: not before a text is analysed

    stemmer: _Stemmer = PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS)
    return stemmer
