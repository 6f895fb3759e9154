"""Which programs of a library are shown to a model that is to write one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from skillsandbox.runtime.matching import LibraryProgram

MOST_CHARACTERS = 2400
"""Of all examples together: about 700 tokens."""

_NOT_VOCABULARY = re.compile(r'#[^\n]*|"(?:[^"\\]|\\.)*"|\?\w+|\b\w+:|\b[A-Z]\w*')
_WORD = re.compile(r"[a-z_]+|[^\w\s]+")


def chosen_examples(
    programs: Sequence[LibraryProgram], number: int, most: int = MOST_CHARACTERS
) -> tuple[LibraryProgram, ...]:
    """Return so many programs that use as much of the language as can be shown in `most` characters.

    Programs that only say that something is not supported are left out. Of equally good choices the
    shortest is taken, then the first by name; fewer programs are returned where no choice is short enough.
    """
    able = sorted((one for one in programs if one.unsupported is None), key=lambda one: one.name)
    words = {one.name: _vocabulary(one.text) for one in able}
    choices = [choice for choice in combinations(able, min(number, len(able))) if _length(choice) <= most]
    if not choices:
        return chosen_examples(programs, number - 1, most) if number > 1 else ()
    return max(
        choices, key=lambda choice: (len(set().union(*(words[one.name] for one in choice))), -_length(choice))
    )


def _length(choice: Sequence[LibraryProgram]) -> int:
    return sum(len(one.text) for one in choice)


def _vocabulary(text: str) -> frozenset[str]:
    """Return the words and signs of the language in a program: no names, texts or values."""
    return frozenset(_WORD.findall(_NOT_VOCABULARY.sub(" ", text)))
