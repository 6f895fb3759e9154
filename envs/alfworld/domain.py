"""What ALFWorld's own tables say of types: what fits where, what can be done to what, which scenes there are.

Source: `alfworld/gen/constants.py`. The official games were written from these tables, so that types alone
decide every affordance but two, which differ between instances: whether a thing can be picked up and whether
a receptacle opens. The tables are read as files, without importing `alfworld`: that import creates a folder
in the user's home.
"""

from __future__ import annotations

import functools
import re
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


@functools.cache
def package_folder() -> Path:
    """The folder of the installed `alfworld` package.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    spec = find_spec("alfworld")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("the package alfworld is not installed", name="alfworld")
    return Path(spec.submodule_search_locations[0])


def official_module(part: str) -> ModuleType:
    """A module of the `alfworld` package that imports no other part of it, such as `gen/constants.py`.

    Raises:
        ModuleNotFoundError: `alfworld` is not installed.
        FileNotFoundError: it has no such module.
    """
    name = "alfworld." + part.removesuffix(".py").replace("/", ".")
    spec = spec_from_file_location(name, package_folder() / part)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{package_folder() / part} is not a Python module")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


constants = official_module("gen/constants.py")

AGENT = "agent1"
"""The agent's id in every official problem."""

TASK_TYPES: tuple[str, ...] = (
    "pick_and_place_simple",
    "look_at_obj_in_light",
    "pick_clean_then_place_in_recep",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_two_obj_and_place",
)
"""The task types that `AlfredTWEnv` collects, in the order of its `task_types` numbers 1 to 6."""

COLLECTOR_DROPS = ("movable", "Sliced")
"""Words of paths under which `AlfredTWEnv` collects no game."""

SCENE_KINDS: tuple[str, ...] = tuple(constants.SCENE_TYPE)
"""Kitchen, LivingRoom, Bedroom, Bathroom."""

SCENES: tuple[str, ...] = tuple(
    f"FloorPlan{number}" for numbers in constants.SCENE_TYPE.values() for number in numbers
)
"""The 120 scenes."""

TRAIN_SCENES: frozenset[str] = frozenset(f"FloorPlan{number}" for number in constants.TRAIN_SCENE_NUMBERS)
"""The scenes of the official training split; the others are its unseen ones."""

VESSELS: frozenset[str] = frozenset(constants.MOVABLE_RECEPTACLES)
"""Types of things that other things can stand in (ALFRED's movable receptacles)."""

RECEPTACLE_TYPES: frozenset[str] = frozenset(constants.RECEPTACLES) - VESSELS
"""Types of furniture, appliances and fixtures that hold things and stay where they are."""

THING_TYPES: frozenset[str] = frozenset(constants.OBJECTS_SET) - RECEPTACLE_TYPES
"""Types that occur as things, including those that nothing can be done with, such as a window."""

OPENABLE: frozenset[str] = frozenset(constants.OPENABLE_CLASS_SET) & RECEPTACLE_TYPES
"""Receptacle types that open and close; single instances may still be fixed open."""

HEATABLE: frozenset[str] = frozenset(constants.VAL_ACTION_OBJECTS["Heatable"])
COOLABLE: frozenset[str] = frozenset(constants.VAL_ACTION_OBJECTS["Coolable"])
CLEANABLE: frozenset[str] = frozenset(constants.VAL_ACTION_OBJECTS["Cleanable"])
TOGGLEABLE: frozenset[str] = frozenset(constants.VAL_ACTION_OBJECTS["Toggleable"])
SLICEABLE: frozenset[str] = frozenset(constants.VAL_ACTION_OBJECTS["Sliceable"])

KNIVES: frozenset[str] = frozenset({"Knife", "ButterKnife"})
"""Types of things that slice."""

HEATER, COOLER, CLEANER = "Microwave", "Fridge", "SinkBasin"
"""The receptacle types that heat, cool and clean."""


def fits(object_type: str, receptacle_type: str) -> bool:
    """Whether the game lets a thing of this type be put in or on a receptacle of that type."""
    return object_type in contents(receptacle_type)


@functools.cache
def contents(receptacle_type: str) -> frozenset[str]:
    """The types of things that fit in a receptacle type; empty for a type that is no fixed receptacle."""
    if receptacle_type not in RECEPTACLE_TYPES:
        return frozenset()
    return frozenset(constants.VAL_RECEPTACLE_OBJECTS.get(receptacle_type, ())) & THING_TYPES


@functools.cache
def homes(object_type: str) -> frozenset[str]:
    """The receptacle types that a thing of this type fits in; empty for what no game places (a chair)."""
    return frozenset(receptacle for receptacle in RECEPTACLE_TYPES if fits(object_type, receptacle))


PLACEABLE: frozenset[str] = frozenset(kind for kind in THING_TYPES if homes(kind))
"""Types of things that fit in some receptacle."""


def scene_number(scene: str) -> int:
    """The number of a scene, 1 for `FloorPlan1`.

    Raises:
        ValueError: the name is not that of a floor plan.
    """
    match = re.fullmatch(r"FloorPlan([1-9]\d*)", scene)
    if match is None:
        raise ValueError(f"{scene!r} is not the name of a scene; scenes are called FloorPlan1, FloorPlan2, …")
    return int(match[1])


@functools.cache
def scene_kind(scene: str) -> str:
    """The kind of room that a scene is: one of `SCENE_KINDS`.

    Raises:
        ValueError: there is no such scene.
    """
    number = scene_number(scene)
    for kind, numbers in constants.SCENE_TYPE.items():
        if number in numbers:
            return str(kind)
    raise ValueError(f"ALFWorld has no scene {scene}")


@functools.cache
def scene_kinds(task_type: str) -> frozenset[str]:
    """The kinds of room in which ALFRED poses a task type.

    Raises:
        KeyError: the task type is none of ALFRED's.
    """
    return frozenset(constants.GOALS_VALID[task_type])
