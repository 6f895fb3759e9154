"""Reading JSON data that anybody may have changed, so that what is wrong with them is said with its place.

A place is written as a path: `goal.arguments[1].key`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.interface import Interface, Parameter, Role, Signature, Type
from skillsandbox.compiler.values import Entity, GroundCall, Value

T = TypeVar("T")

LARGEST_NUMBER = 2**63 - 1
"""The largest number that a data store can be asked about."""

_PATH = " - at `$"
_LONGEST_SHOWN = 60
_MOST_NAMED = 8


class Malformed(Refused):
    """Data are not as they were written: the text says where, and what was expected there."""

    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"at `{place}`: {fault}" if place else fault)


class _Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    symbol: str
    arguments: tuple[Any, ...]


class _Entity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: str
    key: str


def decoded_json(text: bytes, type: type[T]) -> T:
    """Return JSON text as a value of a type that msgspec knows; raise `Malformed` where it is none."""
    try:
        return msgspec.json.decode(text, type=type)
    except msgspec.MsgspecError as error:
        raise _malformed(error, "") from error
    except RecursionError as error:
        raise Malformed("", "it is nested too deeply") from error


def decoded(data: Any, type: type[T], place: str) -> T:
    """Return JSON data as a value of a type that msgspec knows; raise `Malformed` where they are none."""
    try:
        return msgspec.convert(data, type)
    except msgspec.ValidationError as error:
        raise _malformed(error, place) from error


def _malformed(error: msgspec.MsgspecError, place: str) -> Malformed:
    fault, _, path = str(error).partition(_PATH)
    return Malformed((place + path.rstrip("`")).lstrip("."), fault[0].lower() + fault[1:])


def expected(place: str, wanted: str, data: Any) -> Malformed:
    """Return the complaint that something else was expected than the data that stand in a place."""
    found = json.dumps(data, ensure_ascii=False)
    shown = found if len(found) <= _LONGEST_SHOWN else f"{found[:_LONGEST_SHOWN]}…"
    return Malformed(place, f"expected {wanted}, found {shown}")


def one_of(names: Iterable[str]) -> str:
    """Return in words that one of some names is expected; of many names only the first are told."""
    listed = sorted(names)
    if len(listed) > _MOST_NAMED:
        return f"one of {', '.join(listed[:_MOST_NAMED])} and {len(listed) - _MOST_NAMED} more"
    return f"one of {', '.join(listed)}" if len(listed) > 1 else "".join(listed)


def goal_from_data(data: Any, interface: Interface, place: str) -> GroundCall:
    """Return the goal that `value_to_data` wrote; raise `Malformed` where it is no goal of the interface."""
    goals = {one.symbol: one for one in interface.signatures if one.role is Role.GOAL}
    return _call_from_data(data, goals, interface, place)


def value_from_data(data: Any, type: str, interface: Interface, place: str) -> Value:
    """Return the value of a type that `value_to_data` wrote; raise `Malformed` where it is none.

    The type is the name of one of the interface's, or `[T]` for a list.
    """
    if type.startswith("["):
        items = decoded(data, tuple[Any, ...], place)
        return tuple(
            value_from_data(item, type.strip("[]"), interface, f"{place}[{index}]")
            for index, item in enumerate(items)
        )
    clauses = {
        one.symbol: one for one in interface.signatures if (one.role, one.result) == (Role.CLAUSE, type)
    }
    if clauses:
        return _call_from_data(data, clauses, interface, place)
    return _simple_value(data, interface.type_named[type], place)


def _simple_value(data: Any, type: Type, place: str) -> Value:
    match type.name:
        case "Bool":
            return decoded(data, bool, place)
        case "Int" | "Money":
            number = decoded(data, int, place)
            if abs(number) > LARGEST_NUMBER:
                raise expected(place, "a number of 64 bits", data)
            return number
    if type.table is not None:
        entity = decoded(data, _Entity, place)
        if entity.type != type.name:
            raise expected(f"{place}.type", json.dumps(type.name), entity.type)
        return Entity(entity.type, entity.key)
    text = decoded(data, str, place)
    if type.values and text not in type.values:
        raise expected(place, one_of(type.values), data)
    return text


def _call_from_data(
    data: Any, signatures: dict[str, Signature], interface: Interface, place: str
) -> GroundCall:
    call = decoded(data, _Call, place)
    if call.symbol not in signatures:
        raise expected(f"{place}.symbol", one_of(signatures), call.symbol)
    parameters = signatures[call.symbol].parameters
    if len(call.arguments) != len(parameters):
        names = ", ".join(parameter.name for parameter in parameters) or "none"
        raise Malformed(
            f"{place}.arguments",
            f"expected {len(parameters)} for `{call.symbol}` ({names}), found {len(call.arguments)}",
        )
    arguments = zip(parameters, call.arguments, strict=True)
    return GroundCall(
        call.symbol,
        tuple(
            _argument(argument, parameter, interface, f"{place}.arguments[{index}]")
            for index, (parameter, argument) in enumerate(arguments)
        ),
    )


def _argument(data: Any, parameter: Parameter, interface: Interface, place: str) -> Value:
    type = f"[{parameter.type}]" if parameter.many else parameter.type
    value = value_from_data(data, type, interface, place)
    if parameter.range is not None:
        least, most = parameter.range
        if not (isinstance(value, int) and least <= value <= most):
            raise expected(place, f"a number from {least} to {most}", data)
    return value
