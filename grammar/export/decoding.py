"""The grammar as a decoder needs it: one way to lay a program out, an end to everything, and few guesses."""

from __future__ import annotations

import attrs

from skillsandbox.grammar.export.bounds import Bounds, bounded
from skillsandbox.grammar.export.factoring import factored, tidied
from skillsandbox.grammar.export.layout import laid_out
from skillsandbox.grammar.export.notation import Grammar, Name, Text, optional, sequence

START = "start"


def decodable(grammar: Grammar, bounds: Bounds) -> Grammar:
    """Return a grammar of one scenario in canonical form without comments, within bounds."""
    one_scenario = sequence((Name("scenario"), optional(Text("\n"))))
    spaced = laid_out(grammar)
    started = attrs.evolve(spaced, start=START, rules={START: one_scenario, **spaced.rules})
    return tidied(bounded(factored(started), bounds))
