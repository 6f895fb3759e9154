"""ALFWorld's construction interface as a table: one row for each alternative of `grammar/alfworld.lark`."""

from __future__ import annotations

from functools import cache

from skillsandbox.compiler.interface import (
    FieldSignature,
    Interface,
    Need,
    Parameter,
    Role,
    Signature,
    Table,
    Type,
)
from skillsandbox.envs.alfworld import domain

STATES = ("clean", "hot", "cool")
LAMPS = ("DeskLamp", "FloorLamp")
MOST_ADDED = 10

_OBJECT = Parameter("object", "Object")
_RECEPTACLE = Parameter("receptacle", "Receptacle")
_TYPE = Parameter("type", "ObjectType")
_DESTINATION = Parameter("destination", "ReceptacleType")
_COUNT = Parameter(
    "count", "Int", range=(1, MOST_ADDED), why=f"up to {MOST_ADDED} objects can be added at once"
)
_TWO = Parameter("count", "Int", range=(2, 2), why="the official task puts two objects")

_FITS = Need(
    "EXISTS (SELECT 1 FROM fits WHERE object_type = {object}.type AND receptacle_type = {receptacle}.type)",
    "a receptacle that can hold the object",
)
_TYPE_FITS = Need(
    "EXISTS (SELECT 1 FROM fits WHERE object_type = {type} AND receptacle_type = {receptacle}.type)",
    "a receptacle that can hold objects of this type",
)
_GOAL_FITS = Need(
    "EXISTS (SELECT 1 FROM fits WHERE object_type = {type} AND receptacle_type = {destination})",
    "a destination that can hold objects of this type",
)
_DESTINATION_EXISTS = Need(
    "EXISTS (SELECT 1 FROM receptacle WHERE scene = {context} AND type = {destination})",
    "a scene that has such a destination",
)
_TARGET_EXISTS = Need(
    "EXISTS (SELECT 1 FROM thing WHERE scene = {context} AND type = {type})",
    "a scene that has objects of this type",
)
_STATE_POSSIBLE = Need(
    "EXISTS (SELECT 1 FROM object_type WHERE name = {type} AND CASE {state} "
    "WHEN 'hot' THEN heatable WHEN 'cool' THEN coolable ELSE cleanable END)",
    "objects of a type that can be brought into this state",
)
_APPLIANCE_EXISTS = Need(
    "EXISTS (SELECT 1 FROM receptacle WHERE scene = {context} AND type = CASE {state} "
    f"WHEN 'hot' THEN '{domain.HEATER}' WHEN 'cool' THEN '{domain.COOLER}' ELSE '{domain.CLEANER}' END)",
    "a scene with the appliance that does this",
)
_LAMP_EXISTS = Need(
    "EXISTS (SELECT 1 FROM thing WHERE scene = {context} AND type = {lamp} AND receptacle IS NOT NULL)",
    "a scene with such a lamp",
)
_LIGHT = Need("{lamp} IN ('DeskLamp', 'FloorLamp')", "a DeskLamp or a FloorLamp")
_PORTABLE = Need(
    "EXISTS (SELECT 1 FROM fits WHERE object_type = {type})", "objects of a type that can be picked up"
)
_HOLDABLE = Need("{object}.pickupable", "an object that can be picked up")
_OPENABLE = Need("{receptacle}.openable", "a receptacle that opens and closes")


def _needs_property(column: str, reason: str) -> Need:
    return Need(f"{{object}}.{column}", reason)


def _needs_appliance(type: str) -> Need:
    return Need(f"{{receptacle}}.type = '{type}'", f"a {type}")


def _operation(
    symbol: str, syntax: str, summary: str, *parameters: Parameter, needs: tuple[Need, ...] = ()
) -> Signature:
    return Signature(symbol, Role.OPERATION, syntax, summary, parameters, "Configuration", needs)


def _action(
    symbol: str, syntax: str, summary: str, *parameters: Parameter, needs: tuple[Need, ...] = ()
) -> Signature:
    return Signature(symbol, Role.ACTION, syntax, summary, parameters, "Command", needs)


def _goal(
    symbol: str, syntax: str, summary: str, *parameters: Parameter, needs: tuple[Need, ...] = ()
) -> Signature:
    return Signature(symbol, Role.GOAL, syntax, summary, parameters, "Bool", needs)


def _relation(symbol: str, syntax: str, summary: str, *parameters: Parameter) -> Signature:
    return Signature(symbol, Role.FUNCTION, syntax, summary, parameters)


def _event(symbol: str, syntax: str, summary: str, *parameters: Parameter) -> Signature:
    return Signature(symbol, Role.EVENT, syntax, summary, parameters)


def _set(state: str, column: str, reason: str, summary: str) -> Signature:
    return _operation(
        f"set_{state}", f"set {{object}} {state}", summary, _OBJECT, needs=(_needs_property(column, reason),)
    )


def _transform(verb: str, column: str, appliance: str) -> Signature:
    return _action(
        verb,
        f"{verb} {{object}} with {{receptacle}}",
        f"{verb} the held object with the appliance",
        _OBJECT,
        _RECEPTACLE,
        needs=(_needs_property(column, f"an object that can be {verb}ed"), _needs_appliance(appliance)),
    )


