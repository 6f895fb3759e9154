"""ALFWorld's text as the household agent understands it: the task's wording, and what an observation says."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from types import MappingProxyType

import attrs

ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "basin": ("sinkbasin",),
        "bathtub": ("bathtubbasin",),
        "bathroomsink": ("sinkbasin",),
        "bin": ("garbagecan",),
        "burner": ("stoveburner",),
        "counter": ("countertop",),
        "couch": ("sofa",),
        "faucet": ("sinkbasin",),
        "freezer": ("fridge",),
        "garbage": ("garbagecan",),
        "kitchencounter": ("countertop",),
        "kitchentable": ("diningtable", "sidetable"),
        "nightstand": ("sidetable",),
        "oven": ("microwave",),
        "recyclingbin": ("garbagecan",),
        "refrigerator": ("fridge",),
        "shelves": ("shelf",),
        "sink": ("sinkbasin",),
        "stove": ("stoveburner",),
        "stovetop": ("stoveburner",),
        "table": ("diningtable", "coffeetable", "sidetable"),
        "tap": ("sinkbasin",),
        "trash": ("garbagecan",),
        "trashcan": ("garbagecan",),
        "tub": ("bathtubbasin",),
        "tvtable": ("tvstand",),
        "wastebasket": ("garbagecan",),
    }
)
"""Everyday names of receptacles, and the types that they stand for."""

STATES: Mapping[str, str] = MappingProxyType(
    {
        word: state
        for state, words in {
            "hot": ("hot", "heat", "heated", "warm", "warmed", "microwave", "microwaved"),
            "cool": ("cool", "cooled", "cold", "chill", "chilled", "refrigerate", "refrigerated"),
            "clean": ("clean", "cleaned", "wash", "washed", "rinse", "rinsed"),
        }.items()
        for word in words
    }
)
"""Words for the state that an object must be brought into, as adjective or as command."""

TOOLS: Mapping[str, str] = MappingProxyType({"hot": "microwave", "cool": "fridge", "clean": "sinkbasin"})
"""The type of appliance that brings about a state."""


@attrs.frozen
class Errand:
    """What a task asks for, in its own words joined and lower-cased.

    Either `destination` is given, with the `state` (hot, cool or clean) that is asked for if any, or `lamp`.
    """

    target: str
    destination: str = ""
    state: str = ""
    lamp: str = ""
    count: int = 1

    @property
    def tool(self) -> str:
        """The type of the appliance that the task needs; empty where it needs none."""
        return TOOLS.get(self.state, "")


@attrs.frozen
class View:
    """What one observation says; places and things are named as in the text (`countertop 2`)."""

    task: str = ""
    listed: tuple[str, ...] = ()
    facing: tuple[str, ...] = ()
    arrived: str = ""
    contents: Mapping[str, tuple[str, ...]] = attrs.Factory(dict)
    closed: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    taken: tuple[str, str] | None = None
    moved: tuple[str, str] | None = None
    changed: tuple[str, str] | None = None
    lit: str = ""
    carried: tuple[str, ...] | None = None


def type_of(name: str) -> str:
    """Return the type of a numbered name: `countertop` for `countertop 2`."""
    return re.sub(r"\s*\d+$", "", name).replace(" ", "")


def number_of(name: str) -> int:
    """Return the number of a name, 0 where it has none."""
    found = re.search(r"(\d{1,9})$", name)
    return int(found[1]) if found else 0


@functools.cache
def types_named(words: str) -> frozenset[str]:
    """Return the types that words may mean: as written, in the singular, and by an everyday name."""
    joined = re.sub(r"[^a-z]", "", words.lower())
    forms = {joined} | {
        joined.removesuffix(plural) + singular
        for plural, singular in (("s", ""), ("es", ""), ("ves", "f"), ("ves", "fe"), ("ies", "y"))
        if joined.endswith(plural)
    }
    return frozenset(forms.union(*(ALIASES.get(form, ()) for form in sorted(forms))) - {""})


def is_a(name: str, words: str) -> bool:
    """Say whether a numbered name is of the kind that words speak of."""
    return type_of(name) in types_named(words)


_ARTICLE = r"(?:(?:a|an|some|the|one|any|your) )?"
_STATE = r"(?:(?P<state>" + "|".join(sorted(STATES)) + r") )?"
_PUT = r"(?:put|place|move|bring|set|store|leave|deliver|drop|carry|take)"
_FETCH = r"(?:find|get|take|pick up|grab|fetch|collect|locate|bring|retrieve|obtain)"
_THEM = r"(?:it|them|that|these|both|both of them|them both|they)"
_IN = r"(?:in|on|into|onto|to|inside|upon|at|in/on)"
_AND = r"(?:,? and then|,? and|,? then|,)"
_TWO = r"(?:two|2|both|a pair of|a couple of)"
_LOOK_BY = (
    rf"(?:look at|examine|inspect|view|study|read|check) {_ARTICLE}(?P<target>[a-z ]+?)"
    r" (?:under|with|using|by|beneath|below|near|in)"
)
_REST = rf" {_IN} {_ARTICLE}(?P<destination>[a-z ]+)"

_WORDINGS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_LOOK_BY} .*?(?P<lamp>(?:desk|floor) ?lamp)\b.*",
        rf"{_LOOK_BY} .*?(?P<lamp>lamp|light)\b.*",
        rf"(?:turn|switch) on {_ARTICLE}(?P<lamp>[a-z ]*(?:lamp|light)){_AND}"
        rf" (?:look at|examine|inspect) {_ARTICLE}(?P<target>[a-z ]+?)(?: (?:under|with) .*)?",
        rf"(?P<two>{_PUT} {_TWO}) {_STATE}(?P<target>[a-z ]+?){_REST}",
        rf"(?P<two>{_FETCH} {_TWO}) {_STATE}(?P<target>[a-z ]+?){_AND} {_PUT} {_THEM}{_REST}",
        rf"(?P<state>{'|'.join(sorted(STATES))})(?: up| down| off)? {_ARTICLE}(?P<target>[a-z ]+?)"
        rf"{_AND} {_PUT} {_THEM}{_REST}",
        rf"{_FETCH} {_ARTICLE}{_STATE}(?P<target>[a-z ]+?){_AND} {_PUT} {_THEM}{_REST}",
        rf"{_PUT} {_ARTICLE}{_STATE}(?P<target>[a-z ]+?){_REST}",
    )
)


def errand_of(task: str) -> Errand | None:
    """Return what a task asks for; None where its wording is none that the agent knows.

    The wordings are ALFRED's two templates of each of the six types, and everyday variants of them.
    """
    words = re.sub(r"\s+", " ", task.lower().replace("-", "").strip(" .!")).removeprefix("please ")
    for wording in _WORDINGS:
        found = wording.fullmatch(words)
        if found:
            return _errand(found.groupdict())
    return None


def _errand(parts: Mapping[str, str | None]) -> Errand:
    return Errand(
        target=_joined(parts["target"]),
        destination=_joined(parts.get("destination")),
        state=STATES.get(parts.get("state") or "", ""),
        lamp=(_joined(parts.get("lamp")) or "").replace("light", "lamp"),
        count=2 if parts.get("two") else 1,
    )


def _joined(words: str | None) -> str:
    return (words or "").replace(" ", "")


_NAME = re.compile(r"\b(?:an? )?([a-z][a-z]*(?: [a-z]+)*? \d+)")
_CONTENTS = re.compile(r"\b(?:On|In) (?:the ([a-z ]+? \d+)|it), you see ([^.\n]*)")
_TASK = re.compile(r"Your task is to:[ \t]*([^\n]+)")
_LISTED = re.compile(r"Looking quickly around you, you see ([^.\n]*)")
_FACING = re.compile(r"You are facing the ([^.\n]*)")
_ARRIVED = re.compile(r"You arrive at (?:the )?([a-z ]+? \d+)")
_CLOSED = re.compile(r"\b(?:The (?=[a-z ]+ \d+ is closed)|You close the )([a-z ]+? \d+)")
_OPEN = re.compile(r"The ([a-z ]+? \d+) is open\.")
_TAKEN = re.compile(r"You pick up the ([a-z ]+? \d+) from the ([a-z ]+? \d+)")
_MOVED = re.compile(r"You move the ([a-z ]+? \d+) to the ([a-z ]+? \d+)")
_CHANGED = re.compile(r"You (heat|cool|clean) the ([a-z ]+? \d+) using")
_LIT = re.compile(r"You turn on the ([a-z ]+? \d+)")
_CARRIED = re.compile(r"You are (?:not carrying anything|carrying: ([^.\n]*))")


def view_of(observation: str) -> View:
    """Return what an observation says; nothing where it is not ALFWorld's text."""
    listed, facing, taken, moved = (
        pattern.search(observation) for pattern in (_LISTED, _FACING, _TAKEN, _MOVED)
    )
    changed, carried = _CHANGED.search(observation), _CARRIED.search(observation)
    opened = tuple(_OPEN.findall(observation))
    return View(
        task=_first(_TASK, observation),
        listed=_names(listed[1]) if listed else (),
        facing=_names(facing[1]) if facing else (),
        arrived=_first(_ARRIVED, observation),
        contents=_contents(observation, opened[-1] if opened else ""),
        closed=frozenset(_CLOSED.findall(observation)),
        opened=frozenset(opened),
        taken=(taken[1], taken[2]) if taken else None,
        moved=(moved[1], moved[2]) if moved else None,
        changed=(changed[2], STATES[changed[1]]) if changed else None,
        lit=_first(_LIT, observation),
        carried=_names(carried[1] or "") if carried else None,
    )


def _contents(observation: str, opened: str) -> Mapping[str, tuple[str, ...]]:
    """Return what is seen where; `it` is the place that the same observation calls open."""
    seen = ((found[1] or opened, _names(found[2])) for found in _CONTENTS.finditer(observation))
    return {place: things for place, things in seen if place}


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1].strip() if found else ""


def _names(text: str) -> tuple[str, ...]:
    return tuple(_NAME.findall(text.replace(", and ", ", ")))
