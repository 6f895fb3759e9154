"""The grammar of the scenario language in the notations of other programs: parsers, decoders, services."""

from __future__ import annotations

import functools
from enum import StrEnum

from skillsandbox.grammar.export import gbnf, lark, llguidance, openai
from skillsandbox.grammar.export.bounds import Bounds
from skillsandbox.grammar.export.reading import read


class Form(StrEnum):
    """What a grammar can be exported for."""

    LARK = "lark"
    GBNF = "gbnf"
    LLGUIDANCE = "llguidance"
    OPENAI = "openai"


BOUNDS = Bounds()
"""What a model may write at most, where the language sets no limit."""


@functools.cache
def export(environment_grammar: str, form: Form, bounds: Bounds = BOUNDS) -> str:
    """Return the grammar of the language for one environment, given that environment's own grammar.

    All forms but Lark's are of one scenario in canonical form, without comments and within bounds.

    Raises:
        ValueError: the environment's grammar uses a construct that a decoder would not read alike.
    """
    grammar = read(environment_grammar)
    match form:
        case Form.LARK:
            return lark.write(grammar)
        case Form.GBNF:
            return gbnf.write(grammar, bounds)
        case Form.LLGUIDANCE:
            return llguidance.write(grammar, bounds)
        case Form.OPENAI:
            return openai.write(grammar, bounds)
