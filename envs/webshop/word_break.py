"""Words of a text as Lucene's StandardTokenizer finds them: UAX #29 words, ideographs, emoji.

Every character is first replaced by the letter of its class (`word_break_data`), so that the grammar is
one regular expression over an alphabet of some twenty letters. Lucene takes the longest match of its
rules; the alternatives below are ordered and guarded so that the first match is the longest.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from skillsandbox.envs.webshop.word_break_data import RANGES

MAX_WORD: Final = 255
"""Lucene's longest token, in UTF-16 code units: the tokenizer sees no further ahead."""

# UAX #29, WB4: marks, format characters and joiners belong to the character before them.
_EXTEND = "[XZVFTUCY]*+"
_LETTER = f"[AHI]{_EXTEND}"
_HEBREW = f"H{_EXTEND}"
_NUMERIC = f"N{_EXTEND}"
_KATAKANA = f"K{_EXTEND}"
_UNDERSCORES = f"(?:_{_EXTEND})*"
_IN_WORD = f"[:.']{_EXTEND}"
_IN_NUMBER = f"[,.']{_EXTEND}"
# A Hebrew letter takes a quotation mark along (WB7a, WB7b), unless it continues a run of letters.
_PLAIN_LETTER = f"(?:[AI]{_EXTEND}|{_HEBREW}(?!'|\"{_EXTEND}H))"
_SEGMENT = (
    f"(?:{_KATAKANA}(?:{_UNDERSCORES}{_KATAKANA})*"
    f"|(?:{_HEBREW}(?:'{_EXTEND}|\"{_EXTEND}{_HEBREW})"
    f"|{_NUMERIC}(?:(?:{_UNDERSCORES}|{_IN_NUMBER}){_NUMERIC})*"
    f"|{_LETTER}(?:{_UNDERSCORES}{_PLAIN_LETTER}|{_IN_WORD}{_LETTER})*)+)"
)
_WORD = f"{_UNDERSCORES}{_SEGMENT}(?:_{_EXTEND}{_UNDERSCORES}{_SEGMENT})*{_UNDERSCORES}"

# Emoji sequences of UTS #51: here the presentation selectors (V, F) are no mere marks.
_MARKS = "[XZTUCY]*"
_PICTOGRAPH = f"(?:Z*B{_MARKS}M{_MARKS}|Z*[EB]{_MARKS}F?|M{_MARKS})"
_LETTER_PICTOGRAPH = f"I{_MARKS}F?"
_JOINED = "(?:(?<=Z)|Z)"
# One that is made of letters only is found as a word, which is never shorter.
_EMOJI = (
    f"(?:(?:{_LETTER_PICTOGRAPH}{_JOINED})*{_PICTOGRAPH}|Z+{_LETTER_PICTOGRAPH})"
    f"(?:(?:{_JOINED}(?:{_PICTOGRAPH}|Z*{_LETTER_PICTOGRAPH}))+|T+U)?"
)
_KEYCAP = f"#{_MARKS}F?C{_MARKS}"
_FLAG = f"R{_EXTEND}R{_EXTEND}"
_SOUTH_EAST_ASIAN = f"[SY][SY{_EXTEND[1:-3]}]*+"
_IDEOGRAPH = f"J{_EXTEND}"

# Most words are plain, and end where nothing can join them to more: found first, they are found fast.
_PLAIN = "[AN]++(?=[:.,'\"]?(?: |\\Z))"

_TOKEN: Final = re.compile("|".join((_PLAIN, _EMOJI, _WORD, _KEYCAP, _FLAG, _SOUTH_EAST_ASIAN, _IDEOGRAPH)))
# Runs that start no word are passed over at once, or finding that out would take quadratic time.
_BETWEEN = "[ :.,'\"XVFTUC]"
_SCANNER: Final = re.compile(
    f"{_BETWEEN}*+(?:({_TOKEN.pattern})|(?:_[XVFTUC]*+)++|Z++)|{_BETWEEN}++",
)


@cache
def _class_of_character() -> str:
    """The class letter of every code point, at its place; a space where there is none."""
    runs = []
    for letter, ranges in RANGES.items():
        for span in ranges.split():
            first, _, last = span.partition("-")
            runs.append((int(first, 16), int(last or first, 16) + 1, letter))
    parts, done = [], 0
    for start, stop, letter in sorted(runs):
        parts += [" " * (start - done), letter * (stop - start)]
        done = stop
    return "".join((*parts, " " * (0x110000 - done)))


def words(text: str) -> list[str]:
    """The words of `text` in order, as written."""
    classes = text.translate(_class_of_character())
    spans = [match.span(1) for match in _SCANNER.finditer(classes)]
    # A character is at most two units, so that anything shorter is surely within the limit.
    if any(stop - start > MAX_WORD // 2 for start, stop in spans):
        spans = list(_bounded_spans(text, classes))
    return [text[start:stop] for start, stop in spans if start >= 0]


def _bounded_spans(text: str, classes: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        found = _TOKEN.match(classes, start, _window(text, start))
        if found is None:
            start += 1
        else:
            yield found.span()
            start = found.end()


def _window(text: str, start: int) -> int:
    """Where the longest piece from `start` ends that is at most `MAX_WORD` UTF-16 units long."""
    units = 0
    for position, character in enumerate(text[start : start + MAX_WORD], start):
        units += 2 if character > "\uffff" else 1
        if units > MAX_WORD:
            return position
    return min(len(text), start + MAX_WORD)
