"""Exact search in ALFWorld's games: shortest plans for goals, shortest trajectories for step monitors.

Plans are found by A* over macros. Any plan can be brought, without making it longer, into the form of macros
that each go to a receptacle, open it if need be, and do one thing there: fetch a thing that the goal wants,
put down what is held, treat it, or use a lamp. Closing never helps, opening can wait until just before what
needs it, and a thing once fetched goes nowhere but where the goal wants it. Receptacles that look alike
(type, door, relevant contents, neighbours) at places that a plan has not touched are interchangeable, so that
one of them is enough.
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

import attrs

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.engine import TREATMENTS, TWO_TASK, Engine, is_accessible
from skillsandbox.envs.alfworld.episode import STEP_LIMIT
from skillsandbox.envs.alfworld.household import Receptacle, State, Thing
from skillsandbox.envs.alfworld.lowering import LIGHT_TASK

MAX_STATES = 200_000

TREATMENT_OF_TASK: Mapping[str, str] = {
    "pick_clean_then_place_in_recep": "clean",
    "pick_heat_then_place_in_recep": "heat",
    "pick_cool_then_place_in_recep": "cool",
}
"""What must be done to the thing that a task is about, as the verb of the command that does it."""

Progress = TypeVar("Progress", bound=Hashable)


@attrs.frozen
class Plan:
    """Commands that lead to what was asked for, as an agent types them; none if it holds already."""

    commands: tuple[str, ...]
    explored: int


@attrs.frozen
class NotFound:
    """No plan: the reason, the number of states explored, and whether no plan of any length exists."""

    explored: int
    reason: str
    proven: bool


class StepMonitor(Protocol[Progress]):
    """Watches a trajectory step by step: a deterministic automaton over states and commands."""

    def start(self, state: State) -> Progress:
        """The progress before the first step."""
        ...

    def advance(self, progress: Progress, state: State, command: str) -> Progress:
        """The progress after a command that led to a state."""
        ...

    def accepted(self, progress: Progress) -> bool:
        """Whether what is watched for has happened."""
        ...


def solve(engine: Engine, limit: int = STEP_LIMIT, max_states: int = MAX_STATES) -> Plan | NotFound:
    """A shortest plan that wins from the engine's initial state within a number of steps."""
    if engine.won(engine.initial):
        return Plan((), 0)
    impossibility = next(_impossibilities(engine), None)
    if impossibility is not None:
        return NotFound(0, impossibility, proven=True)
    found = _PlanSearch(engine, limit, max_states).run()
    if isinstance(found, Plan):
        _check(engine, found.commands)
    return found


def search(
    engine: Engine,
    monitor: StepMonitor[Progress],
    limit: int = STEP_LIMIT,
    max_states: int = MAX_STATES,
    focus: frozenset[str] | None = None,
) -> Plan | NotFound:
    """A shortest trajectory from the engine's initial state that a monitor accepts.

    Nothing follows a step that wins, as it ends the episode. With a `focus`, only those commands are tried
    that name nothing but these ids and the receptacles that they start in; what is found is shortest then
    among trajectories of such commands.
    """
    return _TrajectorySearch(engine, monitor, limit, max_states, focus).run()


# Plans


@attrs.frozen
class _Node:
    """A state on the way, with the commands that led to it.

    `touched` are the locations that they led through; `fetched` says that what is held was fetched for the
    goal.
    """

    state: State
    commands: tuple[str, ...]
    touched: frozenset[str]
    fetched: bool


