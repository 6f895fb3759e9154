"""Finds scenarios, sections, comments and brackets in a text without parsing it, so that errors can be recovered from."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from skillsandbox.compiler.diagnostics import Span

_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*"?)"""
    r"""|(?P<comment>\#[^\n]*)"""
    r"""|(?P<open>[({\[])|(?P<close>[)}\]])"""
    r"""|(?P<word>[?.]?[A-Za-z_][A-Za-z0-9_]*:?)"""
    r"""|(?P<other>[^\s"\#(){}\[\]A-Za-z_?.]+|[?.])"""
)


@attrs.frozen
class Token:
    """A piece of the text: its kind (`text`, `comment`, `open`, `close`, `word`, `other`), itself, and its place."""

    kind: str
    text: str
    span: Span


@attrs.frozen
class Section:
    """The stretch of text from one section keyword up to the next, and its keyword."""

    keyword: str
    span: Span


@attrs.frozen
class Chunk:
    """The text of one scenario, from its `scenario` up to the next: its environment, its sections and its end.

    `environment` is the word after `for`, None where the header is not complete. `stray` is the first thing that
    stands behind a brace that already closed the scenario, None where nothing does.
    """

    span: Span
    environment: Token | None
    sections: tuple[Section, ...]
    stray: Token | None


def scan(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, comments included, white space left out."""
    for match in _TOKEN.finditer(text):
        assert match.lastgroup is not None
        yield Token(match.lastgroup, match.group(), Span(*match.span()))


def chunks(text: str, keywords: frozenset[str]) -> tuple[Chunk, ...]:
    """Cut a text into its scenarios and these into sections, wherever a keyword stands at the start of one.

    Section keywords are reserved, so that a missing brace costs one section and not the rest of the file.
    """
    tokens = [token for token in scan(text) if token.kind != "comment"]
    starts = [index for index, token in enumerate(tokens) if token.text == "scenario" and token.kind == "word"]
    ends = [*starts[1:], len(tokens)]
    return tuple(
        _chunk(tokens[start:end], text, keywords, tokens[end].span.start if end < len(tokens) else len(text))
        for start, end in zip(starts, ends, strict=True)
    )


def _chunk(tokens: list[Token], text: str, keywords: frozenset[str], end: int) -> Chunk:
    named = len(tokens) > 3 and tokens[2].text == "for" and tokens[3].kind == "word"
    starts = [index for index in range(1, len(tokens)) if _starts_section(tokens, index, keywords)]
    sections, stray = [], None
    for start, stop in zip(starts, [*starts[1:], len(tokens)], strict=True):
        length = _balanced(tokens[start:stop])
        last = tokens[start + length - 1]
        sections.append(Section(tokens[start].text, Span(tokens[start].span.start, last.span.end)))
        beyond = start + length + 1
        if beyond < len(tokens) and stray is None and start + length < stop:
            stray = tokens[beyond]
    return Chunk(Span(tokens[0].span.start, end), tokens[3] if named else None, tuple(sections), stray)


def _starts_section(tokens: list[Token], index: int, keywords: frozenset[str]) -> bool:
    """Say whether a section starts here; three of the keywords also stand elsewhere, behind a telling word."""
    token, before = tokens[index], tokens[index - 1].text
    if token.kind != "word" or token.text not in keywords or before in ("arises", "in", "for"):
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


def deepest(text: str) -> tuple[int, Span]:
    """Return how deeply brackets nest in a text, and where the deepest one stands."""
    depth, most, place = 0, 0, Span(0, 0)
    for token in scan(text):
        if token.kind == "open":
            depth += 1
            if depth > most:
                most, place = depth, token.span
        elif token.kind == "close":
            depth = max(0, depth - 1)
    return most, place


def comments(text: str) -> tuple[Token, ...]:
    """Return the comments of a text, in order."""
    return tuple(token for token in scan(text) if token.kind == "comment")
