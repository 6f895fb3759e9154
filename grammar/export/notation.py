"""A grammar as data, whatever it is written in: what every form of it is printed from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs


@attrs.frozen
class Text:
    """A fixed text."""

    value: str


@attrs.frozen
class Characters:
    """One character whose code is in a range, ends included; in none of the ranges where `negated`."""

    ranges: tuple[tuple[int, int], ...]
    negated: bool = False


@attrs.frozen
class Name:
    """What the rule or terminal of this name stands for."""

    name: str


@attrs.frozen
class Sequence:
    """One part after the other; without parts, the empty text."""

    parts: tuple[Node, ...]


@attrs.frozen
class Choice:
    """One of the options."""

    options: tuple[Node, ...]


@attrs.frozen
class Repeat:
    """A part so many times, from `least` to `most`; any number where `most` is None."""

    part: Node
    least: int
    most: int | None


Node = Text | Characters | Name | Sequence | Choice | Repeat
EMPTY = Sequence(())


@attrs.frozen
class Grammar:
    """Rules and terminals by name, in their order; what is ignored between terminals; and where to start.

    White space may stand between the parts of a rule where something is ignored, and never inside a terminal.
    """

    rules: Mapping[str, Node]
    terminals: Mapping[str, Node]
    start: str
    ignored: tuple[str, ...] = ()


def sequence(parts: Iterable[Node]) -> Node:
    """Return parts in a row; sequences in them are spliced, and empty texts left out."""
    flat = tuple(one for part in parts for one in parts_of(part) if one != Text(""))
    return flat[0] if len(flat) == 1 else Sequence(flat)


def fused(node: Node) -> Node:
    """Return a node in which texts that stand side by side are one, since nothing may come between."""
    flat: list[Node] = []
    for part in parts_of(rebuilt(node, fused)):
        if isinstance(part, Text) and flat and isinstance(flat[-1], Text):
            flat[-1] = Text(flat[-1].value + part.value)
        else:
            flat.append(part)
    return sequence(flat)


def choice(options: Iterable[Node]) -> Node:
    """Return a choice of at least one option: choices in it are spliced, and each option stands once."""
    flat = dict.fromkeys(one for option in options for one in options_of(option))
    return next(iter(flat)) if len(flat) == 1 else Choice(tuple(flat))


def repeat(part: Node, least: int, most: int | None) -> Node:
    """Return a part repeated; once is the part itself, and never is nothing."""
    if most == 0:
        return EMPTY
    return part if (least, most) == (1, 1) else Repeat(part, least, most)


def optional(part: Node) -> Node:
    """Return a part that may be absent."""
    if isinstance(part, Repeat) and part.least <= 1:
        return Repeat(part.part, 0, part.most)
    return EMPTY if part == EMPTY else Repeat(part, 0, 1)


def parts_of(node: Node) -> tuple[Node, ...]:
    """Return what stands in a row."""
    return node.parts if isinstance(node, Sequence) else (node,)


def options_of(node: Node) -> tuple[Node, ...]:
    """Return what there is to choose from."""
    return node.options if isinstance(node, Choice) else (node,)


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a node in which each direct part is replaced by what a function makes of it."""
    match node:
        case Sequence(parts=parts):
            return sequence(map(change, parts))
        case Choice(options=options):
            return choice(map(change, options))
        case Repeat(part=part, least=least, most=most):
            return repeat(change(part), least, most)
        case _:
            return node


def names_in(node: Node) -> Iterator[str]:
    """Yield the names that a node mentions, in order and as often as it does."""
    match node:
        case Name(name=name):
            yield name
        case Sequence(parts=parts):
            for part in parts:
                yield from names_in(part)
        case Choice(options=options):
            for option in options:
                yield from names_in(option)
        case Repeat(part=part):
            yield from names_in(part)


def replaced(grammar: Grammar, nodes: Mapping[Node, Node]) -> Grammar:
    """Return a grammar in whose rules other nodes stand in the place of some."""

    def change(node: Node) -> Node:
        return nodes[node] if node in nodes else rebuilt(node, change)

    return attrs.evolve(grammar, rules={name: change(body) for name, body in grammar.rules.items()})


def needed(grammar: Grammar) -> Grammar:
    """Return a grammar without the rules and terminals that nothing leads to, the rest in their order."""
    bodies = {**grammar.terminals, **grammar.rules}
    found: dict[str, None] = {}
    waiting = [grammar.start, *grammar.ignored]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += names_in(bodies[name])
    return attrs.evolve(
        grammar,
        rules={name: body for name, body in grammar.rules.items() if name in found},
        terminals={name: body for name, body in grammar.terminals.items() if name in found},
    )
