"""Composes the flat grammar of an environment, and has Lark make LALR(1) tables of it, once per machine."""

from __future__ import annotations

import functools
import hashlib
import json
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from skillsandbox.grammar.cache import cache_folder
from skillsandbox.grammar.lalr import Parser, Rule, Tables, Terminal

if TYPE_CHECKING:
    import lark

SECTIONS = ("condition", "base", "let", "goal", "say", "build", "history", "require", "encounter", "novel")
_FORMAT = 1
"""To be raised with every change of what is kept in the cache."""

_STARTS = ("program", "unsupported", *SECTIONS)


@functools.cache
def grammar_text(name: str) -> str:
    """Return the text of a grammar that stands in this folder (`core`, or one of our environments)."""
    return (files("skillsandbox.grammar") / f"{name}.lark").read_text("utf-8")


def compose(environment_grammar: str) -> str:
    """Return the flat grammar of the whole language for one environment."""
    return grammar_text("core") + "\n" + environment_grammar


def build_parser(grammar: str, *, strict: bool = False) -> lark.Lark:
    """Make Lark's parser; `strict` also looks for collisions between terminals, as a test asks it to."""
    import lark

    return lark.Lark(grammar, parser="lalr", strict=strict, start=list(_STARTS), propagate_positions=True)


def compile_grammar(grammar: str) -> Tables:
    """Return the tables that Lark makes of a grammar.

    Raises:
        ValueError: the grammar uses a construct of Lark's for which these tables have no place.
    """
    made = build_parser(grammar)
    table: Any = made.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(made.rules)}
    if unknown := [rule.origin.name for rule in made.rules if rule.options.expand1 or not rule.expansion]:
        raise ValueError(f"rules that may vanish are not supported: {', '.join(unknown)}")
    ordered = sorted(
        made.terminals,
        key=lambda one: (-one.priority, -one.pattern.max_width, -len(one.pattern.value), one.name),
    )
    return Tables(
        terminals=tuple(map(_terminal, ordered)),
        ignored=tuple(made.ignore_tokens),
        rules=tuple(map(_rule, made.rules)),
        actions=tuple(
            {
                name: arg if action.name == "Shift" else -1 - numbers[arg]
                for name, (action, arg) in row.items()
            }
            for _, row in sorted(table.states.items())
        ),
        starts=dict(table.start_states),
        ends=dict(table.end_states),
    )


def _terminal(terminal: lark.lexer.TerminalDef) -> Terminal:
    is_literal = terminal.pattern.type == "str"
    literal, pattern = (terminal.pattern.value, None) if is_literal else (None, terminal.pattern.to_regexp())
    return Terminal(terminal.name, literal, pattern)


def _rule(rule: Any) -> Rule:
    kept = tuple(
        (index, not symbol.is_term and symbol.name.startswith("_"))
        for index, symbol in enumerate(rule.expansion)
        if not (symbol.is_term and symbol.filter_out)
    )
    return Rule(rule.origin.name, rule.alias or rule.origin.name, len(rule.expansion), kept)


@functools.cache
def load_parser(environment_grammar: str) -> Parser:
    """Return the parser for an environment's language, from the cache where its tables stand there already.

    The tables take longer to make than a program takes to compile. A cache that cannot be read or written
    costs time and nothing else.
    """
    grammar = compose(environment_grammar)
    made_of = f"{_FORMAT} {_STARTS} {grammar}"
    path = cache_folder() / f"grammar-{_digest(made_of)}.json"
    try:
        return Parser(_read(path))
    except (OSError, ValueError):
        tables = compile_grammar(grammar)
        _keep(tables, path)
        return Parser(tables)


def _read(path: Path) -> Tables:
    digest, _, text = path.read_text("utf-8").partition("\n")
    if digest != _digest(text):
        raise ValueError("the tables are damaged")
    data = json.loads(text)
    rows = [dict(zip(names, actions, strict=True)) for names, actions in data["rows"]]
    return Tables(
        terminals=tuple(Terminal(*one) for one in data["terminals"]),
        ignored=tuple(data["ignored"]),
        rules=tuple(
            Rule(origin, kind, size, tuple(map(tuple, kept))) for origin, kind, size, kept in data["rules"]
        ),
        actions=tuple(rows[number] for number in data["actions"]),
        starts=data["starts"],
        ends=data["ends"],
    )


def _keep(tables: Tables, path: Path) -> None:
    """Write tables as JSON: rows of actions that several states share once, and then their numbers."""
    rows: dict[tuple[tuple[str, int], ...], int] = {}
    numbers = [rows.setdefault(tuple(row.items()), len(rows)) for row in tables.actions]
    data = {
        "terminals": [attrs.astuple(one) for one in tables.terminals],
        "ignored": tables.ignored,
        "rules": [attrs.astuple(one) for one in tables.rules],
        "rows": [[[name for name, _ in row], [action for _, action in row]] for row in rows],
        "actions": numbers,
        "starts": tables.starts,
        "ends": tables.ends,
    }
    text = json.dumps(data, separators=(",", ":"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            draft = Path(folder) / path.name
            draft.write_text(f"{_digest(text)}\n{text}", "utf-8")
            draft.replace(path)
    except OSError:
        return


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]