@attrs.frozen
class _PlanSearch:
    engine: Engine
    limit: int
    max_states: int

    def run(self) -> Plan | NotFound:
        start = self.engine.initial
        tie_breaks = itertools.count()
        root = _Node(start, (), frozenset({start.location}), fetched=False)
        queue = [(self._remaining(start), next(tie_breaks), root)]
        best = {self._key(root): 0}
        explored, cut = 0, False
        while queue:
            _, _, node = heapq.heappop(queue)
            if self.engine.won(node.state):
                return Plan(node.commands, explored)
            if len(node.commands) > best[self._key(node)]:
                continue
            if explored == self.max_states:
                return NotFound(explored, f"the search was stopped after {explored} states", proven=False)
            explored += 1
            for successor in self._successors(node):
                cost = len(successor.commands)
                estimate = cost + self._remaining(successor.state)
                if estimate > self.limit:
                    cut = True
                elif cost < best.get(self._key(successor), estimate + 1):
                    best[self._key(successor)] = cost
                    heapq.heappush(queue, (estimate, next(tie_breaks), successor))
        if cut:
            return NotFound(explored, f"no plan has at most {self.limit} steps", proven=False)
        return NotFound(explored, "no sequence of commands reaches the goal", proven=True)

    def _key(self, node: _Node) -> Hashable:
        return state_key(node.state), node.fetched

    def _remaining(self, state: State) -> int:
        """A lower bound on the steps that are left, counting neither journeys nor doors."""
        if self._in_two_places or self.engine.won(state):
            return 0
        held = state.holding
        holds_target = held is not None and held in self._targets
        empty_hand = 0 if held is None or holds_target else 1
        match self.engine.game.goal.task_type:
            case task if task == LIGHT_TASK:
                lit = self.engine.is_by_lit_lamp(state)
                return (0 if holds_target else 1 + empty_hand) + (0 if lit else 1)
            case task if task == TWO_TASK:
                most = max(self.engine.delivered(state).values(), default=0)
                return 2 * (2 - most) + empty_hand - holds_target
            case _ if holds_target and held is not None:
                return 1 if self.engine.wants(state, held) else 2
            case _:
                ready = any(self.engine.wants(state, thing) for thing in self._targets)
                return empty_hand + (2 if ready else 3)

    @functools.cached_property
    def _targets(self) -> Mapping[str, Thing]:
        """The things of the type that the goal is about, in the order of the engine's lists."""
        target = self.engine.game.goal.target
        return {name: thing for name, thing in self.engine.things.items() if thing.type == target}

    @functools.cached_property
    def _lamps(self) -> Mapping[str, Thing]:
        goal = self.engine.game.goal
        if goal.task_type != LIGHT_TASK:
            return {}
        return {
            name: thing
            for name, thing in self.engine.things.items()
            if thing.type == goal.destination and self.engine.is_lamp(name)
        }

    @functools.cached_property
    def _in_two_places(self) -> frozenset[str]:
        """The relevant things that start in several receptacles, or in one and in the hand."""
        start = self.engine.initial
        relevant = [thing for thing, _ in start.places if thing in self._targets or thing in self._lamps]
        if start.holding is not None:
            relevant.append(start.holding)
        return frozenset(thing for thing in relevant if relevant.count(thing) > 1)

    # Macros

    def _successors(self, node: _Node) -> Iterator[_Node]:
        if node.state.holding is None:
            yield from self._fetches(node)
        else:
            yield from self._treatments(node)
            yield from self._deliveries(node)
        yield from self._illuminations(node)

    def _fetches(self, node: _Node) -> Iterator[_Node]:
        seen = set()
        for name, receptacle in self._whereabouts(node.state, self._targets):
            thing = self._targets[name]
            kind = (self._kind(node, receptacle), self._thing_kind(node.state, thing))
            if thing.pickupable and kind not in seen:
                seen.add(kind)
                yield from self._macro(node, receptacle, "take {thing} from {place}", name, inside=True)

    def _treatments(self, node: _Node) -> Iterator[_Node]:
        verb = TREATMENT_OF_TASK.get(self.engine.game.goal.task_type)
        held = node.state.holding
        if verb is None or held is None or held not in self._targets or self.engine.wants(node.state, held):
            return
        for receptacle in self._choices(node):
            if TREATMENTS[verb].applies(self._targets[held], receptacle):
                yield from self._macro(node, receptacle, verb + " {thing} with {place}", held, inside=False)

    def _deliveries(self, node: _Node) -> Iterator[_Node]:
        held = node.state.holding
        if held is None or (node.fetched and self.engine.game.goal.task_type == LIGHT_TASK):
            return
        for receptacle in self._choices(node):
            wanted = self.engine.wants(node.state, held)
            useful = wanted and receptacle.type == self.engine.game.goal.destination
            if (useful or not node.fetched) and domain.fits(self.engine.things[held].type, receptacle.type):
                yield from self._macro(node, receptacle, "move {thing} to {place}", held, inside=True)

    def _illuminations(self, node: _Node) -> Iterator[_Node]:
        seen = set()
        for name, receptacle in self._whereabouts(node.state, self._lamps):
            kind = (self._kind(node, receptacle), self._thing_kind(node.state, self._lamps[name]))
            if kind not in seen:
                seen.add(kind)
                template = "" if name in node.state.toggled else "use {thing}"
                yield from self._macro(node, receptacle, template, name, inside=False)

    def _macro(
        self, node: _Node, receptacle: Receptacle, template: str, thing: str, *, inside: bool
    ) -> Iterator[_Node]:
        """The node after going to a receptacle, opening it if `inside` asks for it, and a last command."""
        place = self.engine.name_of(receptacle.id)
        commands = []
        if receptacle.location != node.state.location:
            commands.append(f"go to {place}")
        if inside and not is_accessible(node.state, receptacle):
            commands.append(f"open {place}")
        if template:
            commands.append(template.format(thing=self.engine.name_of(thing), place=place))
        state = node.state
        for count, command in enumerate(commands, start=1):
            following = self.engine.follow(state, command)
            if following is None:
                return
            state = following
            if self.engine.won(state):
                commands = commands[:count]
                break
        if commands:
            touched = node.touched | {receptacle.location}
            fetched = node.fetched or (node.state.holding is None and state.holding is not None)
            yield _Node(state, (*node.commands, *commands), touched, fetched and state.holding is not None)

    # Interchangeable receptacles

    def _whereabouts(self, state: State, things: Mapping[str, Thing]) -> list[tuple[str, Receptacle]]:
        """The receptacles that any of the things are in, sorted."""
        pairs = sorted((thing, place) for thing, place in state.places if thing in things)
        return [(thing, self.engine.receptacles[place]) for thing, place in pairs]

    def _choices(self, node: _Node) -> Iterator[Receptacle]:
        """One receptacle of every kind."""
        seen = set()
        for receptacle in self.engine.receptacles.values():
            kind = self._kind(node, receptacle)
            if kind not in seen:
                seen.add(kind)
                yield receptacle

    def _kind(self, node: _Node, receptacle: Receptacle) -> Hashable:
        """Equal for receptacles that are interchangeable: a touched one is so with none but itself."""
        return receptacle.id if receptacle.location in node.touched else self._initial_kinds[receptacle.id]

    @functools.cached_property
    def _initial_kinds(self) -> Mapping[str, Hashable]:
        state = self.engine.initial
        contents: dict[str, list[str]] = {}
        for thing, receptacle in self._whereabouts(state, {**self._targets, **self._lamps}):
            contents.setdefault(receptacle.id, []).append(
                repr(self._thing_kind(state, self.engine.things[thing]))
            )
        own = {
            place: (receptacle.type, is_accessible(state, receptacle), *sorted(contents.get(place, ())))
            for place, receptacle in self.engine.receptacles.items()
        }
        return {
            place: (own[place], self._neighbours(own, receptacle))
            for place, receptacle in self.engine.receptacles.items()
        }

    def _neighbours(self, kinds: Mapping[str, tuple[object, ...]], receptacle: Receptacle) -> Hashable:
        return tuple(
            sorted(
                repr(kinds[place])
                for place, other in self.engine.receptacles.items()
                if other.location == receptacle.location
            )
        )

    def _thing_kind(self, state: State, thing: Thing) -> Hashable:
        if thing.id in self._in_two_places:
            return thing.id
        wanted = self.engine.wants(state, thing.id)
        return thing.type, thing.pickupable, wanted, thing.id in state.toggled


