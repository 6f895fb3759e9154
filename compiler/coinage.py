"""Words that operations bring in: what the data do not have until then."""

from __future__ import annotations

from collections.abc import Iterator

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.interface import Interface, Parameter

TypedText = tuple[str, str]
"""A type of words, and a text."""


def coined(call: s.Call, interface: Interface) -> frozenset[TypedText]:
    """Return the words that an operation brings in; clauses inside it, which speak of other things, aside."""
    return frozenset(
        (parameter.coined.type, parameter.coined.written(text.value))
        for parameter, text in _texts(call, interface)
        if parameter.coined is not None
    )


def brings_about(earlier: s.Call, later: s.Call, interface: Interface) -> bool:
    """Say whether a later operation names words that an earlier one gives the same entity.

    What the later operation needs the data cannot tell then.
    """
    new = coined(earlier, interface)
    named = _words(later, interface)
    same = set(s.variables(earlier)) & set(s.variables(later))
    return bool(same) and bool(named & new) and named <= new | _words(earlier, interface)


def _words(call: s.Call, interface: Interface) -> frozenset[TypedText]:
    """Return the words that an operation names."""
    return frozenset(
        (parameter.type, text.value)
        for parameter, text in _texts(call, interface)
        if interface.type_named[parameter.type].words is not None
    )


def _texts(call: s.Call, interface: Interface) -> Iterator[tuple[Parameter, s.Text]]:
    parameters = interface.signature_of[call.symbol].parameters
    for parameter, argument in zip(parameters, call.arguments, strict=False):
        if isinstance(argument, s.Text) and not parameter.many:
            yield parameter, argument
