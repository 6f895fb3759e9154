"""Configurations as JSON data, and what makes data that anybody may have changed a household again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import attrs

from skillsandbox.compiler.decoding import Malformed, decoded, expected
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.household import Configuration, Household
from skillsandbox.envs.alfworld.lowering import identifier_faults

_PLACE = "configuration"
_LOCATION = re.compile(r"loc(\|-?\d{1,6}){4}", re.ASCII)
_TYPE = re.compile(r"[A-Za-z]\w*", re.ASCII)
_SETS_OF_THINGS = ("clean", "hot", "cool", "toggled", "sliced")


def configuration_to_data(configuration: Configuration) -> Any:
    """Return a configuration as JSON data, with sets as sorted lists."""
    return attrs.asdict(configuration, value_serializer=_sorted_sets)


def configuration_from_data(data: Any) -> Configuration:
    """Return the configuration that `configuration_to_data` wrote.

    Raises:
        Malformed: the data are no household, or one of which the engines cannot speak.
    """
    configuration = decoded(data, Configuration, _PLACE)
    _check_household(configuration.household)
    _check_locations(configuration)
    _check_state(configuration)
    return configuration


def _sorted_sets(instance: Any, attribute: Any, value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else value


def _check_household(household: Household) -> None:
    try:
        domain.scene_kind(household.scene)
    except ValueError as error:
        raise Malformed(f"{_PLACE}.household.scene", str(error)) from error
    for fault in identifier_faults(household):
        raise Malformed(f"{_PLACE}.household", fault)
    types = {one.id: one.type for one in household.receptacles}
    types |= {one.id: one.type for one in household.things}
    for identifier, type in types.items():
        if not _TYPE.fullmatch(type):
            raise expected(f"{_PLACE}.household", f"a word as the type of {identifier}", type)


def _check_locations(configuration: Configuration) -> None:
    household, state = configuration.household, configuration.state
    lying = [location for _, location in state.lies or ()]
    standing = [one.location for one in household.receptacles]
    for place, locations in (
        ("household.start", [household.start]),
        ("household.receptacles", standing),
        ("state.location", [state.location]),
        ("state.lies", lying),
    ):
        for location in locations:
            if not _LOCATION.fullmatch(location):
                raise expected(f"{_PLACE}.{place}", "a location such as loc|-4|5|2|60", location)


def _check_state(configuration: Configuration) -> None:
    """Check that a state speaks of what is in the household."""
    household, state = configuration.household, configuration.state
    things = {one.id for one in household.things}
    receptacles = {one.id for one in household.receptacles}
    _among(things, "an object", "household.nested", (key for pair in household.nested for key in pair))
    _among(things, "an object", "state.places", (thing for thing, _ in state.places))
    _among(receptacles, "a receptacle", "state.places", (receptacle for _, receptacle in state.places))
    _among(things, "an object", "state.holding", () if state.holding is None else (state.holding,))
    _among(receptacles, "a receptacle", "state.opened", state.opened)
    for name in _SETS_OF_THINGS:
        _among(things, "an object", f"state.{name}", getattr(state, name))
    _among(things, "an object", "state.lies", (thing for thing, _ in state.lies or ()))
    _among(things, "an object", "state.taken", (thing for thing, _ in state.taken))
    _among(receptacles, "a receptacle", "state.taken", (receptacle for _, receptacle in state.taken))


def _among(known: Collection[str], noun: str, place: str, identifiers: Iterable[str]) -> None:
    for identifier in sorted(set(identifiers).difference(known)):
        raise expected(f"{_PLACE}.{place}", f"the id of {noun} of the household", identifier)
