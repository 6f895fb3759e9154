"""The values that the vocabulary is made of."""

from __future__ import annotations

import re
from enum import StrEnum

import attrs

from skillsandbox.envs.webshop.catalogue import CATEGORY_SEPARATOR


class Role(StrEnum):
    """Where a claim stands in an instruction: `a long lasting candle with soy wax for the living room`."""

    QUALITY = "quality"
    PART = "part"
    PURPOSE = "purpose"


@attrs.frozen(eq=False)
class Claim:
    """An attribute, and how it is put: in a title, in an instruction, and in sentences that say more.

    The attribute is what the official code makes of such a heading: two words that matter, side by side.
    """

    attribute: str
    role: Role
    spoken: str
    heading: str
    sentences: tuple[str, ...]


@attrs.frozen
class Palette:
    """What an option offers. `growth` is how much dearer each value is than the one before, None for nothing.

    An `ordered` palette is offered in one piece (sizes), others in any selection (colors).
    """

    values: tuple[str, ...]
    ordered: bool = False
    growth: float | None = None


@attrs.frozen
class Kind:
    """A sort of product, with the words that titles, bullets and instructions are made of.

    `options` pairs names of options with those of palettes; `price` is a range in dollars.
    """

    query: str
    category: str
    path: str
    nouns: tuple[str, ...]
    styles: tuple[str, ...]
    details: tuple[str, ...]
    claims: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    price: tuple[float, float]
    facts: tuple[str, ...]


def claims(role: Role, table: str) -> tuple[Claim, ...]:
    """Read claims from a table: lines `attribute: how it is put`, each with indented sentences below it."""
    found: list[Claim] = []
    for line in filter(None, table.splitlines()):
        if not line.startswith(" "):
            attribute, spoken = line.split(": ")
            found.append(Claim(attribute, role, spoken, title_case(_ARTICLE.sub("", spoken)), ()))
        else:
            last = found.pop()
            found.append(attrs.evolve(last, sentences=(*last.sentences, line.strip())))
    return tuple(found)


def kind(
    query: str,
    category: str,
    path: str,
    *,
    nouns: str,
    styles: str,
    details: str,
    claims: str,
    options: str,
    price: tuple[float, float],
    facts: tuple[str, ...],
) -> Kind:
    """Return a kind whose lists are written with semicolons, and whose path is written with `>`."""
    pairs = [option.split(": ") for option in _listed(options)]
    return Kind(
        query,
        category,
        path.replace(">", CATEGORY_SEPARATOR),
        _listed(nouns),
        _listed(styles),
        _listed(details),
        _listed(claims),
        tuple((name, palette) for name, palette in pairs),
        price,
        facts,
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split("; ")) if text else ()


_ARTICLE = re.compile("^(a|an|the) ")
_SMALL = frozenset(["a", "and", "de", "for", "g", "in", "of", "on", "per", "the", "to", "with"])
_SPELLED = {"iphone": "iPhone", "valentine's": "Valentine's"}
_ACRONYMS = frozenset(["aaa", "bpa", "dvd", "fm", "gmo", "hd", "led", "pu", "sd", "tf", "tv", "usb", "usda"])


def title_case(text: str) -> str:
    """Return a text as it stands in a title."""
    return " ".join(map(_capitalized, text.split()))


def _capitalized(word: str) -> str:
    if word in _SMALL:
        return word
    if word in _ACRONYMS:
        return word.upper()
    return _SPELLED.get(word, word[:1].upper() + word[1:])
