"""The exported grammars, and who says what they admit: the engine that each form is for."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import lark
import pytest
from decoders import is_admitted
from gbnf import Recogniser
from installed import ENVIRONMENTS, INTERFACES, program

from skillsandbox.compiler import scanner
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.printer import print_program
from skillsandbox.compiler.syntax import Program
from skillsandbox.grammar.export import BOUNDS, Bounds, Form, export

ENVIRONMENT = pytest.mark.parametrize("environment", sorted(ENVIRONMENTS))
DECODERS = (Form.GBNF, Form.LLGUIDANCE, Form.OPENAI)
DECODING = pytest.mark.parametrize("form", DECODERS)
MOST_OPEN = 40
SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*/*.scn"))
WIDE = Bounds(text=100, name=60, items=40, depth=14)
"""Bounds that no program goes beyond which the tests draw."""

TIGHT = Bounds(text=8, name=4, items=2, depth=2)
"""Bounds within which even who chooses without sense comes to an end."""


def grammar(environment: str, form: Form, bounds: Bounds = BOUNDS) -> str:
    return export(ENVIRONMENTS[environment]().grammar(), form, bounds)


def admits(environment: str, form: Form, text: str, bounds: Bounds = BOUNDS) -> bool:
    """Ask the engine that a form is for whether it admits a text."""
    exported = grammar(environment, form, bounds)
    match form:
        case Form.GBNF:
            return recogniser(exported).admits(text)
        case Form.LARK:
            return lark_takes(environment, text)
        case _:
            return is_admitted(exported, text)


@functools.cache
def recogniser(exported: str) -> Recogniser:
    return Recogniser(exported)


@functools.cache
def made_by_lark(environment: str, parser: Any = "lalr") -> lark.Lark:
    return lark.Lark(grammar(environment, Form.LARK), parser=parser)


def lark_takes(environment: str, text: str, parser: Any = "lalr") -> bool:
    try:
        made_by_lark(environment, parser).parse(text)
    except lark.UnexpectedInput:
        return False
    return True


def parser_takes(text: str) -> bool:
    return not parse(Source("test", text), ENVIRONMENTS).diagnostics


def canonical(drawn: Program) -> str:
    """Return the canonical text of a program without its comments."""
    text = print_program(drawn, INTERFACES)
    for comment in reversed(scanner.outline(text, 1000).comments):
        text = text[: comment.span.start] + text[comment.span.end :]
    return print_program(program(text), INTERFACES)


@functools.cache
def spec(path: Path) -> tuple[str, str]:
    """Return the environment and the canonical text of a program of the library."""
    parsed = program(path.read_text("utf-8"))
    return parsed.scenarios[0].environment, canonical(parsed)
