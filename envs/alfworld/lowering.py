"""Lowering of a game to the three files that the official ALFWorld collects: a pure function to text.

The PDDL problem has the facts of the official generator (`alfworld/gen/game_states`), less what the domain
never asks for: distances, objects without facts, types that no object has. The engine sorts its lists by
escaped id, so the order of facts carries no meaning; here it is sorted too, for the same bytes everywhere.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.household import Game, Goal, Household, Receptacle, State, Thing, lying

GAME_FILE = "game.tw-pddl"
PROBLEM_FILE = "initial_state.pddl"
TRAJECTORY_FILE = "traj_data.json"

LIGHT_TASK = "look_at_obj_in_light"

ESCAPES: Mapping[str, str] = {"-": "_minus_", "|": "_bar_", "+": "_plus_", ".": "_dot_", ",": "_comma_"}
"""How the official generator writes the characters of an id that PDDL does not allow in a name."""

GRAMMAR_CHARACTERS = frozenset('"#;<>[]\\{}|')
"""What the grammar of the official texts reads as its own, or breaks the JSON that it stands in."""

UNPRINTABLE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Unicode's control characters, lone surrogates, and line and paragraph separators."""

AGENT_HEIGHT = 0.9009992
"""Where ALFRED's simulator puts the agent's y, in metres."""

PLACEHOLDER = "UNKNOWN GOAL"
"""What stands in the official grammar where the wording of the task belongs."""


def lower(game: Game, walkthrough: tuple[str, ...] | None) -> dict[str, str]:
    """The official files of a game, by name: `game.tw-pddl`, `initial_state.pddl`, `traj_data.json`.

    `walkthrough` are commands that win; without them the game is marked unsolvable, and the official
    collector skips it. What the state says was taken is dropped: a fresh official episode has no past.

    Raises:
        ValueError: the instruction has characters that would not reach the agent unchanged, or an id is none
            that the official engine can name.
    """
    _check(game)
    problem = _problem(game)
    files = {
        GAME_FILE: {
            "pddl_domain": _domain_text(),
            "grammar": _grammar_text().replace(PLACEHOLDER, game.instruction),
            "pddl_problem": problem,
            "solvable": walkthrough is not None,
            "walkthrough": None if walkthrough is None else list(walkthrough),
        },
        TRAJECTORY_FILE: _trajectory(game),
    }
    return {
        PROBLEM_FILE: problem,
        **{name: json.dumps(value, indent=1, sort_keys=True) + "\n" for name, value in files.items()},
    }


def folder_name(game: Game) -> str:
    """The official folder of a game: `<task type>-<object>-None-<receptacle or lamp>-<scene>`."""
    goal = game.goal
    number = domain.scene_number(game.configuration.household.scene)
    return f"{goal.task_type}-{goal.target}-None-{goal.destination}-{number}"


def trial_name(game: Game) -> str:
    """A name for the game's own folder within `folder_name`, from its content: equal games, equal names."""
    content = "\n".join((*_facts(game), goal_formula(game.goal), game.instruction))
    return f"trial_{hashlib.sha256(content.encode()).hexdigest()[:16]}"


def instruction_faults(text: str) -> tuple[str, ...]:
    """What keeps a wording from reaching the agent unchanged, a phrase each; empty if nothing does."""
    if not text.strip():
        return ("the text is empty",)
    return tuple(_fault(character) for character in sorted(set(text)) if _is_fault(character))


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder, each under a temporary name first, so that readers never see half a file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(files):
        _write_atomically(folder / name, files[name])


def escape(identifier: str) -> str:
    """An ALFRED id or location as a PDDL name."""
    return "".join(ESCAPES.get(character, character) for character in identifier)


def unescape(name: str) -> str:
    """The ALFRED id or location that a PDDL name stands for."""
    return re.sub("|".join(ESCAPES.values()), lambda match: _UNESCAPES[match[0]], name)


_UNESCAPES = {name: character for character, name in ESCAPES.items()}


def _write_atomically(path: Path, text: str) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _is_fault(character: str) -> bool:
    return character in GRAMMAR_CHARACTERS or unicodedata.category(character) in UNPRINTABLE_CATEGORIES


