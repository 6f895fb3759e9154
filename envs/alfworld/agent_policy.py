"""The household agent's policy: search, take, transform, place; with habits that directives may change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import attrs

from skillsandbox.compiler.environment import Decision
from skillsandbox.envs.alfworld.agent_belief import Belief
from skillsandbox.envs.alfworld.agent_directives import Directive, Kind
from skillsandbox.envs.alfworld.agent_priors import CATEGORIES, CLOSED_TYPES, LIKELY_PLACES, category_of
from skillsandbox.envs.alfworld.agent_text import Errand, number_of, type_of

SWEEPS = 2
"""How often everything is searched before the agent gives up and looks around."""

MOST_TRIES = 4
"""How many commands are spent on a place that does not show its contents."""

_VERBS = {"hot": "heat", "cool": "cool", "clean": "clean"}


@attrs.frozen(slots=False)
class Mind:
    """What a decision follows from: a belief, the directives in force, and a seed for ties."""

    belief: Belief
    directives: tuple[Directive, ...] = ()
    seed: int = 0

    def told(self, kind: Kind) -> bool:
        """Say whether a directive of the kind is in force."""
        return bool(self.given(kind))

    def given(self, kind: Kind) -> tuple[Directive, ...]:
        """Return the directives of the kind that are in force."""
        return tuple(directive for directive in self.directives if directive.kind is kind)

    @property
    def errand(self) -> Errand:
        """The task; where it was not understood, one that nothing in the world answers to."""
        return self.belief.errand or Errand(target="")

    @cached_property
    def holds_target(self) -> bool:
        """Whether the agent holds an object of the type that the task is about."""
        return self.belief.is_target(self.belief.holding)

    @cached_property
    def destination(self) -> str:
        """The receptacle that the object is to be put in; empty where there is none."""
        return min(self._fit_places(), key=self._preference, default="")

    def _fit_places(self) -> Iterator[str]:
        return (
            place for place in self.in_order if self.belief.is_destination(place) and not self._unfit(place)
        )

    def _preference(self, place: str) -> tuple[int, bool]:
        """Return what makes a destination come first: what is there already, then that it is in reach."""
        return -self._share(place), not (self.holds_target and place in self.belief.here)

    def _share(self, place: str) -> int:
        """Return how much of a task about several objects is already done at a place."""
        return self.stock(place) if self.errand.count > 1 else 0

    def stock(self, place: str) -> int:
        """Return how many objects of the wanted type are known to be at a place."""
        return sum(self.belief.is_target(thing) for thing in self.belief.seen.get(place, ()))

    def _unfit(self, place: str) -> bool:
        """Say whether a destination cannot take what is held: it was seen since, to no avail."""
        belief = self.belief
        seen_since = any(step > belief.progress for step in belief.looked.get(place, ()))
        return bool(belief.holding) and seen_since and not belief.allows(f"move {belief.holding} to {place}")

    @cached_property
    def in_order(self) -> tuple[str, ...]:
        """The places in the order of the listing; those of a type by number, from where the seed says."""
        kinds = list(dict.fromkeys(type_of(place) for place in self.belief.places))
        groups = {kind: sorted(self._members(kind), key=number_of) for kind in kinds}
        turns = {kind: self.seed % len(members) for kind, members in groups.items()}
        return tuple(
            place for kind in kinds for place in groups[kind][turns[kind] :] + groups[kind][: turns[kind]]
        )

    def _members(self, kind: str) -> Iterator[str]:
        return (place for place in self.belief.places if type_of(place) == kind)

    def recalls(self, place: str) -> bool:
        """Say whether the agent remembers what it last saw at a place."""
        steps = self.belief.looked.get(place, ())
        return bool(steps) and (self.told(Kind.KEEP_NOTES) or self.belief.recalls(steps[-1]))

    def searches(self, place: str) -> int:
        """Return how often the agent remembers to have searched a place."""
        steps = self.belief.looked.get(place, ())
        return len(steps) if self.told(Kind.KEEP_NOTES) else sum(map(self.belief.recalls, steps))

    def wants(self, thing: str, place: str) -> bool:
        """Say whether a thing at a place is one that the agent has yet to take."""
        if not self.belief.is_target(thing) or thing in self.belief.settled:
            return False
        if self.errand.lamp or self.errand.state:
            return True
        if self.errand.count > 1:
            return place != self.destination
        return not self.belief.is_destination(place)

    def known(self, wanted: Callable[[str, str], bool]) -> str:
        """Return the place where a wanted thing was last seen, as far as remembered; empty if nowhere."""
        belief = self.belief
        found = [
            place
            for place in self.in_order
            if self.recalls(place) and any(wanted(thing, place) for thing in belief.seen.get(place, ()))
        ]
        return max(found, key=lambda place: (place in belief.here, belief.looked[place][-1]), default="")


def choose(mind: Mind) -> Decision:
    """Return the next action and the reason for it; the action is admissible unless nothing is."""
    for rule in _RULES:
        step = rule(mind)
        if step is not None and mind.belief.allows(step.action):
            return step
    some = mind.belief.admissible[:1] or ("look",)
    return Decision("I do not know what else to do.", "look" if mind.belief.allows("look") else some[0])


def _use_lamp(mind: Mind) -> Decision | None:
    early = mind.told(Kind.LAMP_AT_ONCE) or _tool_comes_first(mind)
    if not mind.errand.lamp or not (mind.holds_target or early):
        return None
    for command in mind.belief.admissible:
        lamp = command.removeprefix("use ")
        if lamp != command and mind.belief.is_lamp(lamp) and lamp not in mind.belief.lit:
            return Decision(f"The {lamp} is in reach, so I switch it on.", command)
    return None


def _prepare_tool(mind: Mind) -> Decision | None:
    """Go to the appliance or lamp and make it ready, before the object is fetched."""
    if mind.holds_target or not _tool_comes_first(mind):
        return None
    if mind.errand.lamp:
        return None if mind.belief.lamp_was_lit() else _reach_lamp(mind)
    tool = next((place for place in mind.in_order if mind.belief.is_tool(place)), "")
    if not tool or (mind.belief.visited(tool) and tool not in mind.belief.closed):
        return None
    return _reach(mind, tool, f"I prepare the {tool} before I fetch the object.")


def _tool_comes_first(mind: Mind) -> bool:
    needed = mind.errand.tool or mind.errand.lamp
    return bool(needed) and any(
        not directive.places or needed in directive.places for directive in mind.given(Kind.TOOL_FIRST)
    )


def _check_hands(mind: Mind) -> Decision | None:
    if not mind.told(Kind.CHECK_HANDS) or not mind.belief.holding or mind.belief.checked_hands:
        return None
    return Decision(f"I check that I carry the {mind.belief.holding}.", "inventory")


def _transform(mind: Mind) -> Decision | None:
    thing, state = mind.belief.holding, mind.errand.state
    if not mind.holds_target or mind.belief.ready(thing):
        return None
    tools = [place for place in mind.in_order if mind.belief.is_tool(place)]
    for tool in tools:
        command = f"{_VERBS[state]} {thing} with {tool}"
        if mind.belief.allows(command):
            return _open_before(mind, tool) or Decision(
                f"I use the {tool} to make the {thing} {state}.", command
            )
    untried = next((tool for tool in tools if tool not in mind.belief.here), "")
    return _go(mind, untried, f"I have the {thing} and take it to the {untried} to make it {state}.")


def _open_before(mind: Mind, tool: str) -> Decision | None:
    if not mind.told(Kind.OPEN_TOOL) or not mind.belief.allows(f"open {tool}"):
        return None
    return Decision(f"I open the {tool} before I use it.", f"open {tool}")


def _show_to_lamp(mind: Mind) -> Decision | None:
    if not mind.errand.lamp or not mind.holds_target:
        return None
    return _reach_lamp(mind)


def _reach_lamp(mind: Mind) -> Decision | None:
    place = mind.known(lambda thing, _: mind.belief.is_lamp(thing))
    if place and place not in mind.belief.here:
        return _go(mind, place, f"I saw the {mind.errand.lamp} at the {place}, so I go there.")
    return _search(mind, mind.errand.lamp)


def _scout(mind: Mind) -> Decision | None:
    """With the first of two objects in hand, look for the second on the way, before anything is put down."""
    if not mind.holds_target or mind.errand.count < 2 or mind.told(Kind.PLACE_FIRST):
        return None
    begun = not mind.destination or mind.stock(mind.destination) > 0
    within = mind.belief.allows(f"move {mind.belief.holding} to {mind.destination}")
    if begun or within or mind.known(mind.wants) or all(map(mind.searches, mind.in_order)):
        return None
    return _search(mind, mind.errand.target)


def _place(mind: Mind) -> Decision | None:
    thing, place = mind.belief.holding, mind.destination
    if not mind.holds_target or not place:
        return None
    if mind.belief.allows(f"move {thing} to {place}"):
        return _check_object(mind) or Decision(f"I put the {thing} in its place.", f"move {thing} to {place}")
    return _reach(mind, place, f"I have the {thing} and bring it to the {place}.")


def _check_object(mind: Mind) -> Decision | None:
    thing = mind.belief.holding
    if not mind.told(Kind.CHECK_OBJECT) or thing in mind.belief.examined:
        return None
    return Decision(f"I check the {thing} before I put it down.", f"examine {thing}")


def _free_hands(mind: Mind) -> Decision | None:
    thing = mind.belief.holding
    if not thing or mind.holds_target or mind.belief.errand is None:
        return None
    for command in mind.belief.admissible:
        if command.startswith(f"move {thing} to "):
            return Decision(f"I do not need the {thing}, so I put it down.", command)
    return None


def _take(mind: Mind) -> Decision | None:
    if _is_surveying(mind):
        return None
    for command in mind.belief.admissible:
        thing, separator, place = command.removeprefix("take ").partition(" from ")
        if command.startswith("take ") and separator and mind.wants(thing, place):
            return Decision(f"The {thing} is what the task is about, so I take it.", command)
    return None


def _fetch(mind: Mind) -> Decision | None:
    place = "" if mind.holds_target or _is_surveying(mind) else mind.known(mind.wants)
    if not place:
        return None
    return _reach(mind, place, f"I saw a {mind.errand.target} at the {place}, so I go there.")


def _is_surveying(mind: Mind) -> bool:
    return mind.told(Kind.SURVEY_FIRST) and not all(map(mind.searches, mind.in_order))


def _search_target(mind: Mind) -> Decision | None:
    return _search(mind, mind.errand.target)


def _search(mind: Mind, sought: str) -> Decision | None:
    """Return the next command of the search: to the place that was searched least, and first in the order."""
    ranking = {place: _rank(mind, place, sought) for place in mind.in_order}
    for place in sorted(ranking, key=ranking.__getitem__):
        step = _inspect(mind, place, f"I look for the {sought or 'things'} at the {place}.")
        if step is not None and mind.belief.allows(step.action) and mind.searches(place) < SWEEPS:
            return step
    return None


def _rank(mind: Mind, place: str, sought: str) -> tuple[int, ...]:
    """Return what decides when a place is searched: finish what was begun, then the least searched."""
    begun = place == mind.belief.at and place in mind.belief.closed and not mind.searches(place)
    return (
        int(not begun),
        mind.searches(place),
        int(_is_off_limits(mind, place)),
        _rank_by_name(mind, place, sought),
        int(mind.told(Kind.NEAR_REFERENCE) and not _is_reference(mind, place)),
        _rank_by_likelihood(mind, place, sought),
        _rank_by_door(mind, place),
    )


def _is_off_limits(mind: Mind, place: str) -> bool:
    limits = {word for limit in mind.given(Kind.KEEP_OFF) for word in limit.places}
    off_limits = (
        "appliance" in limits and mind.belief.is_tool(place),
        "destination" in limits and mind.belief.is_destination(place),
    )
    return not mind.holds_target and any(off_limits)


def _rank_by_name(mind: Mind, place: str, sought: str) -> int:
    named = [
        kind
        for directive in mind.given(Kind.LOOK_FIRST)
        if not directive.subject or sought in CATEGORIES[directive.subject]
        for kind in directive.places
    ]
    return named.index(type_of(place)) if type_of(place) in named else len(named)


def _rank_by_likelihood(mind: Mind, place: str, sought: str) -> int:
    likely = LIKELY_PLACES.get(category_of(sought), ()) if mind.told(Kind.LIKELY_FIRST) else ()
    return likely.index(type_of(place)) if type_of(place) in likely else len(likely)


def _rank_by_door(mind: Mind, place: str) -> int:
    has_door = type_of(place) in CLOSED_TYPES
    return int(not has_door if mind.told(Kind.CONTAINERS_FIRST) else has_door)


def _is_reference(mind: Mind, place: str) -> bool:
    if mind.errand.lamp:
        return any(map(mind.belief.is_lamp, mind.belief.seen.get(place, ())))
    return mind.belief.is_destination(place)


def _inspect(mind: Mind, place: str, reason: str) -> Decision | None:
    """Return the next command towards seeing what is at a place; none where tries led nowhere."""
    if mind.belief.tried.get(place, 0) >= MOST_TRIES:
        return None
    if place in mind.belief.here and not mind.belief.allows(f"open {place}"):
        return Decision(reason, f"examine {place}")
    return _reach(mind, place, reason)


def _reach(mind: Mind, place: str, reason: str) -> Decision | None:
    """Return the next command towards standing at a place that is open."""
    if mind.belief.allows(f"open {place}"):
        return Decision(reason, f"open {place}")
    return None if place in mind.belief.here else _go(mind, place, reason)


def _go(mind: Mind, place: str, reason: str) -> Decision | None:
    if not place or not mind.belief.allows(f"go to {place}"):
        return None
    left_open = next((command for command in mind.belief.admissible if command.startswith("close ")), None)
    if left_open is not None and mind.told(Kind.CLOSE_AFTER):
        return Decision("I close what I opened before I leave.", left_open)
    return Decision(reason, f"go to {place}")


_RULES: tuple[Callable[[Mind], Decision | None], ...] = (
    _check_hands,
    _use_lamp,
    _transform,
    _show_to_lamp,
    _scout,
    _place,
    _free_hands,
    _prepare_tool,
    _take,
    _fetch,
    _search_target,
)
