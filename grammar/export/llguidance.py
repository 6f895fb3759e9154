"""The form for llguidance, which decodes for vLLM, SGLang and llama.cpp: what it reads of Lark's notation."""

from __future__ import annotations

from skillsandbox.grammar.export.bounds import Bounds
from skillsandbox.grammar.export.decoding import decodable
from skillsandbox.grammar.export.lark_notation import write_lark
from skillsandbox.grammar.export.notation import Grammar

_HEADER = "%llguidance {}\n"
"""By this servers that take several notations know which one it is."""


def write(grammar: Grammar, bounds: Bounds) -> str:
    """Return the grammar of one scenario in llguidance's dialect."""
    return _HEADER + write_lark(decodable(grammar, bounds))
