"""Grammars are read before they are sent: a server can take a wrong one in silence, and keep to nothing."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec

from skillsandbox.runtime.models.request import Declined, GrammarReply
from skillsandbox.runtime.models.wire import Support


def require_readable(grammar: GrammarReply, support: Support) -> None:
    """Read a grammar that llguidance will, where it is installed here too. Raises `Declined`."""
    way = support.grammar_way
    text = None if way is None or way.name != "llguidance" else grammar.forms.get(way.form)
    fault = None if text is None else _fault(text)
    if fault is not None:
        raise Declined(f"the grammar {grammar.name} is not one that llguidance reads: {fault}")


@lru_cache(maxsize=32)
def _fault(text: str) -> str | None:
    if find_spec("llguidance") is None:
        return None
    from llguidance import LLMatcher

    return " ".join(LLMatcher.validate_grammar(text).split()) or None
