"""An LALR(1) parser that runs on tables: all that is needed of Lark once it has made them.

Lark takes longer to import than a program takes to compile; this takes no time, and parses the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import attrs

END = "$END"
"""The terminal that stands for the end of the text."""


class Token(NamedTuple):
    """A piece of the text: the terminal that it is, itself, and its place."""

    type: str
    text: str
    start: int
    end: int


class Tree(NamedTuple):
    """What a rule made of a stretch of the text; its place covers what is left out of `children` too."""

    kind: str
    children: tuple[Any, ...]
    start: int
    end: int


class UnexpectedInput(Exception):  # noqa: N818 - it is an answer, not an error of the program
    """The text does not follow the grammar from an offset on, or ends too early (None); what was expected."""

    def __init__(self, offset: int | None, expected: frozenset[str]) -> None:
        super().__init__(offset, expected)
        self.offset = offset
        self.expected = expected


@attrs.frozen
class Terminal:
    """A terminal: a fixed text, or else a regular expression."""

    name: str
    literal: str | None
    pattern: str | None


@attrs.frozen
class Rule:
    """A production: how many symbols it has, and which of them become children of its tree.

    `kept` has an index for each child, and whether it is spliced: replaced by its own children.
    """

    origin: str
    kind: str
    size: int
    kept: tuple[tuple[int, bool], ...]


@attrs.frozen
class Tables:
    """A compiled grammar.

    Terminals come in the order in which they are tried. An action is the number of the state to shift to, or
    -1 minus that of the rule to reduce by; `actions` of a state include its transitions by rule.
    """

    terminals: tuple[Terminal, ...]
    ignored: tuple[str, ...]
    rules: tuple[Rule, ...]
    actions: tuple[dict[str, int], ...]
    starts: dict[str, int]
    ends: dict[str, int]


class Parser:
    """Parses stretches of text from any of the start rules."""

    def __init__(self, tables: Tables) -> None:
        self.terminals = tables.terminals
        self._actions = tables.actions
        self._rules = tables.rules
        self._starts = tables.starts
        self._ends = tables.ends
        ignored = (
            re.escape(one.literal) if one.literal else one.pattern for one in self._named(tables.ignored)
        )
        self._ignored = re.compile(f"(?:{'|'.join(filter(None, ignored))})*")
        self._match = {one.name: re.compile(one.pattern).match for one in tables.terminals if one.pattern}
        self._known: dict[tuple[int, str], tuple[tuple[str, str | None], ...]] = {}

    def parse(self, text: str, start: str, begin: int = 0, end: int | None = None) -> Tree:
        """Return the tree of a stretch of a text; raise `UnexpectedInput` where it follows no rule."""
        end = len(text) if end is None else end
        states, values = [self._starts[start]], list[Tree | Token]()
        position = begin
        while True:
            token = self._token(text, position, end, states)
            self._advance(states, values, token, self._ends[start])
            if token.type == END:
                root = values[0]
                assert isinstance(root, Tree)
                return root
            position = token.end

    def _named(self, names: Iterable[str]) -> list[Terminal]:
        return [one for one in self.terminals if one.name in names]

    def _token(self, text: str, position: int, end: int, states: list[int]) -> Token:
        """Return the next token, one of those that the state accepts."""
        if skipped := self._ignored.match(text, position, end):
            position = skipped.end()
        if position == end:
            return Token(END, "", end, end)
        for name, literal in self._candidates(states[-1], text[position]):
            if literal is None:
                if match := self._match[name](text, position, end):
                    return Token(name, match.group(), position, match.end())
            elif text.startswith(literal, position, end):
                return Token(name, literal, position, position + len(literal))
        raise UnexpectedInput(position, self._accepted(states))

    def _candidates(self, state: int, first: str) -> tuple[tuple[str, str | None], ...]:
        """Return the terminals that a state accepts and that may begin with a character, in order."""
        key = (state, first)
        if key not in self._known:
            actions = self._actions[state]
            fitting = (one for one in self.terminals if one.literal is None or one.literal[0] == first)
            self._known[key] = tuple((one.name, one.literal) for one in fitting if one.name in actions)
        return self._known[key]

    def _advance(self, states: list[int], values: list[Tree | Token], token: Token, last: int) -> None:
        """Reduce as often as the token demands, then shift it; at the end, reduce to the start rule."""
        action = self._actions[states[-1]].get(token.type)
        before = states if action is not None and action >= 0 else states.copy()
        while action is not None and action < 0:
            rule = self._rules[-1 - action]
            state = self._reduce(states, values, rule)
            if state == last and token.type == END:
                return
            action = self._actions[state].get(token.type)
        if action is None:
            raise UnexpectedInput(None if token.type == END else token.start, self._accepted(before))
        states.append(action)
        values.append(token)

    def _reduce(self, states: list[int], values: list[Tree | Token], rule: Rule) -> int:
        """Replace the symbols of a rule by its tree; return the state after it."""
        parts = values[-rule.size :]
        children: list[Any] = []
        for index, spliced in rule.kept:
            part = parts[index]
            if spliced:
                children += part[1]
            else:
                children.append(part)
        del values[-rule.size :], states[-rule.size :]
        values.append(Tree(rule.kind, tuple(children), parts[0].start, parts[-1].end))
        state = self._actions[states[-1]][rule.origin]
        states.append(state)
        return state

    def _accepted(self, states: list[int]) -> frozenset[str]:
        """Return the terminals that can come next; a state alone may also know some that cannot."""
        names = [*(one.name for one in self.terminals), END]
        return frozenset(name for name in names if self._is_accepted(states.copy(), name))

    def _is_accepted(self, states: list[int], name: str) -> bool:
        while (action := self._actions[states[-1]].get(name)) is not None:
            if action >= 0:
                return True
            rule = self._rules[-1 - action]
            del states[-rule.size :]
            states.append(self._actions[states[-1]][rule.origin])
            if name == END and len(states) == 2:
                return True
        return False
