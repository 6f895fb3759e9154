"""What an instruction asks for, read from its words."""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from skillsandbox.envs.webshop.goals import WantedOption

_AMOUNT = r"(?:\$\s*(?P<sign>\d[\d,]*(?:\.\d+)?)|(?P<word>\d[\d,]*(?:\.\d+)?)\s*(?:dollars|bucks|usd)\b)"
_BOUND = re.compile(
    r",?\s*(?:\band\s+)?(?:\b(?:for|at|with\s+a|that\s+is|which\s+is)\s+)?(?:\bprice[ds]?\s+)?"
    r"\b(?:lower\s+than|less\s+than|no\s+more\s+than|not\s+more\s+than|cheaper\s+than|at\s+most|up\s+to|under|below)"
    rf"\s+{_AMOUNT}",
    re.IGNORECASE,
)
_NAMED_OPTIONS = re.compile(r"^(?P<wording>.*?) with (?P<options>(?:(?! with )[^:,])+: .*)$", re.DOTALL)
_NEXT_OPTION = re.compile(r", and (?=[^:,]+: )")
_WORD = re.compile(r"[^\W_]+")
_FILLERS = 2


@attrs.frozen
class Request:
    """An instruction's parts: the wording without its clauses, named options, and the bound in dollars."""

    wording: str
    options: tuple[WantedOption, ...] = ()
    price_upper: float | None = None


def read_instruction(instruction: str) -> Request:
    """Read an instruction's clauses, official (`, and price lower than 50.00 dollars`) or free (`under $50`).

    Of several bounds the lowest counts. No text is refused.
    """
    bounds = [_amount(match) for match in _BOUND.finditer(instruction)]
    rest = _BOUND.sub("", instruction)
    match = _NAMED_OPTIONS.match(rest)
    return Request(
        wording=(match["wording"] if match else rest).strip(),
        options=tuple(map(_option, _NEXT_OPTION.split(match["options"]))) if match else (),
        price_upper=min(bounds, default=None),
    )


def _amount(match: re.Match[str]) -> float:
    return float((match["sign"] or match["word"]).replace(",", ""))


def _option(text: str) -> WantedOption:
    name, _, value = text.partition(": ")
    return WantedOption(value.strip(), name.strip())


def attributes_in(wording: str, vocabulary: Iterable[str]) -> tuple[str, ...]:
    """Return the attributes of a vocabulary that a wording speaks of, in the vocabulary's order.

    An attribute's words occur in order, with at most two others in between (`easy clean` in `easy to clean`).
    """
    words = _words(wording)
    return tuple(attribute for attribute in vocabulary if _speaks_of(words, _words(attribute)))


def _words(text: str) -> list[str]:
    return [match.group().casefold() for match in _WORD.finditer(text)]


def _speaks_of(words: list[str], attribute: list[str]) -> bool:
    starts = [index for index, word in enumerate(words) if attribute and word == attribute[0]]
    return any(_continues(words, start, attribute[1:]) for start in starts)


def _continues(words: list[str], position: int, attribute: list[str]) -> bool:
    for wanted in attribute:
        window = words[position + 1 : position + 2 + _FILLERS]
        if wanted not in window:
            return False
        position += 1 + window.index(wanted)
    return True
