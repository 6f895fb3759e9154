"""The values of ALFWorld: a household that stays as it is in an episode, and the state that changes."""

from __future__ import annotations

import attrs


@attrs.frozen
class Receptacle:
    """A piece of furniture or an appliance: its official id, type (`Fridge`), and where an agent uses it."""

    id: str
    type: str
    location: str
    openable: bool


@attrs.frozen
class Thing:
    """An object that can be carried or toggled: its official id and type (`Apple`)."""

    id: str
    type: str
    pickupable: bool = True


@attrs.frozen
class Household:
    """One scene: receptacles and things, each sorted by id; `start` is where a fresh agent stands.

    Ids are ALFRED's (`Apple|-01.50|+00.93|+00.45`), locations `loc|4x|4z|rotation/90|horizon`.
    What fits where and what can be heated, cooled, cleaned, toggled or sliced follows from the types.
    `nested` pairs a thing's id with that of the vessel that it stands in (a spoon in a mug): no action
    changes it, and only examining the held vessel shows it.
    """

    scene: str
    receptacles: tuple[Receptacle, ...]
    things: tuple[Thing, ...]
    start: str
    nested: frozenset[tuple[str, str]] = frozenset()


@attrs.frozen
class State:
    """The fluents of a household: all sets hold ids; `places` pairs a thing's id with that of its receptacle.

    `lies` pairs things with the locations from which they can be sliced; None, the usual case, stands for the
    locations of the receptacles that they are in. `taken` pairs things with the receptacles that they were
    taken from and not put back in: looking around mentions them when they lie within reach again.
    """

    location: str
    places: frozenset[tuple[str, str]]
    holding: str | None = None
    opened: frozenset[str] = frozenset()
    clean: frozenset[str] = frozenset()
    hot: frozenset[str] = frozenset()
    cool: frozenset[str] = frozenset()
    toggled: frozenset[str] = frozenset()
    sliced: frozenset[str] = frozenset()
    lies: frozenset[tuple[str, str]] | None = None
    taken: frozenset[tuple[str, str]] = frozenset()


def lying(household: Household, state: State) -> frozenset[tuple[str, str]]:
    """Pairs of things and locations where they lie: the state's own, or where their receptacles stand."""
    if state.lies is not None:
        return state.lies
    locations = {receptacle.id: receptacle.location for receptacle in household.receptacles}
    return frozenset((thing, locations[receptacle]) for thing, receptacle in state.places)


def settled(household: Household, state: State) -> State:
    """The same state, with `lies` None where things lie as usual, so that equal states compare equal."""
    usual = attrs.evolve(state, lies=None)
    return usual if lying(household, usual) == lying(household, state) else state


@attrs.frozen
class Goal:
    """One of the six official task types with its parameters.

    `task_type` is ALFRED's name (`pick_cool_then_place_in_recep`); `target` an object type; `destination` a
    receptacle type, or for `look_at_obj_in_light` the type of the lamp.
    """

    task_type: str
    target: str
    destination: str


@attrs.frozen
class Configuration:
    """A household in a state: what a scenario starts from."""

    household: Household
    state: State


@attrs.frozen
class Game:
    """A configuration with a goal and the wording of the task: all that the official engine is given."""

    configuration: Configuration
    goal: Goal
    instruction: str
