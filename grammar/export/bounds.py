"""Bounds what a grammar leaves open, so that a small model cannot go on for ever. Restricts, never adds."""

from __future__ import annotations

import attrs

from skillsandbox.grammar.export.notation import (
    EMPTY,
    Characters,
    Choice,
    Grammar,
    Name,
    Node,
    Repeat,
    Sequence,
    choice,
    names_in,
    needed,
    rebuilt,
    repeat,
    sequence,
)


@attrs.frozen
class Bounds:
    """The most of everything that the language itself leaves open.

    `text` characters stand between two quotes, or a quote and a hole; a name has `name` characters after
    its first; `items` more of a kind follow the first that must be there. A rule stands in itself at most
    `depth` deep. Items and depth have no limit where that is None.
    """

    text: int = 200
    name: int = 60
    items: int | None = 16
    depth: int | None = 6


def bounded(grammar: Grammar, bounds: Bounds) -> Grammar:
    """Return a grammar in which nothing is repeated without end."""
    terminals = {name: _short(body, bounds) for name, body in grammar.terminals.items()}
    rules = {name: _few(body, bounds) for name, body in grammar.rules.items()}
    flat = attrs.evolve(grammar, rules=rules, terminals=terminals)
    return flat if bounds.depth is None else needed(_shallow(flat, bounds.depth))


def _short(node: Node, bounds: Bounds) -> Node:
    """Bound what is repeated in a terminal: characters of a name, or of a text."""
    if isinstance(node, Repeat) and node.most is None:
        return attrs.evolve(node, most=bounds.text if _is_free(node.part) else bounds.name)
    return rebuilt(node, lambda part: _short(part, bounds))


def _is_free(node: Node) -> bool:
    """Say whether a node takes any character but a few."""
    match node:
        case Characters(negated=negated):
            return negated
        case Choice(options=parts) | Sequence(parts=parts):
            return any(map(_is_free, parts))
        case _:
            return False


def _few(node: Node, bounds: Bounds) -> Node:
    if isinstance(node, Repeat) and node.most is None:
        most = None if bounds.items is None else max(node.least, bounds.items)
        return attrs.evolve(node, part=_few(node.part, bounds), most=most)
    return rebuilt(node, lambda part: _few(part, bounds))


def _shallow(grammar: Grammar, depth: int) -> Grammar:
    """Return a grammar with a copy of the recursive rules for each level, where the last does not recur.

    A level is gone down wherever a rule mentions itself, or one that leads back to it and stands further up.
    """
    levels = _Levels(grammar)
    for level in range(depth, -1, -1):
        for name in reversed([*grammar.rules]):
            if level == 0 or name in levels.circles:
                levels.add(name, level)
    return attrs.evolve(grammar, rules=dict(reversed(levels.rules.items())))


def _circles(grammar: Grammar) -> dict[str, frozenset[str]]:
    """Return for each rule that leads back to itself those that it leads to and that lead back to it."""
    leads: dict[str, set[str]] = {}
    for name in grammar.rules:
        found, waiting = set[str](), [name]
        while waiting:
            for other in names_in(grammar.rules[waiting.pop()]):
                if other in grammar.rules and other not in found:
                    found.add(other)
                    waiting.append(other)
        leads[name] = found
    return {
        name: frozenset(other for other in found if name in leads[other])
        for name, found in leads.items()
        if name in found
    }


class _Levels:
    """The rules of each level, which are made from the deepest up and from the last rule to the first."""

    def __init__(self, grammar: Grammar) -> None:
        self.circles = _circles(grammar)
        self.rules: dict[str, Node] = {}
        self._bodies = grammar.rules
        self._places = {name: place for place, name in enumerate(grammar.rules)}

    def add(self, rule: str, level: int) -> None:
        """Add a rule at a level, unless it cannot be there without going too deep."""
        if level and _name(rule, level) in self._bodies:
            raise ValueError(f"a rule must have another name than {_name(rule, level)}")
        body = self._at(self._bodies[rule], rule, level)
        if body is not None:
            self.rules[_name(rule, level)] = body

    def _at(self, node: Node, rule: str, level: int) -> Node | None:
        match node:
            case Name(name=name) if name in self.circles.get(rule, ()):
                below = _name(name, level + (self._places[name] <= self._places[rule]))
                return Name(below) if below in self.rules else None
            case Sequence(parts=parts):
                kept = [one for part in parts if (one := self._at(part, rule, level)) is not None]
                return sequence(kept) if len(kept) == len(parts) else None
            case Choice(options=options):
                left = [one for option in options if (one := self._at(option, rule, level)) is not None]
                return choice(left) if left else None
            case Repeat(part=part, least=least, most=most):
                inner = self._at(part, rule, level)
                if inner is None:
                    return None if least else EMPTY
                return repeat(inner, least, most)
            case _:
                return node


def _name(rule: str, level: int) -> str:
    return f"{rule}_{level}" if level else rule
