"""What the household agent reads in a skill: directives, and the circumstances under which they apply."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from enum import Enum

import attrs

from skillsandbox.envs import principles
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.agent_lexicon import CATEGORY_WORDS, sentences_of
from skillsandbox.envs.alfworld.agent_text import types_named
from skillsandbox.envs.principles import directives_in
from skillsandbox.envs.principles import sequence as _seq


class Kind(Enum):
    """The kinds of directives, by the names that the documentation uses."""

    TOOL_FIRST = "tool first"
    OBJECT_FIRST = "object first"
    KEEP_OFF = "keep off until held"
    TRANSFORM_AT_ONCE = "transform at once"
    PLACE_FIRST = "place before more search"
    DELIVER_DIRECTLY = "deliver directly"
    TAKE_AT_SIGHT = "take at sight"
    SURVEY_FIRST = "survey first"
    LOOK_FIRST = "look first at"
    LIKELY_FIRST = "likely places first"
    CONTAINERS_FIRST = "closed containers first"
    SURFACES_FIRST = "surfaces first"
    NEAR_REFERENCE = "near the reference first"
    KEEP_NOTES = "keep notes"
    OPEN_CLOSED = "open what is closed"
    OPEN_TOOL = "open the appliance first"
    CHECK_OBJECT = "check the object"
    CHECK_HANDS = "check the hands"
    CLOSE_AFTER = "close after use"
    LAMP_AT_ONCE = "lamp at once"
    UNTIL_DONE = "until done"


@attrs.frozen
class Directive:
    """One thing that a principle tells the agent to do.

    `places` are types of receptacles, or for `KEEP_OFF` the words `appliance` and `destination`; no places
    means whichever the task needs. `subject` is a category of objects to which the directive is limited.
    """

    kind: Kind
    places: tuple[str, ...] = ()
    subject: str = ""


@attrs.frozen
class Rule(principles.Rule[Kind, Directive]):
    """A rule that gives its kind of directive and nothing more, unless `read` says otherwise."""

    read: Callable[[Kind, str], Iterable[Directive]] = lambda kind, _: (Directive(kind),)


def _tools(kind: Kind, text: str) -> Iterable[Directive]:
    return (Directive(kind, tuple(dict.fromkeys(re.findall(r"(?<!\S)TOOL:(\S+)", text)))),)


def _off_limits(kind: Kind, text: str) -> Iterable[Directive]:
    limits = (("TOOL", "appliance"), ("DESTINATION", "destination"))
    return (Directive(kind, tuple(word for token, word in limits if token in text)),)


_PAIR = re.compile(r"CATEGORY:(\S+) (?:on|in|at|from|inside)((?: (?:the|a|an|or|and|/|PLACE:\S+|TOOL:\S+))+)")


def _named_places(kind: Kind, text: str) -> Iterable[Directive]:
    """Return where to look first: by category where places are paired with one, else in all places named."""
    pairs = [(found[1], _places(found[2])) for found in _PAIR.finditer(text)]
    if any(places for _, places in pairs):
        return tuple(Directive(kind, places, category) for category, places in pairs if places)
    categories = re.findall(r"(?<!\S)CATEGORY:(\S+)", text)
    return (Directive(kind, _places(text), categories[0] if categories else ""),)


_RECEPTACLE_TYPES = frozenset(name.lower() for name in domain.RECEPTACLE_TYPES)


def _places(text: str) -> tuple[str, ...]:
    names = re.findall(r"(?<!\S)(?:PLACE|TOOL):(\S+)", text)
    kinds = (kind for name in names for kind in sorted(types_named(name)))
    return tuple(dict.fromkeys(kind for kind in kinds if kind in _RECEPTACLE_TYPES))


_APPROACH = "GO|ACTIVATE|OPEN|LOCATE"
_TOOL = "TOOL|LAMP"
_FURNITURE = "PLACE|TOOL"
_HELD = "HOLD|TAKE"
_HAVING = (_seq("AFTER", 6, _HELD), _seq("HOLD"), _seq("TAKE", 6, "OBJECT", 4, "THEN|BEFORE"))

RULES: tuple[Rule, ...] = (
    Rule(
        Kind.TOOL_FIRST,
        advice=(
            _seq(_APPROACH, 5, _TOOL, 3, "FIRST"),
            _seq("FIRST", 2, _APPROACH, 5, _TOOL),
            _seq(_APPROACH, 6, _TOOL, 8, "BEFORE|THEN", 5, "TAKE|LOCATE|SEARCH"),
            _seq("BEFORE", 2, "TAKE|LOCATE", 6, _APPROACH, 5, _TOOL),
            _seq("TAKE", 5, "ONLY", 1, "AFTER", 6, f"{_TOOL}|ACTIVATE"),
        ),
        warning=(_seq("TAKE|SEARCH|LOCATE", 5, "UNTIL|BEFORE", 5, f"{_TOOL}|ACTIVATE"),),
        after=_HAVING,
        read=_tools,
    ),
    Rule(
        Kind.OBJECT_FIRST,
        advice=(
            _seq("FIRST", 1, "TAKE", 4, "OBJECT"),
            _seq("TAKE", 4, "OBJECT", 2, "FIRST"),
            _seq("TAKE", 4, "OBJECT", 3, "BEFORE|THEN", 6, f"{_TOOL}|DESTINATION|GO|ACTIVATE|TRANSFORM"),
            _seq("LOCATE", 1, "OBJECT", 5, "TAKE|TRANSFORM", 8, "DESTINATION"),
        ),
    ),
    Rule(
        Kind.KEEP_OFF,
        warning=(
            _seq("GO|OPEN|ACTIVATE", 8, "TOOL|DESTINATION", 8, "UNTIL|BEFORE|NOT|unless", 6, _HELD),
            _seq("interact", 8, "TOOL|DESTINATION", 8, "UNTIL|BEFORE", 6, _HELD),
        ),
        read=_off_limits,
    ),
    Rule(
        Kind.TRANSFORM_AT_ONCE,
        advice=(
            _seq("TRANSFORM", 8, "BEFORE", 3, "PUT|DESTINATION"),
            _seq(_HELD, 8, "NOW", 6, "TOOL|TRANSFORM"),
            _seq("AFTER", 1, _HELD, 5, "GO", 4, "TOOL", 6, "TRANSFORM"),
        ),
        warning=(_seq("PUT", 8, "UNTIL|BEFORE", 6, "TRANSFORM"),),
    ),
    Rule(
        Kind.PLACE_FIRST,
        advice=(
            _seq("PUT", 12, "THEN|BEFORE", 3, "SEARCH|LOCATE|RESUME"),
            _seq("HOLD", 15, "PUT", 8, "BEFORE", 3, "SEARCH|RESUME"),
        ),
        warning=(_seq("SEARCH|RESUME", 3, "AFTER", 2, "HOLD"),),
    ),
    Rule(
        Kind.DELIVER_DIRECTLY,
        advice=(
            _seq("AFTER", 5, "TRANSFORM", 3, "GO", 1, "NOW", 4, "DESTINATION|PUT"),
            _seq("AFTER", 5, "TRANSFORM", 3, "NOW", 1, "GO|PUT", 4, "DESTINATION|OBJECT"),
        ),
    ),
    Rule(
        Kind.TAKE_AT_SIGHT,
        advice=(
            _seq("AFTER", 6, "SEEN", 5, "TAKE"),
            _seq("NOW", 3, "TAKE", 4, "SEEN"),
            _seq("TAKE", 4, "SEEN", 2, "OBJECT", 2, "NOW"),
            _seq("TAKE", 1, "AFTER", 0, "OBJECT"),
        ),
    ),
    Rule(
        Kind.SURVEY_FIRST,
        advice=(
            _seq("SEARCH|GO", 3, "ALL", 6, "BEFORE", 2, "TAKE"),
            _seq("BEFORE", 1, "TAKE", 5, "SEARCH|GO", 3, "ALL"),
        ),
        warning=(_seq("TAKE", 5, "UNTIL|BEFORE", 4, "ALL", 6, "SEARCH|GO|SEEN"),),
    ),
    Rule(
        Kind.LOOK_FIRST,
        advice=(
            _seq("SEARCH", 12, _FURNITURE, 6, "FIRST"),
            _seq("FIRST", 3, "SEARCH", 12, _FURNITURE),
            _seq("BEGIN", 16, _FURNITURE),
            _seq("GO", 0, "NOW", 10, "PLACE"),
            _seq("SEARCH", 8, _FURNITURE, 6, "BEFORE", 2, f"{_FURNITURE}|SURFACE|CONTAINER|CLOSED|LOCATION"),
        ),
        after=_HAVING,
        read=_named_places,
    ),
    Rule(
        Kind.LIKELY_FIRST,
        advice=(
            _seq("BEGIN", 6, "PRIOR"),
            _seq("SEARCH", 6, "PRIOR", 6, "FIRST"),
            _seq("FIRST", 4, "SEARCH", 6, "PRIOR"),
            _seq("SEARCH|GO", 8, "order", 2, "PRIOR"),
            _seq("SEARCH|GO", 4, "most", 0, "PRIOR"),
        ),
    ),
    Rule(
        Kind.CONTAINERS_FIRST,
        advice=(
            _seq("SEARCH|OPEN|GO", 3, "CLOSED", 8, "FIRST"),
            _seq("FIRST|BEGIN", 4, "CLOSED"),
            _seq("SEARCH|OPEN|GO", 3, "CLOSED", 4, "BEFORE", 4, "SURFACE"),
        ),
    ),
    Rule(
        Kind.SURFACES_FIRST,
        advice=(
            _seq("SEARCH|GO", 3, "SURFACE", 4, "FIRST"),
            _seq("FIRST|BEGIN", 4, "SURFACE"),
            _seq("SEARCH|GO", 3, "SURFACE", 4, "BEFORE", 4, "CLOSED|CONTAINER|OPEN"),
        ),
    ),
    Rule(
        Kind.NEAR_REFERENCE,
        advice=(
            _seq("SEARCH", 8, "NEAR", 2, "REFERENCE|DESTINATION|LAMP"),
            _seq("SEARCH", 3, "DESTINATION", 4, "FIRST"),
            _seq("FIRST|BEGIN", 3, "SEARCH", 4, "DESTINATION|LAMP"),
            _seq("SEARCH", 3, "DESTINATION", 3, "BEFORE", 3, "SEARCH|LOCATION|GO|BEGIN"),
        ),
    ),
    Rule(
        Kind.KEEP_NOTES,
        advice=(
            _seq("NOTE", 6, "LIST|LOCATION|SEARCH|CONTAINER"),
            _seq("BEFORE", 2, "REVISIT"),
            _seq("SEARCH|BEGIN", 2, "UNSEEN"),
            _seq("systematically|systematic", 3, "SEARCH|sweep"),
        ),
        warning=(_seq("REVISIT"), _seq(r"\S+", 1, "REVISIT"), _seq("GO", 5, "already", 1, "SEARCH|GO")),
    ),
    Rule(
        Kind.OPEN_CLOSED,
        advice=(_seq("OPEN", 4, "ALL", 2, "CLOSED|CONTAINER|UNSEEN"), _seq("OPEN", 3, "CLOSED")),
        warning=(_seq("SEARCH|skip|assume", 4, "CLOSED"),),
    ),
    Rule(
        Kind.OPEN_TOOL,
        advice=(
            _seq("TOOL", 12, "OPEN", 10, "TRANSFORM"),
            _seq("OPEN", 2, "TOOL|door", 14, "TRANSFORM"),
        ),
        read=_tools,
    ),
    Rule(
        Kind.CHECK_OBJECT,
        advice=(
            _seq("VERIFY|SEARCH", 4, "OBJECT", 8, "BEFORE", 2, "PUT"),
            _seq("BEFORE", 1, "PUT", 5, "VERIFY|SEARCH", 4, "OBJECT|state"),
        ),
    ),
    Rule(Kind.CHECK_HANDS, advice=(_seq("VERIFY|SEARCH|ACTIVATE", 3, "INVENTORY"),)),
    Rule(
        Kind.CLOSE_AFTER,
        advice=(
            _seq("CLOSE", 4, "CONTAINER|CLOSED|TOOL|door|it|PLACE", 3, "AFTER|behind|again"),
            _seq("AFTER", 3, "SEARCH|OPEN|ACTIVATE", 5, "CLOSE"),
        ),
    ),
    Rule(
        Kind.LAMP_AT_ONCE,
        advice=(
            _seq("ACTIVATE", 1, "LAMP", 2, "NOW"),
            _seq("ACTIVATE", 1, "LAMP", 1, "AFTER", 4, "GO|SEEN|LOCATE"),
            _seq("NOW", 10, "ACTIVATE", 1, "LAMP"),
        ),
    ),
    Rule(
        Kind.UNTIL_DONE,
        advice=(
            _seq("END", 6, "ONLY", 4, "COUNT|VERIFY|ALL"),
            _seq("NOTE", 4, "COUNT"),
        ),
        warning=(_seq("END", 4, "UNTIL|BEFORE"),),
    ),
)
"""How each kind is recognised, one rule a kind, in the order of the documentation."""


@functools.lru_cache(maxsize=256)
def directives_of(principle: str) -> tuple[Directive, ...]:
    """Return the directives that a principle gives, each once; none where nothing in it is understood."""
    return directives_in(sentences_of(principle), RULES)


@attrs.frozen
class Circumstances:
    """When a skill applies; an empty field asks for nothing.

    `tasks` holds the states `hot`, `cool`, `clean`, and `look`, of which the task must be one, or `tool` for
    any of these; `several` asks for a task about two objects; `hands` is `full`, `empty` or nothing.
    """

    tasks: frozenset[str] = frozenset()
    several: bool = False
    rooms: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    hands: str = ""


_TASK_WORDS: tuple[tuple[str, str], ...] = (
    ("hot", r"heat\w*|hot|warm\w*|microwave\w*|temperature"),
    ("cool", r"cool\w*|cold|chill\w*|fridge|refrigerator|temperature"),
    ("clean", r"clean\w*|wash\w*|rins\w+|sink\w*"),
    ("look", r"desk ?lamps?|floor ?lamps?|lamps?|light|look at"),
)
_ANY_TOOL = r"appliances?|stationary|state chang\w*|chang\w+ (?:its |the )?state|(?:the|a) tool"
_SEVERAL = (
    r"multi instance|put two|two (?:of|identical|instances|copies|same)"
    r"|multiple (?:objects|items|instances|copies)|more than one|several (?:objects|items|instances)"
    r"|second (?:object|item|instance|copy)"
)
_ROOMS = ("kitchen", "bathroom", "bedroom", "living room")
_EMPTY_HANDED = (
    r"(?:without|not(?: yet)?) (?:holding|carrying|having)|empty handed"
    r"|(?:before|without|not(?: yet)?) (?:picking up|acquiring|taking)(?! every| all)"
)
_FULL_HANDED = r"(?:holding|carrying|in hand|held|(?:after|upon|once|when) (?:acquiring|picking up|taking))"


@functools.lru_cache(maxsize=256)
def circumstances_of(condition: str) -> Circumstances:
    """Return the circumstances that a condition names; a condition that names none is always met."""
    words = re.sub(r"[^a-z]+", " ", condition.lower())
    named = frozenset(task for task, pattern in _TASK_WORDS if _speaks_of(words, pattern))
    return Circumstances(
        tasks=named or (frozenset({"tool"}) if _speaks_of(words, _ANY_TOOL) else frozenset()),
        several=_speaks_of(words, _SEVERAL),
        rooms=frozenset(room for room in _ROOMS if _speaks_of(words, room.replace(" ", " ?"))),
        categories=frozenset(name for name, pattern in CATEGORY_WORDS.items() if _speaks_of(words, pattern)),
        hands=_hands(words),
    )


def _hands(words: str) -> str:
    """Return what a condition says of the hands; nothing where it gives alternatives."""
    if _speaks_of(words, "or"):
        return ""
    if _speaks_of(words, _EMPTY_HANDED):
        return "empty"
    return "full" if _speaks_of(words, _FULL_HANDED) else ""


def _speaks_of(words: str, pattern: str) -> bool:
    return re.search(rf"\b(?:{pattern})\b", words) is not None
