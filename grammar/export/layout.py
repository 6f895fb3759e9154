"""Writes the white space of the canonical form into the rules, so that a decoder has no choice in it.

A program is laid out as the printer does it, but for two freedoms: a section may have a blank line above it
or not, and a line may be broken before `arises`, `unsupported` and `where`, or not. Comments have no place.
"""

from __future__ import annotations

from itertools import pairwise

import attrs

from skillsandbox.grammar.export.notation import (
    EMPTY,
    Choice,
    Grammar,
    Name,
    Node,
    Repeat,
    Sequence,
    Text,
    choice,
    optional,
    repeat,
    sequence,
)
from skillsandbox.grammar.loader import SECTIONS

_SPACE = Text(" ")
_ITEM = Text("\n    ")
_SECTION = Name("NEXT_SECTION")
_BREAK = Name("SPACE_OR_BREAK")
_TERMINALS: dict[str, Node] = {
    _SECTION.name: Sequence((Text("\n"), optional(Text("\n")), Text("  "))),
    _BREAK.name: Choice((_SPACE, _ITEM)),
}
_LINES: dict[str, Node] = {
    **dict.fromkeys((*SECTIONS, "supported", "unsupported"), _SECTION),
    **dict.fromkeys(("operation", "action", "requirement", "occurrence"), _ITEM),
    "scenario": Text("\n\n"),
}
"""What stands before these rules of the core grammar, wherever they are not the first of another."""
_CLOSING: dict[Node, Node] = {_SECTION: Text("\n"), _ITEM: Text("\n  ")}
"""What stands before the brace that closes such lines."""

_BREAKABLE = tuple(map(Text, ("arises", "unsupported", "where")))
_NO_SPACE_BEFORE = tuple(map(Text, (",", ")", "]", ".", ":")))
_NO_SPACE_AFTER = tuple(map(Text, ("(", "[", ".")))
_WITHOUT_SPACE = ("_template", "hole")


def laid_out(grammar: Grammar) -> Grammar:
    """Return a grammar of the canonical form, in which nothing is ignored.

    Raises:
        ValueError: a rule begins with what may be absent, or a terminal is named as one of those added here.
    """
    if taken := _TERMINALS.keys() & grammar.terminals.keys():
        raise ValueError(f"a terminal must have another name: {', '.join(sorted(taken))}")
    rules = {name: body if name in _WITHOUT_SPACE else _spaced(body) for name, body in grammar.rules.items()}
    return attrs.evolve(grammar, rules=rules, terminals={**grammar.terminals, **_TERMINALS}, ignored=())


def _spaced(node: Node) -> Node:
    """Return a node with the white space between its parts, none before the first or behind the last."""
    match node:
        case Sequence(parts=(first, *_) as parts):
            if isinstance(first, Repeat) and first.least == 0:
                raise ValueError("a rule whose first part may be absent has no place for the white space")
            return sequence([_spaced(first), *map(_led, _neighbours(parts))])
        case Choice(options=options):
            return choice(map(_spaced, options))
        case Repeat(part=part, least=least, most=most) if most != 1:
            again = repeat(_led((part, part, EMPTY)), max(0, least - 1), None if most is None else most - 1)
            all_of_them = sequence([_spaced(part), again])
            return all_of_them if least else optional(all_of_them)
        case Repeat(part=part, least=least, most=most):
            return repeat(_spaced(part), least, most)
        case _:
            return node


_Place = tuple[Node, Node, Node]
"""What stands before a part, the part, and what stands behind it; EMPTY for nothing."""


def _neighbours(parts: tuple[Node, ...]) -> list[_Place]:
    behind = (*parts[2:], EMPTY)
    return [(before, part, after) for (before, part), after in zip(pairwise(parts), behind, strict=True)]


def _led(place: _Place) -> Node:
    """Return a part with the white space between its own parts, and before it."""
    before, part, after = place
    match part:
        case Repeat(part=item, least=0) if (before, after) == (Text("{"), Text("}")) and _line(item) is None:
            return optional(sequence([Repeat(_led((before, item, EMPTY)), 1, part.most), _SPACE]))
        case Repeat(part=item, least=least, most=most):
            return repeat(_led((before, item, EMPTY)), least, most)
        case Choice(options=options):
            return choice(_led((before, option, EMPTY)) for option in options)
        case Sequence(parts=(first, *_)):
            return sequence([_white_space(before, first), _spaced(part)])
        case _:
            return sequence([_white_space(before, part), part])


def _line(node: Node) -> Node | None:
    """Return what stands before a part that begins a line, None where it begins none."""
    match node:
        case Name(name=name):
            return _LINES.get(name)
        case Repeat(part=part):
            return _line(part)
        case Choice(options=(first, *_)):
            return _line(first)
        case _:
            return None


def _white_space(before: Node, part: Node) -> Node:
    if line := _line(part):
        return line
    if part == Text("}"):
        return _closing(before)
    if before in _NO_SPACE_AFTER or part in _NO_SPACE_BEFORE:
        return EMPTY
    if part == Text("(") and isinstance(before, Text):
        return EMPTY
    return _BREAK if part in _BREAKABLE else _SPACE


def _closing(before: Node) -> Node:
    """Return what stands before a closing brace; where items may be absent, they bring it along."""
    if line := _line(before):
        return _CLOSING[line]
    return EMPTY if isinstance(before, Repeat) and before.least == 0 else _SPACE
