"""The form for OpenAI's custom tools: the `definition` of a tool's grammar, as small as it can be."""

from __future__ import annotations

import attrs

from skillsandbox.grammar.export.bounds import Bounds
from skillsandbox.grammar.export.decoding import decodable
from skillsandbox.grammar.export.lark_notation import write_lark
from skillsandbox.grammar.export.notation import Grammar


def write(grammar: Grammar, bounds: Bounds) -> str:
    """Return the grammar of one scenario in the Lark of custom tools, which is llguidance's too.

    Large grammars are refused there, so that only terminals are bounded, and no rule has copies.
    """
    return write_lark(decodable(grammar, attrs.evolve(bounds, items=None, depth=None)))
