"""The operations of ALFWorld's construction interface on a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import attrs

from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.values import Entity, GroundCall
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.arrangement import free_identifier
from skillsandbox.envs.alfworld.household import Configuration, Receptacle, State, Thing
from skillsandbox.envs.alfworld.moment import HouseholdMoment

_STATE_SETS = ("clean", "hot", "cool", "toggled", "sliced")


def apply(configuration: Configuration, operation: GroundCall, random: Random) -> Configuration:
    """Return the configuration after an operation; `Refused` where the household does not allow it."""
    moment = HouseholdMoment(configuration)
    match operation:
        case GroundCall("place_on" | "place_in", (Entity(key=thing), Entity(key=receptacle))):
            return _placed(configuration, moment.thing(thing), moment.receptacle(receptacle))
        case GroundCall("add", (int(count), str(type))):
            return _added(configuration, count, type, configuration.household.receptacles, random)
        case GroundCall("add_on", (int(count), str(type), Entity(key=receptacle))):
            return _added(configuration, count, type, (moment.receptacle(receptacle),), random)
        case GroundCall("add_except", (int(count), str(type), tuple(exceptions))):
            excluded = {exception.key for exception in exceptions if isinstance(exception, Entity)}
            allowed = [one for one in configuration.household.receptacles if one.id not in excluded]
            return _added(configuration, count, type, allowed, random)
        case GroundCall("remove", (Entity(key=thing),)):
            return _without(configuration, {moment.thing(thing).id})
        case GroundCall("remove_every", (str(type), tuple(kept))):
            keep = {entity.key for entity in kept if isinstance(entity, Entity)}
            things = configuration.household.things
            return _without(
                configuration, {one.id for one in things if one.type == type and one.id not in keep}
            )
        case GroundCall(symbol, (Entity(key=key), *_)):
            return _changed(configuration, symbol, key, moment)
        case _:
            raise ValueError(f"no operation of ALFWorld: {operation}")


def _changed(configuration: Configuration, symbol: str, key: str, moment: HouseholdMoment) -> Configuration:
    """Apply an operation that changes fluents of one entity only."""
    state = configuration.state
    changes: dict[str, Callable[[], State]] = {
        "open": lambda: attrs.evolve(state, opened=state.opened | {_openable(moment, key)}),
        "close": lambda: attrs.evolve(state, opened=state.opened - {_openable(moment, key)}),
        "set_clean": lambda: attrs.evolve(state, clean=state.clean | {key}),
        "set_hot": lambda: attrs.evolve(state, hot=state.hot | {key}, cool=state.cool - {key}),
        "set_cool": lambda: attrs.evolve(state, cool=state.cool | {key}, hot=state.hot - {key}),
        "set_toggled": lambda: attrs.evolve(state, toggled=state.toggled | {key}),
        "set_sliced": lambda: attrs.evolve(state, sliced=state.sliced | {key}),
        "start_at": lambda: attrs.evolve(state, location=moment.receptacle(key).location),
        "start_holding": lambda: _holding(state, moment.thing(key)),
    }
    if symbol.startswith("set_"):
        moment.thing(key)
    return attrs.evolve(configuration, state=changes[symbol]())


def _openable(moment: HouseholdMoment, key: str) -> str:
    receptacle = moment.receptacle(key)
    if not receptacle.openable:
        raise Refused(f"this {receptacle.type} does not open and close")
    return receptacle.id


def _holding(state: State, thing: Thing) -> State:
    if state.holding not in (None, thing.id):
        raise Refused("the agent holds something else already")
    if not thing.pickupable:
        raise Refused(f"a {thing.type} cannot be picked up")
    return attrs.evolve(state, holding=thing.id, places=_elsewhere(state, thing.id))


def _elsewhere(state: State, key: str) -> frozenset[tuple[str, str]]:
    return frozenset(pair for pair in state.places if pair[0] != key)


def _placed(configuration: Configuration, thing: Thing, receptacle: Receptacle) -> Configuration:
    if not domain.fits(thing.type, receptacle.type):
        raise Refused(f"a {thing.type} cannot be put on or in a {receptacle.type}")
    state = configuration.state
    places = _elsewhere(state, thing.id) | {(thing.id, receptacle.id)}
    holding = None if state.holding == thing.id else state.holding
    return attrs.evolve(configuration, state=attrs.evolve(state, places=places, holding=holding))


def _added(
    configuration: Configuration, count: int, type: str, receptacles: Iterable[Receptacle], random: Random
) -> Configuration:
    suitable = [receptacle for receptacle in receptacles if domain.fits(type, receptacle.type)]
    if not suitable:
        raise Refused(f"no receptacle that is left can hold a {type}")
    household, places = configuration.household, set(configuration.state.places)
    things = list(household.things)
    for _ in range(count):
        receptacle = suitable[random.randrange(len(suitable))]
        thing = Thing(free_identifier(random, type, receptacle, {thing.id for thing in things}), type)
        things.append(thing)
        places.add((thing.id, receptacle.id))
    household = attrs.evolve(household, things=tuple(sorted(things, key=lambda thing: thing.id)))
    return Configuration(household, attrs.evolve(configuration.state, places=frozenset(places)))


def _without(configuration: Configuration, keys: set[str]) -> Configuration:
    state = configuration.state
    household = configuration.household
    things = tuple(thing for thing in household.things if thing.id not in keys)
    nested = frozenset(pair for pair in household.nested if keys.isdisjoint(pair))
    sets = {name: getattr(state, name) - keys for name in _STATE_SETS}
    places = frozenset(pair for pair in state.places if pair[0] not in keys)
    holding = None if state.holding in keys else state.holding
    lies = None if state.lies is None else frozenset(pair for pair in state.lies if pair[0] not in keys)
    taken = frozenset(pair for pair in state.taken if pair[0] not in keys)
    state = attrs.evolve(state, places=places, holding=holding, lies=lies, taken=taken, **sets)
    return Configuration(attrs.evolve(household, things=things, nested=nested), state)


def difference(base: Configuration, configuration: Configuration) -> str:
    """Return what differs between two configurations of a household: one line each, sorted."""
    one, other = set(_facts(base)), set(_facts(configuration))
    return "\n".join(
        [*(f"- {fact}" for fact in sorted(one - other)), *(f"+ {fact}" for fact in sorted(other - one))]
    )


def _facts(configuration: Configuration) -> Iterable[str]:
    state = configuration.state
    yield from (f"{thing.id} exists" for thing in configuration.household.things)
    yield from (f"{thing} on {receptacle}" for thing, receptacle in state.places)
    yield from (f"{key} open" for key in state.opened)
    yield from (f"{key} {name}" for name in _STATE_SETS for key in getattr(state, name))
    yield f"agent at {state.location}"
    yield f"agent holds {state.holding or 'nothing'}"
