"""Reads the compiler's grammar, which is written in Lark's notation, into the neutral one."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

from skillsandbox.grammar.export.notation import (
    Characters,
    Grammar,
    Name,
    Node,
    Text,
    choice,
    fused,
    rebuilt,
    repeat,
    sequence,
)
from skillsandbox.grammar.export.pattern import read_pattern
from skillsandbox.grammar.loader import compose

if TYPE_CHECKING:
    import lark

START = "program"
CONTROL = ((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x7F))
"""The characters that the compiler takes nowhere in a text."""

_REPEATED = {"?": (0, 1), "*": (0, None), "+": (1, None)}


def read(environment_grammar: str) -> Grammar:
    """Return the grammar of the whole language for one environment, given that environment's own grammar.

    Control characters, which the compiler refuses before it parses, are in no terminal of it.

    Raises:
        ValueError: it uses a construct that some decoder would not read alike.
    """
    rules: dict[str, Node] = {}
    terminals: dict[str, Node] = {}
    ignored: list[str] = []
    statements: list[Any] = _reader().parse(compose(environment_grammar)).children
    for statement in statements:
        match statement.data, statement.children:
            case "rule", [name, _, body]:
                rules[str(name)] = _node(body)
            case "token", [name, _, body]:
                terminals[str(name)] = _printable(fused(_node(body)))
            case "ignore", [body]:
                ignored.append(str(body.children[0]))
            case _:
                raise _not_alike(statement)
    return Grammar(rules, terminals, START, tuple(ignored))


@functools.cache
def _reader() -> lark.Lark:
    """Return the parser of Lark's notation, of which Lark itself has a grammar."""
    import lark

    return lark.Lark.open_from_package(
        "lark", "lark.lark", ("grammars",), parser="lalr", maybe_placeholders=False
    )


def _printable(node: Node) -> Node:
    """Return a node that takes no control character where it takes any but a few."""
    if isinstance(node, Characters) and node.negated:
        return Characters((*node.ranges, *CONTROL), negated=True)
    return rebuilt(node, _printable)


def _node(tree: Any) -> Node:
    match tree.data, tree.children:
        case "expansions", options:
            return choice(map(_node, options))
        case "expansion", parts:
            return sequence(map(_node, parts))
        case "expr", [part, operator] if operator.type == "OP":
            return repeat(_node(part), *_REPEATED[operator])
        case "expr", [part, times]:
            return repeat(_node(part), int(times), int(times))
        case "expr", [part, least, most]:
            return repeat(_node(part), int(least), int(most))
        case "name", [name]:
            return Name(str(name))
        case "literal", [token] if token.type == "STRING" and token.endswith('"'):
            return Text(json.loads(token))
        case "literal", [token] if token.type == "REGEXP" and token.endswith("/"):
            return read_pattern(token[1:-1].replace("\\/", "/"))
        case _:
            raise _not_alike(tree)


def _not_alike(tree: Any) -> ValueError:
    return ValueError(f"a grammar that decoders are to read alike has no such {tree.data}:\n{tree.pretty()}")
