"""The standard form: Lark's own notation, with white space and comments where the compiler takes them."""

from __future__ import annotations

import attrs

from skillsandbox.grammar.export.lark_notation import write_lark
from skillsandbox.grammar.export.notation import Grammar, Name, Node, Text, replaced

_TOGETHER = {"_template": "TEMPLATE", "hole": "HOLE"}
"""Rules inside which no white space may stand, and what they are called as terminals."""

_ALONE = {"scenario": ("_SCENARIO", r"scenario\b"), "for": ("_FOR", r"\bfor\b")}
"""Words that the compiler finds before it parses, and that must stand alone for that."""

_HEADER = """\
// The scenario language, for a parser that Lark makes. The language is the compiler's, but for three things:
// no white space stands inside the braces of a hole, the words `scenario` and `for` touch no letter, digit or
// underscore, and nothing here limits the size of a scenario or the depth of its brackets.
"""


def write(grammar: Grammar) -> str:
    """Return the grammar of whole programs, comments and all, in Lark's standard notation."""
    words = "".join(f"{name}: /{pattern}/\n" for name, pattern in _ALONE.values())
    return _HEADER + write_lark(_with_terminals(_from_start(grammar))) + words


def _from_start(grammar: Grammar) -> Grammar:
    rules = {"start" if name == grammar.start else name: body for name, body in grammar.rules.items()}
    return attrs.evolve(grammar, rules=rules, start="start")


def _with_terminals(grammar: Grammar) -> Grammar:
    """Return a grammar in which what stands together, or alone, is a terminal."""
    terminals: dict[Node, Node] = {Name(rule): Name(name) for rule, name in _TOGETHER.items()}
    terminals |= {Text(word): Name(name) for word, (name, _) in _ALONE.items()}
    changed = replaced(grammar, terminals)
    rules = dict(changed.rules)
    made = {name: rules.pop(rule) for rule, name in _TOGETHER.items()}
    return attrs.evolve(changed, rules=rules, terminals={**changed.terminals, **made})
