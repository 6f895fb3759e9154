"""What the household agent believes: rebuilt from the transcript alone, so that a run can be continued."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

import attrs

from skillsandbox.compiler.environment import Situation
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.agent_text import Errand, View, errand_of, is_a, type_of, view_of

WINDOW = 10
"""How many exchanges back the agent remembers what it saw where: as many as a language model is shown."""


@attrs.frozen
class Belief:
    """The state of the world and of the search, as the transcript tells it.

    Steps count the actions so far. `seen` holds for each place what was in it when last seen, and `looked`
    the steps at which its contents were in view; `tried` counts the actions spent on it since; `progress`
    is the step of the last action that brought the task forward (something taken, put, changed or lit).
    `settled` holds the things that the agent put where the task wants them, in the state that it asks for.
    """

    errand: Errand | None = None
    places: tuple[str, ...] = ()
    at: str = ""
    holding: str = ""
    step: int = 0
    progress: int = 0
    seen: Mapping[str, tuple[str, ...]] = attrs.Factory(dict)
    looked: Mapping[str, tuple[int, ...]] = attrs.Factory(dict)
    tried: Mapping[str, int] = attrs.Factory(dict)
    opened: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    changed: frozenset[tuple[str, str]] = frozenset()
    lit: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()
    examined: frozenset[str] = frozenset()
    checked_hands: bool = False
    admissible: tuple[str, ...] = ()
    here: frozenset[str] = frozenset()

    def visited(self, place: str) -> bool:
        """Say whether the agent has been at a place and seen it, closed or open."""
        return place in self.looked or place in self.closed or place in self.opened

    def recalls(self, step: int) -> bool:
        """Say whether what was seen at a step is fresh: of the last exchanges or of the sub-goal at hand."""
        return step >= min(self.progress, self.step - WINDOW)

    def allows(self, command: str) -> bool:
        """Say whether a command is admissible now."""
        return command in self.admissible

    def is_target(self, thing: str) -> bool:
        """Say whether a thing is of the type that the task is about."""
        return self.errand is not None and is_a(thing, self.errand.target)

    def is_lamp(self, thing: str) -> bool:
        """Say whether a thing is of the type of lamp that the task is about."""
        lamp = self.errand.lamp if self.errand else ""
        return bool(lamp) and (is_a(thing, lamp) or (lamp == "lamp" and type_of(thing).endswith("lamp")))

    def is_destination(self, place: str) -> bool:
        """Say whether a place is of the type that the task names as destination."""
        return self.errand is not None and is_a(place, self.errand.destination)

    def is_tool(self, place: str) -> bool:
        """Say whether a place is the kind of appliance that the task needs."""
        return self.errand is not None and type_of(place) == self.errand.tool

    def ready(self, thing: str) -> bool:
        """Say whether a thing is in the state that the task asks for."""
        return self.errand is not None and self.errand.state in ("", *self._states(thing))

    def _states(self, thing: str) -> tuple[str, ...]:
        return tuple(state for changed, state in sorted(self.changed) if changed == thing)

    def lamp_was_lit(self) -> bool:
        """Say whether a lamp of the right type was switched on at some time."""
        return any(self.is_lamp(lamp) for lamp in self.lit)


def belief_of(situation: Situation) -> Belief:
    """Return what the agent believes in a situation."""
    actions = ("", *(exchange.action for exchange in situation.past))
    observations = (*(exchange.observation for exchange in situation.past), situation.observation)
    belief = functools.reduce(_after, zip(actions, observations, strict=True), Belief(step=-1))
    return _with_commands(belief, situation.admissible)


def _after(belief: Belief, exchange: tuple[str, str]) -> Belief:
    """Return the belief after one more action and the observation that it led to."""
    action, observation = exchange
    view = view_of(observation)
    belief = _noting_action(attrs.evolve(belief, step=belief.step + 1), action, view)
    belief = _noting_places(belief, view)
    belief = _noting_contents(belief, view)
    return _noting_deeds(belief, view)


def _noting_action(belief: Belief, action: str, view: View) -> Belief:
    tried = re.fullmatch(r"(?:go to|open|examine) (.+)", action)
    if tried is None:
        return attrs.evolve(belief, checked_hands=belief.checked_hands or view.carried is not None)
    name = tried[1]
    return attrs.evolve(
        belief,
        tried={**belief.tried, name: belief.tried.get(name, 0) + 1},
        examined=belief.examined | {name} if action.startswith("examine") else belief.examined,
    )


def _noting_places(belief: Belief, view: View) -> Belief:
    errand = errand_of(view.task) if view.task else belief.errand
    at = view.arrived or (view.facing[0] if view.facing else belief.at)
    arrived = (view.arrived,) if view.arrived else ()
    places = _extended(belief.places, (*view.listed, *view.facing, *arrived))
    return attrs.evolve(belief, errand=errand, at=at, places=places)


def _noting_contents(belief: Belief, view: View) -> Belief:
    looked = {place: (*belief.looked.get(place, ()), belief.step) for place in view.contents}
    return attrs.evolve(
        belief,
        seen={**belief.seen, **view.contents},
        looked={**belief.looked, **looked},
        tried={place: tries for place, tries in belief.tried.items() if place not in view.contents},
        opened=(belief.opened - view.closed) | view.opened,
        closed=(belief.closed - view.opened) | view.closed,
        holding=belief.holding if view.carried is None else "".join(view.carried[:1]),
    )


def _noting_deeds(belief: Belief, view: View) -> Belief:
    if view.taken:
        thing, place = view.taken
        rest = tuple(other for other in belief.seen.get(place, ()) if other != thing)
        return attrs.evolve(
            belief,
            holding=thing,
            progress=belief.step,
            seen={**belief.seen, place: rest},
            settled=belief.settled - {thing},
            examined=belief.examined - {thing},
            checked_hands=False,
        )
    if view.moved:
        thing, place = view.moved
        return attrs.evolve(
            belief,
            holding="",
            progress=belief.step,
            seen={**belief.seen, place: (*belief.seen.get(place, ()), thing)},
            settled=belief.settled | ({thing} if _satisfies(belief, thing, place) else frozenset()),
        )
    if view.changed:
        kept = frozenset(pair for pair in belief.changed if not _undoes(view.changed, pair))
        return attrs.evolve(belief, progress=belief.step, changed=kept | {view.changed})
    if view.lit:
        return attrs.evolve(belief, progress=belief.step, lit=belief.lit | {view.lit})
    return belief


def _satisfies(belief: Belief, thing: str, place: str) -> bool:
    return belief.is_target(thing) and belief.is_destination(place) and belief.ready(thing)


def _undoes(change: tuple[str, str], earlier: tuple[str, str]) -> bool:
    thing, state = change
    return earlier[0] == thing and {state, earlier[1]} == {"hot", "cool"}


def _with_commands(belief: Belief, admissible: tuple[str, ...]) -> Belief:
    """Return the belief with what the admissible commands give away: places, and what is held.

    Only places in reach and the held object can be examined, only places in reach opened and closed.
    """
    reachable = _names_after("go to ", admissible)
    examinable = _names_after("examine ", admissible)
    here = {name for name in examinable if name in belief.places or type_of(name) in _RECEPTACLE_TYPES}
    here |= {*_names_after("open ", admissible), *_names_after("close ", admissible)}
    held = next((name for name in examinable if name not in here), "")
    return attrs.evolve(
        belief,
        admissible=admissible,
        places=_extended(belief.places, (*sorted(here), *reachable)),
        here=frozenset(here),
        holding=held or belief.holding,
    )


_RECEPTACLE_TYPES = frozenset(name.lower() for name in domain.RECEPTACLE_TYPES)


def _names_after(verb: str, commands: Iterable[str]) -> tuple[str, ...]:
    return tuple(command.removeprefix(verb) for command in commands if command.startswith(verb))


def _extended(known: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))
