"""Reading of official games: the inverse of lowering, for games of any origin.

The PDDL problem and the grammar of the texts are parsed, not searched. What ALFWorld's domain never asks for
(distances, what was where before the start, what is switched on at the start) is left out, and so are objects
of which nothing is said. What cannot be said with a `Game` is an error, as playing it would be another game.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.household import (
    Configuration,
    Game,
    Goal,
    Household,
    Receptacle,
    State,
    Thing,
    settled,
)
from skillsandbox.envs.alfworld.lowering import (
    AFFORDANCES,
    GAME_FILE,
    TRAJECTORY_FILE,
    goal_formula,
    unescape,
)

PROBLEM_GRAMMAR = r"""
problem: "(" "define" "(" "problem" TITLE ")" _section* ")"
_section: "(" ":domain" TITLE ")"
        | "(" ":requirements" KEYWORD* ")"
        | "(" ":metric" "minimize" "(" NAME ")" ")"
        | objects
        | init
        | goal
objects: "(" ":objects" declaration* ")"
declaration: NAME+ "-" NAME
init: "(" ":init" (fact | _assignment)* ")"
fact: "(" NAME NAME* ")"
_assignment: "(" "=" "(" NAME NAME* ")" NUMBER ")"
goal: "(" ":goal" condition ")"
?condition: "(" "and" condition* ")" -> conjunction
          | "(" "or" condition* ")" -> disjunction
          | "(" "not" condition ")" -> negation
          | "(" "exists" "(" (VARIABLE+ "-" NAME)* ")" condition ")" -> existence
          | "(" "=" VARIABLE VARIABLE ")" -> equality
          | "(" NAME (VARIABLE | NAME)* ")" -> atom

TITLE: /[^\s()]+/
KEYWORD: /:[\w-]+/
VARIABLE: /\?\w+/
NAME: /[A-Za-z]\w*(-\w+)*/
NUMBER: /\d+(\.\d+)?/

%import common.WS
%ignore WS
%ignore /;[^\n]*/
"""

TEXTS_GRAMMAR = r"""
texts: (rules | action)*
rules: "grammar" "::" BLOCK ";"
action: "action" NAME "{" (property | rules)* "}"
property: NAME "::" (STRING | BLOCK) ";"

NAME: /[\w\/-]+/
BLOCK: /"{3}.*?"{3}/s
STRING: /"[^"]*"/

