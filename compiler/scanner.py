"""Finds scenarios, sections, comments and brackets without parsing, to recover from errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import attrs

from skillsandbox.compiler.diagnostics import Span

_TEXT = r'"(?:[^"\\\n]|\\.)*"?'
_LANDMARK = re.compile(rf"{_TEXT}|\#[^\n]*|[()\[\]{{}}]|(?<![?.\w])(?:scenario|for)(?![\w:])")
_TOKEN = re.compile(
    rf"(?P<text>{_TEXT})"
    r"|(?P<comment>\#[^\n]*)"
    r"|(?P<open>[({\[])|(?P<close>[)}\]])"
    r"|(?P<word>[?.]?[^\W\d]\w*:?)"
    r'|(?P<other>[^\s"\#(){}\[\]\w?.]+|\d\w*|[?.])'
)
_LONGEST_HEADER = 10


@attrs.frozen
class Token:
    """A piece of the text; its kind is `text`, `comment`, `open`, `close`, `word` or `other`."""

    kind: str
    text: str
    span: Span


@attrs.frozen
class Outline:
    """What stands in a text: its comments, its scenarios, and the first bracket that is nested too deeply."""

    comments: tuple[Token, ...]
    scenarios: tuple[Span, ...]
    too_deep: Span | None


@attrs.frozen
class Header:
    """The beginning of a scenario; `environment` is the word after `for`. What is missing is None."""

    keyword: Token
    name: Token | None
    environment: Token | None
    words: tuple[str, ...]


@attrs.frozen
class Section:
    """The stretch of text from one section keyword up to the next; `end` is where the next begins."""

    keyword: str
    span: Span
    end: int


def scan(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yield the tokens of a stretch of text, comments included, white space left out."""
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        assert match.lastgroup is not None
        yield Token(match.lastgroup, match.group(), Span(*match.span()))


def outline(text: str, deepest: int) -> Outline:
    """Return the outline of a text in which brackets may be nested as deeply as `deepest`.

    A name follows `scenario` and `for`, so that a `scenario` there begins none.
    """
    comments: list[Token] = []
    starts: list[int] = []
    depth, named_from = 0, -1
    for match in _LANDMARK.finditer(text):
        first = text[match.start()]
        is_name = named_from >= 0 and not text[named_from : match.start()].strip()
        named_from = match.end() if first in "sf" or (first == "#" and is_name) else -1
        if first == "#":
            comments.append(Token("comment", match.group(), Span(*match.span())))
        elif first == "s" and not is_name:
            starts.append(match.start())
        elif first in "([{":
            depth += 1
            if depth > deepest:
                return Outline((), (), Span(*match.span()))
        elif first in ")]}":
            depth = max(0, depth - 1)
    spans = map(Span, starts, [*starts[1:], len(text)])
    return Outline(tuple(comments), tuple(spans), None)


def header(text: str, span: Span, keywords: frozenset[str]) -> Header:
    """Return the header of the scenario in a stretch of text: all before its brace or first section."""
    tokens: list[Token] = []
    for token in scan(text, span.start, span.end):
        if (
            token.kind == "open"
            or (token.text in keywords and len(tokens) > 1)
            or len(tokens) == _LONGEST_HEADER
        ):
            break
        if token.kind != "comment":
            tokens.append(token)
    fors = [index for index, token in enumerate(tokens[:-1]) if token.text == "for" and index > 0]
    link = 2 if 2 in fors else fors[0] if fors else None
    named = len(tokens) > 1 and link != 1
    environment = None if link is None else tokens[link + 1]
    return Header(tokens[0], tokens[1] if named else None, environment, tuple(token.text for token in tokens))


def sections(text: str, span: Span, keywords: frozenset[str]) -> tuple[Section, ...]:
    """Cut the scenario in a stretch of text into sections, wherever a keyword stands at the start of one.

    Section keywords are reserved, so that a missing brace costs one section and not the rest of the file.
    """
    tokens = [token for token in scan(text, span.start, span.end) if token.kind != "comment"]
    starts = [index for index in range(1, len(tokens)) if _starts_section(tokens, index, keywords)]
    found = []
    for start, stop in pairwise([*starts, len(tokens)]):
        own = tokens[start : start + _balanced(tokens[start:stop])]
        end = tokens[stop].span.start if stop < len(tokens) else span.end
        found.append(Section(own[0].text, Span(own[0].span.start, own[-1].span.end), end))
    return tuple(found)


def _starts_section(tokens: list[Token], index: int, keywords: frozenset[str]) -> bool:
    """Say whether a section starts here; some of the keywords also stand elsewhere, behind a telling word."""
    token, before = tokens[index], tokens[index - 1].text
    if token.kind != "word" or token.text not in keywords or before in ("arises", "in", "for", "scenario"):
        return False
    return token.text != "from" or before in ("initial", "history", "rollout")


def _balanced(tokens: list[Token]) -> int:
    """Return how many of the tokens come before the first bracket that closes more than they opened."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token.kind == "open") - (token.kind == "close")
        if depth < 0:
            return index
    return len(tokens)