def _fault(character: str) -> str:
    name = unicodedata.name(character, "control character").lower()
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    return f"{shown} ({name})"


@functools.cache
def _domain_text() -> str:
    return (domain.package_folder() / "data" / "alfred.pddl").read_text(encoding="utf-8")


@functools.cache
def _grammar_text() -> str:
    return (domain.package_folder() / "data" / "alfred.twl2").read_text(encoding="utf-8")


@functools.cache
def _goal_templates() -> Mapping[str, str]:
    library = domain.official_module("gen/goal_library.py").gdict
    return {task_type: library[task_type]["pddl"].replace("#", "-") for task_type in domain.TASK_TYPES}


def _check(game: Game) -> None:
    faults = instruction_faults(game.instruction)
    if faults:
        raise ValueError(f"the instruction cannot be shown in ALFWorld: {', '.join(faults)}")
    for fault in identifier_faults(game.configuration.household):
        raise ValueError(fault)


def identifier_faults(household: Household) -> Iterator[str]:
    """What keeps the official engine from naming what is in a household, a sentence each."""
    identifiers = [receptacle.id for receptacle in household.receptacles]
    identifiers += [thing.id for thing in household.things]
    for identifier in identifiers:
        if not re.fullmatch(r"[A-Za-z]\w*(\|[\w+\-.,|]*)", identifier, re.ASCII):
            yield f"{identifier!r} is no ALFRED id; they look like Apple|-01.50|+00.93|+00.45"
        elif unescape(escape(identifier)) != identifier:
            yield f"{identifier!r} contains an escape of ALFRED's ids, such as _bar_"
    met = Counter(identifier.lower() for identifier in identifiers)
    twice = sorted(identifier for identifier, count in met.items() if count > 1)
    if twice:
        yield f"ALFWorld ignores case, so these ids stand for several things: {', '.join(twice)}"


def _problem(game: Game) -> str:
    objects = "".join(f"        {line}\n" for line in _objects(game))
    facts = "".join(f"        {fact}\n" for fact in _facts(game))
    return (
        f"(define (problem plan_{trial_name(game)})\n"
        f"    (:domain alfred)\n"
        f"    (:objects\n{objects}    )\n"
        f"    (:init\n{facts}    )\n"
        f"{goal_formula(game.goal)}"
    )


def goal_formula(goal: Goal) -> str:
    """The official `(:goal …)` of a goal, followed by the parenthesis that ends a problem."""
    return _goal_templates()[goal.task_type].format(
        obj=goal.target, recep=goal.destination, toggle=goal.destination, mrecep=""
    )


def _objects(game: Game) -> Iterator[str]:
    household, state, goal = game.configuration.household, game.configuration.state, game.goal
    lamp = goal.task_type == LIGHT_TASK
    otypes = {thing.type for thing in household.things} | domain.KNIVES | {goal.target}
    rtypes = {receptacle.type for receptacle in household.receptacles}
    rtypes |= {domain.HEATER, domain.COOLER, domain.CLEANER}
    (otypes if lamp else rtypes).add(goal.destination)
    yield f"{domain.AGENT} - agent"
    yield from (f"{escape(thing.id)} - object" for thing in household.things)
    yield from (f"{escape(receptacle.id)} - receptacle" for receptacle in household.receptacles)
    yield from (f"{escape(location)} - location" for location in sorted(_locations(household, state)))
    yield from (f"{name}Type - otype" for name in sorted(otypes))
    yield from (f"{name}Type - rtype" for name in sorted(rtypes))


def _locations(household: Household, state: State) -> set[str]:
    standing = {receptacle.location for receptacle in household.receptacles}
    return standing | {state.location} | {location for _, location in state.lies or ()}


def _facts(game: Game) -> tuple[str, ...]:
    household, state = game.configuration.household, game.configuration.state
    return tuple(sorted((*_static_facts(household), *_initial_facts(household, state))))


