"""Composes the flat grammar of an environment, and makes Lark's LALR(1) parser of it once per machine."""

from __future__ import annotations

import functools
import hashlib
import io
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import lark

from skillsandbox.grammar.cache import cache_folder

SECTIONS = ("condition", "base", "let", "goal", "say", "build", "history", "require", "encounter", "novel")
_STARTS = ("program", "unsupported", *SECTIONS)


@functools.cache
def grammar_text(name: str) -> str:
    """Return the text of a grammar that stands in this folder (`core`, or one of our environments)."""
    return (files("skillsandbox.grammar") / f"{name}.lark").read_text("utf-8")


def compose(environment_grammar: str) -> str:
    """Return the flat grammar of the whole language for one environment."""
    return grammar_text("core") + "\n" + environment_grammar


def build_parser(grammar: str, *, strict: bool = False) -> lark.Lark:
    """Make the parser; `strict` also looks for collisions between terminals (it costs time, a test asks for
    it).
    """
    return lark.Lark(
        grammar,
        parser="lalr",
        strict=strict,
        start=list(_STARTS),
        propagate_positions=True,
    )


@functools.cache
def load_parser(environment_grammar: str) -> lark.Lark:
    """Return the parser for an environment's language, from the cache where it stands there already.

    The tables take longer to make than a program takes to compile. A cache that cannot be read or written
    costs time and nothing else.
    """
    grammar = compose(environment_grammar)
    made_of = f"{lark.__version__} {sys.version_info[:2]} {_STARTS} {grammar}"
    path = cache_folder() / f"grammar-{hashlib.sha256(made_of.encode()).hexdigest()[:20]}.lalr"
    try:
        return lark.Lark.load(io.BytesIO(path.read_bytes()))
    except Exception:  # any damage to the cached tables shows as some other exception of pickle's
        parser = build_parser(grammar)
        _keep(parser, path)
        return parser


def _keep(parser: lark.Lark, path: Path) -> None:
    tables = io.BytesIO()
    parser.save(tables)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            draft = Path(folder) / path.name
            draft.write_bytes(tables.getvalue())
            draft.replace(path)
    except OSError:
        return