def _impossibilities(engine: Engine) -> Iterator[str]:
    """Why a goal that does not hold yet cannot be reached, as far as types and numbers tell."""
    goal, scene = engine.game.goal, engine.household.scene
    targets = [name for name, thing in engine.things.items() if thing.type == goal.target]
    types = {receptacle.type for receptacle in engine.receptacles.values()}
    yield from _missing(engine, goal.target)
    if goal.task_type == LIGHT_TASK:
        if goal.destination not in domain.TOGGLEABLE:
            yield f"a {goal.destination} cannot be switched on"
        yield from _missing(engine, goal.destination)
        yield from _unreachable(engine, targets)
        return
    if goal.destination not in types:
        yield f"there is no {goal.destination} in {scene}"
    if goal.task_type == TWO_TASK and len(targets) < 2:
        yield f"there is only one {goal.target} in {scene}"
    verb = TREATMENT_OF_TASK.get(goal.task_type)
    if verb is not None and not any(engine.wants(engine.initial, name) for name in targets):
        treatment = TREATMENTS[verb]
        if goal.target not in treatment.types:
            yield f"there is no way to {verb} a {goal.target}"
        if treatment.appliance not in types:
            yield f"there is no {treatment.appliance} in {scene} to {verb} a {goal.target} with"
    if not _is_delivered(engine):
        if not domain.fits(goal.target, goal.destination):
            yield f"a {goal.target} does not fit in or on a {goal.destination}"
        yield from _unreachable(engine, targets)


