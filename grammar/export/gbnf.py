"""The form for llama.cpp: GBNF, which has no lexer, so that white space and terminals are rules as well."""

from __future__ import annotations

from skillsandbox.grammar.export.bounds import Bounds
from skillsandbox.grammar.export.decoding import decodable
from skillsandbox.grammar.export.notation import (
    Characters,
    Choice,
    Grammar,
    Name,
    Node,
    Repeat,
    Sequence,
    Text,
)
from skillsandbox.grammar.export.pattern import times

ROOT = "root"
_ESCAPED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_SPECIAL = "[]-^"
"""What has a meaning inside a class; elsewhere other readers of GBNF than llama.cpp take no such escape."""


def write(grammar: Grammar, bounds: Bounds) -> str:
    """Return the grammar of one scenario in GBNF."""
    whole = decodable(grammar, bounds)
    bodies = {**whole.rules, **whole.terminals}
    names = _names(list(bodies), whole.start)
    return "".join(f"{names[name]} ::= {_Writer(names).node(body)}\n" for name, body in bodies.items())


def _names(names: list[str], start: str) -> dict[str, str]:
    """Return a name of letters, digits and dashes for each name, `root` for the start."""
    found, taken = {start: ROOT}, {ROOT}
    for name in names:
        plain = name.strip("_").replace("_", "-")
        while plain in taken:
            plain = f"any-{plain}"
        found.setdefault(name, plain)
        taken.add(found[name])
    return found


class _Writer:
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def node(self, node: Node) -> str:
        match node:
            case Text(value=value):
                return f'"{"".join(map(_letter, value))}"'
            case Characters(ranges=ranges, negated=negated):
                return f"[{'^' if negated else ''}{''.join(map(_range, ranges))}]"
            case Name(name=name):
                return self._names[name]
            case Sequence(parts=parts):
                return " ".join(map(self._part, parts))
            case Choice(options=options):
                return " | ".join(map(self.node, options))
            case Repeat(part=part, least=least, most=most):
                text = self.node(part)
                is_one = isinstance(part, Text | Characters | Name)
                return (text if is_one else f"({text})") + times(least, most)

    def _part(self, node: Node) -> str:
        return f"({self.node(node)})" if isinstance(node, Choice) else self.node(node)


def _range(ends: tuple[int, int]) -> str:
    first, last = (_by_code(one) if chr(one) in _SPECIAL else _letter(chr(one)) for one in ends)
    return first if first == last else f"{first}-{last}"


def _letter(letter: str) -> str:
    if letter in _ESCAPED:
        return _ESCAPED[letter]
    return letter if letter.isprintable() else _by_code(ord(letter))


def _by_code(code: int) -> str:
    return f"\\x{code:02X}" if code < 0x100 else f"\\U{code:08X}"