_GOALS = (
    _goal(
        "put",
        "put {type} in {destination}",
        "put one object of the type into a receptacle of the type",
        _TYPE,
        _DESTINATION,
        needs=(_GOAL_FITS, _DESTINATION_EXISTS, _TARGET_EXISTS),
    ),
    _goal(
        "put_state",
        "put {state} {type} in {destination}",
        "the same, with the object clean, hot or cool",
        Parameter("state", "ObjectState"),
        _TYPE,
        _DESTINATION,
        needs=(_STATE_POSSIBLE, _APPLIANCE_EXISTS, _GOAL_FITS, _DESTINATION_EXISTS, _TARGET_EXISTS),
    ),
    _goal(
        "put_two",
        "put {count} {type} in {destination}",
        "put two objects of the type into the same receptacle",
        _TWO,
        _TYPE,
        _DESTINATION,
        needs=(_GOAL_FITS, _DESTINATION_EXISTS, _TARGET_EXISTS),
    ),
    _goal(
        "look_at",
        "look at {type} under {lamp}",
        "hold an object of the type where a lamp of the type was switched on",
        _TYPE,
        Parameter("lamp", "ObjectType"),
        needs=(_LIGHT, _LAMP_EXISTS, _PORTABLE, _TARGET_EXISTS),
    ),
)

_OPERATIONS = (
    _operation(
        "place_on",
        "place {object} on {receptacle}",
        "move the object there",
        _OBJECT,
        _RECEPTACLE,
        needs=(_FITS,),
    ),
    _operation(
        "place_in",
        "place {object} in {receptacle}",
        "move the object there",
        _OBJECT,
        _RECEPTACLE,
        needs=(_FITS,),
    ),
    _operation(
        "add",
        "add {count} {type}",
        "add objects of the type, wherever they fit",
        _COUNT,
        _TYPE,
        needs=(_PORTABLE,),
    ),
    _operation(
        "add_on",
        "add {count} {type} on {receptacle}",
        "add objects of the type there",
        _COUNT,
        _TYPE,
        _RECEPTACLE,
        needs=(_TYPE_FITS,),
    ),
    _operation(
        "add_except",
        "add {count} {type} except on {receptacles}",
        "add objects of the type, wherever they fit but on these receptacles",
        _COUNT,
        _TYPE,
        Parameter("receptacles", "Receptacle", many=True),
        needs=(_PORTABLE,),
    ),
    _operation("remove", "remove {object}", "take the object out of the household", _OBJECT),
    _operation(
        "remove_every",
        "remove every {type}[ except {kept}]",
        "take all objects of the type out of the household, but for these",
        _TYPE,
        Parameter("kept", "Object", many=True),
    ),
    _operation("open", "open {receptacle}", "let the receptacle stand open", _RECEPTACLE, needs=(_OPENABLE,)),
    _operation(
        "close", "close {receptacle}", "let the receptacle be closed", _RECEPTACLE, needs=(_OPENABLE,)
    ),
    _set("clean", "cleanable", "an object that can be cleaned", "the object has been cleaned"),
    _set("hot", "heatable", "an object that can be heated", "the object is hot, and not cool"),
    _set("cool", "coolable", "an object that can be cooled", "the object is cool, and not hot"),
    _set("toggled", "toggleable", "a lamp", "the lamp has been switched on"),
    _set("sliced", "sliceable", "an object that can be sliced", "the object has been sliced"),
    _operation("start_at", "agent at {receptacle}", "the agent stands at the receptacle", _RECEPTACLE),
    _operation(
        "start_holding", "agent holds {object}", "the agent holds the object", _OBJECT, needs=(_HOLDABLE,)
    ),
)

_ACTIONS = (
    _action("go_to", "go to {receptacle}", "walk to the receptacle", _RECEPTACLE),
    _action("open_action", "open {receptacle}", "open it", _RECEPTACLE, needs=(_OPENABLE,)),
    _action("close_action", "close {receptacle}", "close it", _RECEPTACLE, needs=(_OPENABLE,)),
    _action(
        "take",
        "take {object} from {receptacle}",
        "pick the object up",
        _OBJECT,
        _RECEPTACLE,
        needs=(_HOLDABLE,),
    ),
    _action(
        "move",
        "move {object} to {receptacle}",
        "put the held object down there",
        _OBJECT,
        _RECEPTACLE,
        needs=(_FITS,),
    ),
    _transform("heat", "heatable", domain.HEATER),
    _transform("cool", "coolable", domain.COOLER),
    _transform("clean", "cleanable", domain.CLEANER),
    _action(
        "use", "use {object}", "switch the lamp on", _OBJECT, needs=(_needs_property("toggleable", "a lamp"),)
    ),
    _action(
        "slice",
        "slice {object} with {knife}",
        "slice the object with the held knife",
        _OBJECT,
        Parameter("knife", "Object"),
        needs=(
            _needs_property("sliceable", "an object that can be sliced"),
            Need("{knife}.type IN ('Knife', 'ButterKnife')", "a Knife or a ButterKnife"),
        ),
    ),
    _action("examine", "examine {receptacle}", "look at what is on or in the receptacle", _RECEPTACLE),
    _action("look", "look", "look around"),
    _action("inventory", "inventory", "say what the agent carries"),
)