def _static_facts(household: Household) -> Iterator[str]:
    for receptacle in household.receptacles:
        yield from _receptacle_facts(receptacle)
    for thing in household.things:
        yield from _thing_facts(thing)
    for inner, outer in household.nested:
        yield _fact("inReceptacleObject", inner, outer)
    object_types = sorted({thing.type for thing in household.things})
    for receptacle_type in sorted({receptacle.type for receptacle in household.receptacles}):
        for object_type in object_types:
            if domain.fits(object_type, receptacle_type):
                yield f"(canContain {receptacle_type}Type {object_type}Type)"


def _receptacle_facts(receptacle: Receptacle) -> Iterator[str]:
    yield f"(receptacleType {escape(receptacle.id)} {receptacle.type}Type)"
    yield _fact("receptacleAtLocation", receptacle.id, receptacle.location)
    if receptacle.openable:
        yield _fact("openable", receptacle.id)


AFFORDANCES: Mapping[str, frozenset[str]] = {
    "isReceptacleObject": domain.VESSELS,
    "heatable": domain.HEATABLE,
    "coolable": domain.COOLABLE,
    "cleanable": domain.CLEANABLE,
    "toggleable": domain.TOGGLEABLE,
    "sliceable": domain.SLICEABLE,
}
"""The predicates that hold of every thing of certain types."""


def _thing_facts(thing: Thing) -> Iterator[str]:
    yield f"(objectType {escape(thing.id)} {thing.type}Type)"
    if thing.pickupable:
        yield _fact("pickupable", thing.id)
    yield from (_fact(predicate, thing.id) for predicate, types in AFFORDANCES.items() if thing.type in types)


def _initial_facts(household: Household, state: State) -> Iterator[str]:
    yield _fact("atLocation", domain.AGENT, state.location)
    if state.holding is not None:
        yield _fact("holds", domain.AGENT, state.holding)
        yield _fact("holdsAny", domain.AGENT)
    yield from (_fact("inReceptacle", thing, receptacle) for thing, receptacle in state.places)
    yield from (_fact("objectAtLocation", thing, location) for thing, location in lying(household, state))
    yield from _unary_facts("opened", state.opened)
    yield from _unary_facts("isClean", state.clean)
    yield from _unary_facts("isHot", state.hot)
    yield from _unary_facts("isCool", state.cool)
    yield from _unary_facts("isToggled", state.toggled)
    yield from _unary_facts("isSliced", state.sliced)


def _unary_facts(predicate: str, identifiers: Iterable[str]) -> Iterator[str]:
    return (_fact(predicate, identifier) for identifier in identifiers)


def _fact(predicate: str, *identifiers: str) -> str:
    return f"({' '.join((predicate, *map(escape, identifiers)))})"


def _trajectory(game: Game) -> dict[str, Any]:
    goal, household = game.goal, game.configuration.household
    lamp = goal.task_type == LIGHT_TASK
    return {
        "images": [],
        "pddl_params": {
            "mrecep_target": "",
            "object_sliced": False,
            "object_target": goal.target,
            "parent_target": "" if lamp else goal.destination,
            "toggle_target": goal.destination if lamp else "",
        },
        "plan": {"high_pddl": [], "low_actions": []},
        "scene": {
            "dirty_and_empty": False,
            "floor_plan": household.scene,
            "init_action": _initial_action(game.configuration.state.location),
            "object_poses": [],
            "object_toggles": [],
            "random_seed": 0,
            "scene_num": domain.scene_number(household.scene),
        },
        "task_id": trial_name(game),
        "task_type": goal.task_type,
        "turk_annotations": {
            "anns": [
                {
                    "assignment_id": trial_name(game),
                    "high_descs": [],
                    "task_desc": game.instruction,
                    "votes": [1],
                }
            ]
        },
    }


def _initial_action(location: str) -> dict[str, Any]:
    """The simulator's command that puts the agent at a location `loc|4x|4z|rotation/90|horizon`."""
    x, z, rotation, horizon = (int(part) for part in location.split("|")[1:])
    return {
        "action": "TeleportFull",
        "horizon": horizon,
        "rotateOnTeleport": True,
        "rotation": 90 * rotation,
        "x": x / 4,
        "y": AGENT_HEIGHT,
        "z": z / 4,
    }
