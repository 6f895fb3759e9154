"""Rewrites a grammar to a smaller one of the same language, that a decoder walks with fewer guesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from skillsandbox.grammar.export.notation import (
    Choice,
    Grammar,
    Name,
    Node,
    Sequence,
    Text,
    choice,
    fused,
    names_in,
    needed,
    optional,
    parts_of,
    rebuilt,
    replaced,
    sequence,
)

_SPACE = Text(" ")


def factored(grammar: Grammar) -> Grammar:
    """Return a grammar whose alternatives begin differently, as far as a glance at each can tell.

    A decoder without look-ahead follows all alternatives that begin alike at once, and those of every level
    of a nested expression multiply.
    """
    plain = tidied(grammar)
    rules = {name: _factored(body, plain.rules) for name, body in plain.rules.items()}
    return tidied(attrs.evolve(plain, rules={name: fused(body) for name, body in rules.items()}))


def tidied(grammar: Grammar) -> Grammar:
    """Return a grammar without rules that are another by a second name, or only stand for a word."""
    while (names := _aliases(grammar)) or len(needed(grammar).rules) < len(grammar.rules):
        grammar = needed(replaced(grammar, names))
    return grammar


def _aliases(grammar: Grammar) -> dict[Node, Node]:
    """Return what to put in the place of names: another name, or a text."""
    first: dict[Node, str] = {}
    found: dict[str, Node] = {}
    bodies = {**grammar.terminals, **grammar.rules}
    for name, body in bodies.items():
        known = first.setdefault(body, name)
        if name == grammar.start:
            continue
        if isinstance(body, Text | Name):
            found[name] = body
        elif known != name and (known in grammar.rules) == (name in grammar.rules):
            found[name] = Name(known)
    mentioned = {name for body in grammar.rules.values() for name in names_in(body)}
    return {Name(name): body for name, body in found.items() if name in mentioned}


def _factored(node: Node, rules: Mapping[str, Node]) -> Node:
    inner = rebuilt(node, lambda part: _factored(part, rules))
    return _grouped(inner, rules) if isinstance(inner, Choice) else inner


@attrs.frozen
class _Alternative:
    """An option, and the parts that it is seen to consist of."""

    option: Node
    parts: tuple[Node, ...]


def _grouped(node: Choice, rules: Mapping[str, Node]) -> Node:
    """Return a choice in which options that begin alike stand together."""
    alternatives = [one for option in node.options for one in _alternatives(option, node, rules)]
    groups = _by_first(alternatives)
    if len(groups) == len(alternatives):
        return node
    return choice(_group(group) for group in groups)


def _alternatives(option: Node, among: Choice, rules: Mapping[str, Node]) -> Iterator[_Alternative]:
    """Yield an option with its parts; rules are opened where that shows what another option begins with."""
    body = rules.get(option.name) if isinstance(option, Name) else None
    heads = _heads(among, rules)
    if isinstance(body, Sequence):
        yield _Alternative(option, body.parts)
    elif isinstance(body, Choice) and option not in heads and heads & _heads(body, rules):
        for inner in body.options:
            yield from _alternatives(inner, body, rules)
    else:
        yield _Alternative(option, parts_of(option))


def _heads(node: Choice, rules: Mapping[str, Node]) -> set[Node]:
    """Return the names that the longer options of a choice begin with."""
    bodies = (rules.get(one.name, one) if isinstance(one, Name) else one for one in node.options)
    return {one.parts[0] for one in bodies if isinstance(one, Sequence) and isinstance(one.parts[0], Name)}


def _by_first(alternatives: list[_Alternative]) -> list[list[_Alternative]]:
    groups: dict[Node, list[_Alternative]] = {}
    for one in alternatives:
        groups.setdefault(one.parts[0], []).append(one)
    return list(groups.values())


def _group(alternatives: list[_Alternative]) -> Node:
    """Return one of several alternatives that begin alike, as their beginning and what differs behind it."""
    if len(alternatives) == 1:
        return alternatives[0].option
    first = alternatives[0].parts[0]
    rests = [_Alternative(sequence(one.parts[1:]), one.parts[1:]) for one in alternatives if one.parts[1:]]
    if not rests:
        return first
    rest = choice(_group(group) for group in _by_first(rests))
    if len(rests) < len(alternatives):
        rest = optional(_distributed(rest))
    return sequence((first, rest))


def _distributed(node: Node) -> Node:
    """Return a node whose options all have the space before them, so that each is a lexeme with its word.

    A lexer takes the longest lexeme and never goes back: a space of its own would compete with ` and `.
    """
    first, *rest = parts_of(node)
    if first != _SPACE or len(rest) == 0 or not isinstance(rest[0], Choice):
        return node
    return choice(sequence((_SPACE, option, *rest[1:])) for option in rest[0].options)