_FUNCTIONS = (
    _relation(
        "on", "{object} on {receptacle}", "the object is on or in the receptacle", _OBJECT, _RECEPTACLE
    ),
    _relation(
        "inside", "{object} in {receptacle}", "the object is on or in the receptacle", _OBJECT, _RECEPTACLE
    ),
    _relation(
        "agent_at", "agent at {receptacle}", "the agent stands where the receptacle is used", _RECEPTACLE
    ),
    _relation("agent_holds", "agent holds {object}", "the agent holds the object", _OBJECT),
    _relation(
        "agent_sees",
        "agent sees {object}",
        "the agent holds the object, or stands at a receptacle that has it and is not closed",
        _OBJECT,
    ),
    Signature(
        "distance",
        Role.FUNCTION,
        "distance({from}, {to})",
        "how far apart the places are where an agent uses them, in cells of 0.25 m along the walls",
        (Parameter("from", "Receptacle"), Parameter("to", "Receptacle")),
        "Int",
        sql="(ABS({from}.x - {to}.x) + ABS({from}.z - {to}.z))",
    ),
    Signature(
        "fits",
        Role.FUNCTION,
        "fits({type}, {destination})",
        "objects of the one type may be put on or in receptacles of the other",
        (_TYPE, _DESTINATION),
        sql="EXISTS (SELECT 1 FROM fits WHERE object_type = {type} AND receptacle_type = {destination})",
    ),
    Signature(
        "count", Role.FUNCTION, "count({type})", "how many objects of the type there are", (_TYPE,), "Int"
    ),
)

_EVENTS = (
    _event("opens", "agent opens {receptacle}", "the last action opened the receptacle", _RECEPTACLE),
    _event("closes", "agent closes {receptacle}", "the last action closed the receptacle", _RECEPTACLE),
    _event("takes", "agent takes {object}", "the last action picked the object up", _OBJECT),
    _event("puts", "agent puts {object}", "the last action put the object down", _OBJECT),
    _event("heats", "agent heats {object}", "the last action heated the object", _OBJECT),
    _event("cools", "agent cools {object}", "the last action cooled the object", _OBJECT),
    _event("cleans", "agent cleans {object}", "the last action cleaned the object", _OBJECT),
    _event("uses", "agent uses {object}", "the last action switched the lamp on", _OBJECT),
    _event("slices", "agent slices {object}", "the last action sliced the object", _OBJECT),
    _event("examines", "agent examines {receptacle}", "the last action examined the receptacle", _RECEPTACLE),
    _event("nothing_happens", "nothing happens", "the last action was not admissible"),
)

_FIELDS = (
    FieldSignature("kind", "Scene", "RoomType", "what kind of room the scene is", "kind"),
    FieldSignature("number", "Scene", "Int", "the number of the floor plan", "number"),
    FieldSignature("type", "Object", "ObjectType", "what the object is", "type"),
    *(
        FieldSignature(name, "Object", "Bool", f"whether the object is {name}", name)
        for name in ("pickupable", "heatable", "coolable", "cleanable", "toggleable", "sliceable")
    ),
    *(
        FieldSignature(name, "Object", "Bool", f"whether the object is {name} in the configuration")
        for name in ("clean", "hot", "cool", "toggled", "sliced")
    ),
    FieldSignature("type", "Receptacle", "ReceptacleType", "what the receptacle is", "type"),
    FieldSignature("openable", "Receptacle", "Bool", "whether the receptacle opens and closes", "openable"),
    FieldSignature("open", "Receptacle", "Bool", "whether the receptacle stands open in the configuration"),
)


@cache
def interface() -> Interface:
    """Return the construction interface."""
    return Interface(
        types=(
            Type("Scene", Table("scene", "scene", "scene")),
            Type("Object", Table("thing", "id", "scene")),
            Type("Receptacle", Table("receptacle", "id", "scene")),
            Type("ObjectType", values=tuple(sorted(domain.PLACEABLE | domain.TOGGLEABLE))),
            Type("ReceptacleType", values=tuple(sorted(domain.RECEPTACLE_TYPES))),
            Type("RoomType", values=domain.SCENE_KINDS),
            Type("ObjectState", values=STATES),
            Type("Int"),
            Type("Text"),
            Type("Bool"),
        ),
        fields=_FIELDS,
        signatures=(
            Signature(
                "from_game",
                Role.BASE,
                "game {name}",
                "start from an official game",
                (Parameter("name", "Text"),),
                "Configuration",
            ),
            *_GOALS,
            *_OPERATIONS,
            *_ACTIONS,
            *_FUNCTIONS,
            *_EVENTS,
            Signature(
                "scene",
                Role.DIMENSION,
                "scene",
                "the scene that everything stands in",
                (),
                "Scene",
                sql="(SELECT floor_plan FROM scene WHERE scene = {context})",
            ),
        ),
        context="Scene",
    )
