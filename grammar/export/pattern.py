"""The regular expressions that a grammar may use, read and written: what every decoder's engine reads alike.

Characters, classes of them, groups, `|`, `?`, `*`, `+` and `{m,n}`; no look-around, no lazy quantifier, no
back-reference, no class by name (`\\w`), no flags.
"""

from __future__ import annotations

from skillsandbox.grammar.export.notation import (
    Characters,
    Choice,
    Name,
    Node,
    Repeat,
    Sequence,
    Text,
    choice,
    fused,
    repeat,
    sequence,
)

_NAMED = {"n": "\n", "r": "\r", "t": "\t"}
_SPECIAL = set("()[]{}|*+?.^$\\")
_QUANTIFIERS = {"?": (0, 1), "*": (0, None), "+": (1, None)}


class _Reader:
    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._place = 0

    def whole(self) -> Node:
        node = self._choice()
        if self._place < len(self._pattern):
            raise self._refused("an unmatched bracket")
        return node

    def _refused(self, what: str) -> ValueError:
        return ValueError(f"/{self._pattern}/ has {what} at {self._place}, which no decoder would read alike")

    def _peek(self) -> str:
        return self._pattern[self._place : self._place + 1]

    def _next(self) -> str:
        if self._place == len(self._pattern):
            raise self._refused("its end")
        self._place += 1
        return self._pattern[self._place - 1]

    def _skip(self, text: str) -> bool:
        if not self._pattern.startswith(text, self._place):
            return False
        self._place += len(text)
        return True

    def _choice(self) -> Node:
        options = [self._row()]
        while self._skip("|"):
            options.append(self._row())
        return choice(options)

    def _row(self) -> Node:
        parts = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._repeated(self._one()))
        return sequence(parts)

    def _repeated(self, part: Node) -> Node:
        if self._peek() in _QUANTIFIERS:
            least, most = _QUANTIFIERS[self._next()]
        elif self._skip("{"):
            least, most = self._bounds()
        else:
            return part
        if self._peek() and self._peek() in "?+*{":
            raise self._refused("a second quantifier")
        return repeat(part, least, most)

    def _bounds(self) -> tuple[int, int | None]:
        text, closed, _ = self._pattern[self._place :].partition("}")
        least, several, most = text.partition(",")
        if not closed or not least.isdecimal() or not (most.isdecimal() or most == ""):
            raise self._refused("a brace that bounds nothing")
        self._place += len(text) + 1
        return int(least), int(most) if most else None if several else int(least)

    def _one(self) -> Node:
        first = self._next()
        if first == "(":
            if not self._skip("?:") and self._peek() == "?":
                raise self._refused("a group of another kind")
            group = self._choice()
            if not self._skip(")"):
                raise self._refused("an open group")
            return group
        if first == "[":
            return self._class()
        if first == "\\":
            return Text(self._escaped())
        if first in _SPECIAL:
            self._place -= 1
            raise self._refused(f"`{first}`")
        return Text(first)

    def _escaped(self) -> str:
        letter = self._next()
        if letter in _NAMED:
            return _NAMED[letter]
        if letter == "x":
            return chr(int(self._next() + self._next(), 16))
        if letter.isalnum():
            raise self._refused(f"`\\{letter}`")
        return letter

    def _class(self) -> Node:
        negated = self._skip("^")
        if self._peek() == "]":
            raise self._refused("an empty class, or `]` without a backslash")
        ranges = []
        while not self._skip("]"):
            first = last = self._member()
            if self._peek() == "-" and self._pattern[self._place + 1 : self._place + 2] != "]":
                self._next()
                last = self._member()
            ranges.append((ord(first), ord(last)))
        return Characters(tuple(ranges), negated)

    def _member(self) -> str:
        letter = self._next()
        return self._escaped() if letter == "\\" else letter


def read_pattern(pattern: str) -> Node:
    """Return what a regular expression stands for; raise ValueError where it uses more than is said above."""
    return fused(_Reader(pattern).whole())


def write_pattern(node: Node) -> str:
    """Return the regular expression for a node that mentions no name."""
    match node:
        case Text(value=value):
            return "".join(map(_literal, value))
        case Characters(ranges=ranges, negated=negated):
            return f"[{'^' if negated else ''}{''.join(map(_range, ranges))}]"
        case Sequence(parts=parts):
            return "".join(map(_part, parts))
        case Choice(options=options):
            return "|".join(map(write_pattern, options))
        case Repeat(part=part, least=least, most=most):
            text = write_pattern(part)
            is_one = isinstance(part, Characters) or (isinstance(part, Text) and len(part.value) == 1)
            return (text if is_one else f"(?:{text})") + times(least, most)
        case Name(name=name):
            raise ValueError(f"{name} is a name, and a regular expression has none")


def _part(node: Node) -> str:
    return f"(?:{write_pattern(node)})" if isinstance(node, Choice) else write_pattern(node)


def times(least: int, most: int | None) -> str:
    """Return the quantifier that repeats something, as regular expressions write it."""
    known = {bounds: letter for letter, bounds in _QUANTIFIERS.items()}
    if (least, most) in known:
        return known[least, most]
    return f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"


def _literal(letter: str) -> str:
    return f"\\{letter}" if letter in _SPECIAL else _escape(letter)


def _range(ends: tuple[int, int]) -> str:
    first, last = (_member(chr(one)) for one in ends)
    return first if first == last else f"{first}-{last}"


def _member(letter: str) -> str:
    return f"\\{letter}" if letter in "[]\\^-&~" else _escape(letter)


def _escape(letter: str) -> str:
    for name, named in _NAMED.items():
        if letter == named:
            return f"\\{name}"
    return letter if letter.isprintable() else f"\\x{ord(letter):02x}"
