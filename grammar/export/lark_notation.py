"""Writes a grammar in Lark's notation, as far as Lark and llguidance read it alike."""

from __future__ import annotations

import json

from skillsandbox.grammar.export.notation import (
    Choice,
    Grammar,
    Name,
    Node,
    Repeat,
    Sequence,
    Text,
    names_in,
    options_of,
)
from skillsandbox.grammar.export.pattern import write_pattern

WIDTH = 110
_REPEATED = {(0, 1): "?", (0, None): "*", (1, None): "+"}


def write_lark(grammar: Grammar) -> str:
    """Return a grammar in Lark's notation; one that begins with a rule `start` needs no option to be read."""
    rules = [_definition(name, list(map(_rule, options_of(body)))) for name, body in grammar.rules.items()]
    terminals = [_definition(name, _terminal(body)) for name, body in grammar.terminals.items()]
    ignored = [f"%ignore {name}\n" for name in grammar.ignored]
    return "".join([*rules, "\n", *terminals, *ignored])


def _definition(name: str, options: list[str]) -> str:
    line = f"{name}: {' | '.join(options)}\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"{name}: " + f"\n{' ' * len(name)}| ".join(options) + "\n"


def _terminal(body: Node) -> list[str]:
    """Return the options of a terminal: words, a regular expression, or a composition of terminals."""
    options = options_of(body)
    if any(names_in(body)):
        return list(map(_rule, options))
    if all(isinstance(option, Text) for option in options):
        return list(map(_rule, options))
    escaped = write_pattern(body).replace("/", "\\/")
    return [f"/{escaped}/"]


def _rule(node: Node) -> str:
    match node:
        case Text(value=value):
            return json.dumps(value, ensure_ascii=False)
        case Name(name=name):
            return name
        case Sequence(parts=parts):
            return " ".join(_grouped(part) if isinstance(part, Choice) else _rule(part) for part in parts)
        case Choice(options=options):
            return " | ".join(map(_rule, options))
        case Repeat(part=part, least=least, most=most):
            times = _REPEATED.get((least, most)) or f"~{least} .. {most}"
            return (_rule(part) if isinstance(part, Text | Name) else _grouped(part)) + times
        case _:
            return f"/{write_pattern(node)}/"


def _grouped(node: Node) -> str:
    return f"({_rule(node)})"