def _missing(engine: Engine, kind: str) -> Iterator[str]:
    """That nothing of a type can be got at, for things of which one is needed where it is."""
    here = {thing.id for thing in engine.things.values() if thing.type == kind}
    if not here:
        yield f"there is no {kind} in {engine.household.scene}"
    elif not here & _within_reach(engine):
        yield f"the {kind} in {engine.household.scene} is in or on nothing, so that it is out of reach"


def _unreachable(engine: Engine, targets: list[str]) -> Iterator[str]:
    """That none of some things can ever be held."""
    if not any(engine.things[name].pickupable or name == engine.initial.holding for name in targets):
        yield f"a {engine.game.goal.target} cannot be picked up"


def _within_reach(engine: Engine) -> set[str | None]:
    return {engine.initial.holding, *(thing for thing, _ in engine.initial.places)}


def _is_delivered(engine: Engine) -> bool:
    """Whether a thing of the goal's type is where the goal wants it, treated or not."""
    return any(
        engine.things[thing].type == engine.game.goal.target
        and engine.receptacles[place].type == engine.game.goal.destination
        for thing, place in engine.initial.places
    )


def _check(engine: Engine, commands: tuple[str, ...]) -> None:
    """Replay a plan step by step.

    Raises:
        RuntimeError: it does not win with its last command: the search is wrong.
    """
    state = engine.initial
    for command in commands:
        following = (
            None if engine.won(state) and state is not engine.initial else engine.follow(state, command)
        )
        if following is None:
            raise RuntimeError(f"the plan {commands} breaks off before `{command}`")
        state = following
    if not engine.won(state):
        raise RuntimeError(f"the plan {commands} does not win")


# Trajectories


def state_key(state: State) -> Hashable:
    """What commands and goals depend on: all but what was taken from where, which only texts tell."""
    return (
        state.location,
        state.holding,
        state.places,
        state.opened,
        state.clean,
        state.hot,
        state.cool,
        state.toggled,
        state.sliced,
        state.lies,
    )


@attrs.frozen
class _Step:
    """A state on a trajectory, linked to the one before it."""

    state: State
    progress: Hashable
    command: str = ""
    before: _Step | None = None

    def commands(self) -> tuple[str, ...]:
        """The commands that led here."""
        backwards = []
        step: _Step | None = self
        while step is not None and step.before is not None:
            backwards.append(step.command)
            step = step.before
        return tuple(reversed(backwards))


@attrs.frozen
class _TrajectorySearch:
    engine: Engine
    monitor: StepMonitor[Any]
    limit: int
    max_states: int
    focus: frozenset[str] | None

    def run(self) -> Plan | NotFound:
        start = self.engine.initial
        root = _Step(start, self.monitor.start(start))
        if self.monitor.accepted(root.progress):
            return Plan((), 0)
        seen = {(state_key(start), root.progress)}
        frontier, explored = [root], 0
        for _ in range(self.limit):
            following = []
            for step in frontier:
                if explored == self.max_states:
                    return NotFound(explored, f"the search was stopped after {explored} states", proven=False)
                explored += 1
                for successor in self._successors(step):
                    if self.monitor.accepted(successor.progress):
                        return Plan(successor.commands(), explored)
                    key = (state_key(successor.state), successor.progress)
                    if key not in seen and not self.engine.won(successor.state):
                        seen.add(key)
                        following.append(successor)
            if not following:
                proven = self.focus is None
                return NotFound(explored, "no sequence of commands brings it about", proven)
            frontier = following
        return NotFound(explored, f"it cannot be brought about in {self.limit} steps", proven=False)

    def _successors(self, step: _Step) -> Iterator[_Step]:
        for command in self.engine.admissible(step.state):
            if not self._is_in_focus(command):
                continue
            state = self.engine.follow(step.state, command)
            assert state is not None
            progress = self.monitor.advance(step.progress, state, command)
            if state is not step.state or progress != step.progress:
                yield _Step(state, progress, command, step)

    def _is_in_focus(self, command: str) -> bool:
        return self._scope is None or self._scope.issuperset(self.engine.mentioned(command))

    @functools.cached_property
    def _scope(self) -> frozenset[str] | None:
        if self.focus is None:
            return None
        return self.focus | {place for thing, place in self.engine.initial.places if thing in self.focus}
