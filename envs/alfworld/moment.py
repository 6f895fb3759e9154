"""A household at one instant of a run: what the expressions of a program say of it."""

from __future__ import annotations

import attrs

from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.values import Entity, Value
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.household import Configuration, Receptacle, Thing

_STATES = ("clean", "hot", "cool", "toggled", "sliced")
_AFFORDANCES = {
    "heatable": domain.HEATABLE,
    "coolable": domain.COOLABLE,
    "cleanable": domain.CLEANABLE,
    "toggleable": domain.TOGGLEABLE,
    "sliceable": domain.SLICEABLE,
}


@attrs.frozen
class Act:
    """The action that led to a moment: the event's symbol in the interface and the ids of what it was done
    to.

    The symbol is empty for actions that are no events, such as `look`; an action that was not admissible is
    `nothing_happens`.
    """

    symbol: str = ""
    subject: str = ""


@attrs.frozen
class HouseholdMoment:
    """A configuration and the action that led to it."""

    configuration: Configuration
    act: Act = Act()

    def field(self, entity: Entity, name: str) -> Value:
        """Return the value of an entity's field; `Refused` where the entity has been removed."""
        match entity.type:
            case "Scene":
                scene = self.configuration.household.scene
                return domain.scene_kind(scene) if name == "kind" else domain.scene_number(scene)
            case "Receptacle":
                return self._receptacle_field(self.receptacle(entity.key), name)
            case _:
                return self._thing_field(self.thing(entity.key), name)

    def thing(self, key: str) -> Thing:
        """Return an object by its id."""
        for thing in self.configuration.household.things:
            if thing.id == key:
                return thing
        raise Refused(f"the {key.split('|')[0]} has been removed")

    def receptacle(self, key: str) -> Receptacle:
        """Return a receptacle by its id."""
        for receptacle in self.configuration.household.receptacles:
            if receptacle.id == key:
                return receptacle
        raise Refused(f"there is no receptacle {key}")

    def _receptacle_field(self, receptacle: Receptacle, name: str) -> Value:
        match name:
            case "type":
                return receptacle.type
            case "openable":
                return receptacle.openable
            case _:
                return receptacle.id in self.configuration.state.opened

    def _thing_field(self, thing: Thing, name: str) -> Value:
        if name == "type":
            return thing.type
        if name == "pickupable":
            return thing.pickupable
        if name in _STATES:
            members: frozenset[str] = getattr(self.configuration.state, name)
            return thing.id in members
        return thing.type in _AFFORDANCES[name]

    def call(self, symbol: str, arguments: tuple[Value, ...]) -> Value:
        """Return the value of a function, or whether a relation or event holds."""
        household, state = self.configuration.household, self.configuration.state
        keys = [argument.key for argument in arguments if isinstance(argument, Entity)]
        match symbol:
            case "on" | "inside":
                return (keys[0], keys[1]) in state.places
            case "agent_at":
                return self.receptacle(keys[0]).location == state.location
            case "agent_holds":
                return state.holding == keys[0]
            case "agent_sees":
                return state.holding == keys[0] or self._is_in_view(keys[0])
            case "distance":
                return distance(self.receptacle(keys[0]).location, self.receptacle(keys[1]).location)
            case "fits":
                return domain.fits(str(arguments[0]), str(arguments[1]))
            case "count":
                return sum(thing.type == arguments[0] for thing in household.things)
            case "scene":
                return Entity("Scene", household.scene)
            case "nothing_happens":
                return self.act.symbol == symbol
            case _:
                return self.act == Act(symbol, keys[0])

    def _is_in_view(self, key: str) -> bool:
        state = self.configuration.state
        holders = (self.receptacle(place) for thing, place in sorted(state.places) if thing == key)
        return any(
            holder.location == state.location and (not holder.openable or holder.id in state.opened)
            for holder in holders
        )


def distance(one: str, other: str) -> int:
    """Return how far apart two locations `loc|4x|4z|…` are, in cells of 0.25 m along the walls."""
    (x, z), (u, w) = (map(int, location.split("|")[1:3]) for location in (one, other))
    return abs(x - u) + abs(z - w)
