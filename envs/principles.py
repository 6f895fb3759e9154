"""Reading a skill's words as a program can: sentences of word classes, and patterns over them.

An environment's agent brings a lexicon, which folds words into classes, and rules, which say what sequences
of classes mean. What a sentence warns against (`do not …`, `instead of …`) is kept apart from its advice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Generic, TypeVar

import attrs

Kind = TypeVar("Kind")
Directive = TypeVar("Directive")


@attrs.frozen
class Sentence:
    """One sentence as tokens: what it advises, and each thing that it warns against."""

    advice: str
    warnings: tuple[str, ...]


@attrs.define(frozen=True, slots=False)
class Lexicon:
    """Classes of words, each with the pattern of its words; of two at the same word the earlier row wins.

    A class whose name ends in a colon keeps its words: `PLACE:` makes `PLACE:coffeetable` of `coffee table`.
    `NOT` begins a warning, which ends at the next comma; what follows `PREVENT` is left out.
    """

    rows: tuple[tuple[str, str], ...]

    def sentences(self, text: str) -> tuple[Sentence, ...]:
        """Return a text, as `plain` gives it, as sentences of tokens in order."""
        folded = self._scanner.sub(self._token, text)
        return tuple(_split(part.split()) for part in folded.split(" . ") if part.strip(" ."))

    @cached_property
    def _scanner(self) -> re.Pattern[str]:
        rows = enumerate(self.rows)
        return re.compile("|".join(rf"(?P<row{index}>\b(?:{words})(?![a-z]))" for index, (_, words) in rows))

    def _token(self, found: re.Match[str]) -> str:
        name = self.rows[int(str(found.lastgroup).removeprefix("row"))][0]
        return name + found[0].replace(" ", "") if name.endswith(":") else name


def plain(text: str) -> str:
    """Return a text in lower case with simple punctuation; full stops stand between clauses."""
    text = text.lower().replace("e.g.", " eg ").replace("i.e.", " ie ")
    text = re.sub(r"[\u2018\u2019'`]", " ", text)
    text = re.sub(r"\bre-", "re", text)
    text = re.sub(r"[.;!?\u2014\n]+", " . ", text)
    text = re.sub(r"[:,()\[\]]", " , ", text)
    text = re.sub(r"[^a-z.,/ ]+", " ", text.replace("/", " / "))
    return re.sub(r"\s+", " ", text)


def _split(words: list[str]) -> Sentence:
    advice: list[str] = []
    warnings: list[list[str]] = []
    sink = advice
    for word in words:
        if word == "NOT":
            sink = []
            warnings.append(sink)
        elif word == "PREVENT":
            sink = []
        elif word == "," and sink is not advice:
            sink = advice
        sink.append(word)
    return Sentence(" ".join(advice), tuple(" ".join(warning[1:]) for warning in warnings))


def sequence(*parts: str | int) -> re.Pattern[str]:
    """Return a pattern of tokens in order; a number is the most tokens that may stand between two of them."""
    pattern, gap = "", 0
    for part in parts:
        if isinstance(part, int):
            gap = part
        else:
            between = rf"(?: \S+){{0,{gap}}}? " if pattern else r"(?<!\S)"
            pattern += rf"{between}(?:{part})(?::\S+)?(?!\S)"
            gap = 0
    return re.compile(pattern)


@attrs.frozen
class Rule(Generic[Kind, Directive]):
    """How a kind of directive is recognised: by patterns over the tokens of one sentence.

    `advice` is matched against what the sentence advises, unless `after` matches before it; `warning` against
    the beginning of what it warns against. `read` makes the directives out of the matched sentence.
    """

    kind: Kind
    read: Callable[[Kind, str], Iterable[Directive]]
    advice: tuple[re.Pattern[str], ...] = ()
    warning: tuple[re.Pattern[str], ...] = ()
    after: tuple[re.Pattern[str], ...] = ()

    def directives(self, sentence: Sentence) -> Iterator[Directive]:
        """Yield what a sentence tells to do, be it in its advice or in its warnings."""
        if any(self._advises(pattern, sentence.advice) for pattern in self.advice):
            yield from self.read(self.kind, sentence.advice)
        for warning in sentence.warnings:
            if any(pattern.match(warning) for pattern in self.warning):
                yield from self.read(self.kind, warning)

    def _advises(self, pattern: re.Pattern[str], advice: str) -> bool:
        found = pattern.search(advice)
        if found is None:
            return False
        return not any(guard.search(advice[: found.start()]) for guard in self.after)


def directives_in(
    sentences: Iterable[Sentence], rules: Iterable[Rule[Kind, Directive]]
) -> tuple[Directive, ...]:
    """Return what sentences tell to do, each thing once, in the order of the rules."""
    kept = tuple(sentences)
    found = (directive for rule in rules for sentence in kept for directive in rule.directives(sentence))
    return tuple(dict.fromkeys(found))
