"""Reads GBNF as llama.cpp does, and says which texts it admits: the meaning that an export is held to.

One set of stacks is kept for all ways of reading a text so far, as llama.cpp keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

_NAME = re.compile(r"[A-Za-z0-9-]+")
_TIMES = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_HEX = {"x": 2, "u": 4, "U": 8}
_NAMED = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "[": "[", "]": "]"}
_OPERATORS = {"?": (0, 1), "*": (0, None), "+": (1, None)}


@attrs.frozen(eq=False)
class Letter:
    """One character of a set, or of its complement."""

    ranges: tuple[tuple[int, int], ...]
    negated: bool = False

    def admits(self, letter: str) -> bool:
        inside = any(first <= ord(letter) <= last for first, last in self.ranges)
        return inside != self.negated


@attrs.frozen(eq=False)
class Times:
    """A group so many times."""

    options: Options
    least: int
    most: int | None


Part = Letter | str | Times
"""A character, the name of a rule, or a group."""

Options = tuple[tuple[Part, ...], ...]


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def rules(self) -> dict[str, Options]:
        rules: dict[str, Options] = {}
        self._skip(line_ends=True)
        while self._place < len(self._text):
            name = self._name()
            assert name not in rules, name
            self._skip()
            self._expect("::=")
            self._skip(line_ends=True)
            rules[name] = self._options(nested=False)
            self._expect("\n")
            self._skip(line_ends=True)
        return rules

    def _skip(self, *, line_ends: bool = False) -> None:
        while self._peek() in (" \t\n" if line_ends else " \t") and self._peek():
            self._place += 1

    def _peek(self) -> str:
        return self._text[self._place : self._place + 1]

    def _expect(self, text: str) -> None:
        assert self._text.startswith(text, self._place), (text, self._text[self._place : self._place + 40])
        self._place += len(text)

    def _name(self) -> str:
        found = _NAME.match(self._text, self._place)
        assert found, self._text[self._place : self._place + 40]
        self._place = found.end()
        return found.group()

    def _options(self, *, nested: bool) -> Options:
        options = [self._row(nested=nested)]
        while self._peek() == "|":
            self._place += 1
            self._skip(line_ends=True)
            options.append(self._row(nested=nested))
        return tuple(options)

    def _row(self, *, nested: bool) -> tuple[Part, ...]:
        parts: list[Part] = []
        while self._peek() not in ("", "\n", "|", ")"):
            unit = self._unit()
            self._skip(line_ends=nested)
            if times := self._times():
                unit = (Times((unit,), *times),)
                self._skip(line_ends=nested)
            parts += unit
        return tuple(parts)

    def _times(self) -> tuple[int, int | None] | None:
        if found := _TIMES.match(self._text, self._place):
            self._place = found.end()
            least = int(found[1])
            return least, int(found[3]) if found[3] else None if found[2] else least
        if self._peek() in _OPERATORS:
            self._place += 1
            return _OPERATORS[self._text[self._place - 1]]
        return None

    def _unit(self) -> tuple[Part, ...]:
        match self._peek():
            case '"':
                return self._literal()
            case "[":
                return (self._set(),)
            case "(":
                self._place += 1
                self._skip(line_ends=True)
                options = self._options(nested=True)
                self._expect(")")
                return (Times(options, 1, 1),)
            case _:
                return (self._name(),)

    def _literal(self) -> tuple[Part, ...]:
        self._expect('"')
        letters = []
        while self._peek() != '"':
            code = ord(self._letter())
            letters.append(Letter(((code, code),)))
        self._expect('"')
        return tuple(letters)

    def _set(self) -> Letter:
        self._expect("[")
        negated = self._peek() == "^"
        self._place += negated
        ranges = []
        while self._peek() != "]":
            first = last = self._letter()
            if self._peek() == "-" and self._text[self._place + 1] != "]":
                self._place += 1
                last = self._letter()
            ranges.append((ord(first), ord(last)))
        self._expect("]")
        return Letter(tuple(ranges), negated)

    def _letter(self) -> str:
        letter = self._peek()
        assert letter, "the grammar ends inside a literal"
        self._place += 1
        if letter != "\\":
            return letter
        escape = self._peek()
        self._place += 1
        if escape in _HEX:
            digits = self._text[self._place : self._place + _HEX[escape]]
            self._place += _HEX[escape]
            return chr(int(digits, 16))
        return _NAMED[escape]


def read_gbnf(text: str) -> dict[str, Options]:
    """Return the rules of a grammar by name; fails where llama.cpp's reader would."""
    rules = _Reader(text).rules()
    missing = {name for options in rules.values() for name in _mentioned(options)} - rules.keys()
    assert not missing, missing
    assert "root" in rules
    return rules


def _mentioned(options: Options) -> Iterator[str]:
    for row in options:
        for part in row:
            if isinstance(part, str):
                yield part
            elif isinstance(part, Times):
                yield from _mentioned(part.options)


@attrs.frozen(eq=False)
class Stack:
    """What is still to come: a part, and behind it another stack, None at the end. Equal stacks are one."""

    part: Part
    rest: Stack | None


class Recogniser:
    """Says which texts a grammar admits, and how many ways of reading are open at once."""

    def __init__(self, grammar: str) -> None:
        self.rules = read_gbnf(grammar)
        self.most_open = 0
        self._stacks: dict[tuple[Part, Stack | None], Stack] = {}
        self._fewer: dict[tuple[Options, int, int | None], Times] = {}
        self._opened: dict[Stack | None, frozenset[Stack | None]] = {None: frozenset({None})}

    def admits(self, text: str) -> bool:
        """Say whether a text is one of the grammar's."""
        open_ = self._open(self._stack("root", None))
        self.most_open = 0
        for letter in text:
            fitting = (one for one in open_ if one is not None and _admits(one.part, letter))
            open_ = frozenset[Stack | None]().union(*(self._open(one.rest) for one in fitting))
            self.most_open = max(self.most_open, len(open_))
        return None in open_

    def _stack(self, part: Part, rest: Stack | None) -> Stack:
        return self._stacks.setdefault((part, rest), Stack(part, rest))

    def _open(self, stack: Stack | None) -> frozenset[Stack | None]:
        """Return the stacks that begin with a character, or the end, that a stack stands for."""
        if stack not in self._opened:
            found: dict[Stack | None, None] = {}
            waiting, seen = [stack], {stack}
            while waiting:
                one = waiting.pop()
                if one is None or isinstance(one.part, Letter):
                    found[one] = None
                else:
                    new = [other for other in self._ways(one) if other not in seen]
                    seen.update(new)
                    waiting += new
            self._opened[stack] = frozenset(found)
        return self._opened[stack]

    def _ways(self, stack: Stack) -> Iterator[Stack | None]:
        """Yield what the first part of a stack can be, with the rest behind it."""
        match stack.part:
            case str() as name:
                yield from (self._pushed(row, stack.rest) for row in self.rules[name])
            case Times(options=options, least=least, most=most):
                if least == 0:
                    yield stack.rest
                if most != 0:
                    left = self._times(options, max(0, least - 1), None if most is None else most - 1)
                    behind = self._stack(left, stack.rest)
                    yield from (self._pushed(row, behind) for row in options)

    def _times(self, options: Options, least: int, most: int | None) -> Times:
        return self._fewer.setdefault((options, least, most), Times(options, least, most))

    def _pushed(self, row: tuple[Part, ...], rest: Stack | None) -> Stack | None:
        for part in reversed(row):
            rest = self._stack(part, rest)
        return rest


def _admits(part: Part, letter: str) -> bool:
    return isinstance(part, Letter) and part.admits(letter)