%import common.WS
%ignore WS
%ignore /#[^\n]*/
"""

TASK_PREFIX, TASK_SUFFIX = "Your task is to: ", "."

IGNORED = frozenset(
    {
        "cancontain",
        "checked",
        "examined",
        "full",
        "holdsany",
        "holdsanyreceptacleobject",
        "ison",
        "isreceptacleobjectfull",
        "moveable",
        "receptacleobjecttype",
        "wasinreceptacle",
    }
)
"""Predicates that no action and no goal of the six task types depends on, or that follow from the types."""


@attrs.frozen
class Problem:
    """A PDDL problem of ALFWorld's domain, with ids unescaped.

    `facts` lists the arguments of every predicate, by its name in lower case.
    """

    types: Mapping[str, str]
    facts: Mapping[str, frozenset[tuple[str, ...]]]
    goal: Tree[Token]


def read_folder(folder: Path) -> Game:
    """The game in a folder of the official data, which holds `game.tw-pddl` and `traj_data.json`.

    Raises:
        ValueError: they are not files of ALFWorld's format, or hold what a `Game` cannot express.
    """
    trajectory = json.loads((folder / TRAJECTORY_FILE).read_text(encoding="utf-8"))
    return read_game((folder / GAME_FILE).read_text(encoding="utf-8"), trajectory["scene"]["floor_plan"])


def read_game(text: str, scene: str) -> Game:
    """The game of a `game.tw-pddl`, in a scene such as `FloorPlan7`, which the file itself does not name.

    Raises:
        ValueError: the text is not of that format, or holds what a `Game` cannot express.
    """
    try:
        data = json.loads(text)
        problem, grammar = data["pddl_problem"], data["grammar"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"this is no game.tw-pddl: {error}") from error
    return game_of(read_problem(problem), read_instruction(grammar), scene)


def read_problem(text: str) -> Problem:
    """Parse a PDDL problem.

    Raises:
        ValueError: it is no problem of ALFWorld's domain; the message shows where.
    """
    tree = _parse(_problem_parser(), text, "PDDL problem")
    facts = [list(map(str, fact.children)) for fact in _trees(_section(tree, "init"))]
    [goal] = _section(tree, "goal")
    return _with_ids(_declared(_section(tree, "objects")), facts, goal)


def read_instruction(grammar: str) -> str:
    """The wording of the task in an official grammar of texts.

    Raises:
        ValueError: it is no such grammar.
    """
    tree = _parse(_texts_parser(), grammar, "grammar of texts")
    for block in tree.find_data("rules"):
        [rules] = block.children
        task = json.loads(str(rules)[3:-3]).get("task") if isinstance(rules, Token) else None
        if task is not None:
            text = str(task[0]["rhs"])
            return text.removeprefix(TASK_PREFIX).removesuffix(TASK_SUFFIX)
    raise ValueError("this grammar of texts has no rule for the task")


def game_of(problem: Problem, instruction: str, scene: str) -> Game:
    """The game that a problem poses in a scene.

    Raises:
        ValueError: it holds what a `Game` cannot express.
    """
    unknown = sorted(problem.facts.keys() - EXPRESSED - IGNORED - {name.lower() for name in AFFORDANCES})
    if unknown:
        raise ValueError(f"ALFWorld's domain has no predicate {unknown[0]}")
    household = _household(problem, scene)
    _check_affordances(problem, household)
    state = settled(household, _state(problem))
    return Game(Configuration(household, state), _goal(problem.goal), instruction)


EXPRESSED = frozenset(
    {
        "atlocation",
        "holds",
        "inreceptacle",
        "inreceptacleobject",
        "isclean",
        "iscool",
        "ishot",
        "issliced",
        "istoggled",
        "objectatlocation",
        "objecttype",
        "openable",
        "opened",
        "pickupable",
        "receptacleatlocation",
        "receptacletype",
    }
)
"""Predicates that a `Game` has a place for."""


@functools.cache
def _problem_parser() -> Lark:
    return Lark(PROBLEM_GRAMMAR, start="problem", parser="lalr")


@functools.cache
def _texts_parser() -> Lark:
    return Lark(TEXTS_GRAMMAR, start="texts", parser="lalr")


def _parse(parser: Lark, text: str, kind: str) -> Tree[Token]:
    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        context = error.get_context(text, span=40).strip("\n")
        raise ValueError(f"this is no {kind} of ALFWorld (line {error.line}):\n{context}") from error


def _section(tree: Tree[Token], name: str) -> list[Any]:
    match [section.children for section in _trees(tree.children) if section.data == name]:
        case [children]:
            return children
        case found:
            raise ValueError(f"a PDDL problem has one section :{name}, this one {len(found)}")


def _trees(children: list[Any]) -> list[Tree[Token]]:
    """The branches among the children of a tree; the others are tokens that say nothing here."""
    return [child for child in children if isinstance(child, Tree)]


def _declared(declarations: list[Tree[Token]]) -> dict[str, str]:
    types = {}
    for declaration in declarations:
        *names, kind = map(str, declaration.children)
        types.update(dict.fromkeys(names, kind.lower()))
    return types


def _with_ids(types: Mapping[str, str], facts: list[list[str]], goal: Tree[Token]) -> Problem:
    """PDDL ignores case: every name is read as it was declared, and unescaped."""
    ids = {name.lower(): unescape(name) for name in types}
    arguments: dict[str, set[tuple[str, ...]]] = {}
    for predicate, *names in facts:
        try:
            told = tuple(ids[name.lower()] for name in names)
        except KeyError as error:
            raise ValueError(f"({predicate} …) speaks of {error.args[0]}, which is not declared") from error
        arguments.setdefault(predicate.lower(), set()).add(told)
    return Problem(
        types={unescape(name): kind for name, kind in types.items()},
        facts={predicate: frozenset(told) for predicate, told in arguments.items()},
        goal=goal,
    )


def _of(problem: Problem, predicate: str) -> list[tuple[str, ...]]:
    return sorted(problem.facts.get(predicate, ()))


def _ids(problem: Problem, predicate: str) -> frozenset[str]:
    return frozenset(identifier for (identifier,) in _of(problem, predicate))


def _pairs(problem: Problem, predicate: str) -> frozenset[tuple[str, str]]:
    return frozenset((first, second) for first, second in _of(problem, predicate))


def _household(problem: Problem, scene: str) -> Household:
    return Household(
        scene=scene,
        receptacles=tuple(_receptacles(problem)),
        things=tuple(_things(problem)),
        start=_location(problem),
        nested=_pairs(problem, "inreceptacleobject"),
    )


def _receptacles(problem: Problem) -> Iterator[Receptacle]:
    types, locations = _types(problem, "receptacle"), dict(_pairs(problem, "receptacleatlocation"))
    openable = _ids(problem, "openable")
    for identifier in sorted(_mentioned(problem, "receptacle")):
        if identifier not in types or identifier not in locations:
            raise ValueError(f"the problem gives {identifier} no type or no location")
        yield Receptacle(identifier, types[identifier], locations[identifier], identifier in openable)


def _things(problem: Problem) -> Iterator[Thing]:
    types, pickupable = _types(problem, "object"), _ids(problem, "pickupable")
    for identifier in sorted(_mentioned(problem, "object")):
        if identifier not in types:
            raise ValueError(f"the problem gives {identifier} no type")
        yield Thing(identifier, types[identifier], identifier in pickupable)


def _types(problem: Problem, kind: str) -> dict[str, str]:
    return {name: told.removesuffix("Type") for name, told in _pairs(problem, f"{kind}type")}


def _mentioned(problem: Problem, kind: str) -> set[str]:
    """The ids of a kind of which any fact speaks: the official engine knows no others."""
    return {
        identifier
        for told in problem.facts.values()
        for arguments in told
        for identifier in arguments
        if problem.types[identifier] == kind
    }


def _location(problem: Problem) -> str:
    match _of(problem, "atlocation"):
        case [(_, location)]:
            return location
        case _:
            raise ValueError("the problem has the agent in no location or in several")


def _state(problem: Problem) -> State:
    held = [thing for _, thing in _of(problem, "holds")]
    if len(held) > 1 or bool(held) != ("holdsany" in problem.facts):
        raise ValueError("the problem has the agent hold several things, or something and nothing")
    return State(
        location=_location(problem),
        places=_pairs(problem, "inreceptacle"),
        holding=held[0] if held else None,
        opened=_ids(problem, "opened"),
        clean=_ids(problem, "isclean"),
        hot=_ids(problem, "ishot"),
        cool=_ids(problem, "iscool"),
        toggled=_ids(problem, "istoggled"),
        sliced=_ids(problem, "issliced"),
        lies=_pairs(problem, "objectatlocation"),
    )


def _check_affordances(problem: Problem, household: Household) -> None:
    for predicate, types in AFFORDANCES.items():
        usual = {thing.id for thing in household.things if thing.type in types}
        for identifier in sorted(usual ^ _ids(problem, predicate.lower())):
            raise ValueError(f"{predicate} is not for {identifier} what ALFWorld's tables say for its type")
    fits = {
        (receptacle.type, thing.type)
        for receptacle in household.receptacles
        for thing in household.things
        if domain.fits(thing.type, receptacle.type)
    }
    told = {(first[:-4], second[:-4]) for first, second in _pairs(problem, "cancontain")}
    for receptacle_type, object_type in sorted(fits ^ told):
        raise ValueError(
            f"whether a {object_type} fits in a {receptacle_type} is not what ALFWorld's tables say"
        )


_TARGET, _DESTINATION = "TheTarget", "TheDestination"


def _goal(formula: Tree[Token]) -> Goal:
    for task_type in domain.TASK_TYPES:
        names: dict[str, str] = {}
        if _unify(_goal_trees()[task_type], formula, names):
            return Goal(task_type, names[_TARGET], names[_DESTINATION])
    raise ValueError("the goal of the problem is that of none of the six task types")


@functools.cache
def _goal_trees() -> Mapping[str, Tree[Token]]:
    """The official formula of every task type, about types that stand for those of a game."""
    formulas = {task: goal_formula(Goal(task, _TARGET, _DESTINATION)) for task in domain.TASK_TYPES}
    header = "(define (problem goal) (:domain alfred) (:objects) (:init)"
    return {task: read_problem(f"{header} {formula}").goal for task, formula in formulas.items()}


def _unify(pattern: Tree[Token] | Token, tree: Tree[Token] | Token, names: dict[str, str]) -> bool:
    """Whether two formulas are equal but for the types, which are collected by the names in the pattern."""
    if isinstance(pattern, Tree) and isinstance(tree, Tree):
        return (
            pattern.data == tree.data
            and len(pattern.children) == len(tree.children)
            and all(
                _unify(one, other, names) for one, other in zip(pattern.children, tree.children, strict=True)
            )
        )
    if isinstance(pattern, Tree) or isinstance(tree, Tree):
        return False
    placeholder = pattern.removesuffix("Type")
    if placeholder in (_TARGET, _DESTINATION):
        return names.setdefault(placeholder, tree.removesuffix("Type")) == tree.removesuffix("Type")
    return pattern.lower() == tree.lower()
