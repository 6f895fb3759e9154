"""A native engine for ALFWorld's games: the official observations and commands, byte for byte.

States are values, and an engine holds nothing that changes, so that a search can keep as many as it likes.
What the official engine does that one would not expect, and that is kept (docs/alfworld-engine.md has all):

- Lists are sorted by escaped id (`_minus_` before `_plus_`); the numbers of names count down in that order.
- Looking around in the middle of the room shows nothing; only the first observation lists the receptacles.
- Looking around at a receptacle lists the things that lie there and were once taken from a receptacle there,
  once for each such receptacle; things that were never taken are not mentioned.
- A lamp works inside a closed drawer and never goes off; heating and cooling need no open door.
- A vessel is "normal", whatever was done to it; one that stands in itself is not seen there.
- A thing that starts in two receptacles stays in the second when it is taken from the first.
- Slicing asks where a thing lies, not whether it can be seen: a closed door is no hindrance.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Self

import attrs

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.episode import STEP_LIMIT, Frame, StepCounter
from skillsandbox.envs.alfworld.household import Game, Household, Receptacle, State, Thing, lying
from skillsandbox.envs.alfworld.lowering import LIGHT_TASK, escape

WELCOME = "-= Welcome to TextWorld, ALFRED! =-"

NOTHING_HAPPENS = "Nothing happens."
"""What the official engine answers to every command that is not admissible."""

TWO_TASK = "pick_two_obj_and_place"

ALWAYS_ADMISSIBLE = ("help", "inventory", "look")

Outcome = tuple[State, str]

_Effect = tuple[State, Callable[[], str]]
"""A state with its text still to be composed."""


@attrs.frozen
class Engine:
    """What stays the same in a game: names, orders and texts."""

    game: Game

    @functools.cached_property
    def initial(self) -> State:
        """The state that an episode starts in; as in the official engine, it has no past."""
        return attrs.evolve(self.game.configuration.state, taken=frozenset())

    def name_of(self, identifier: str) -> str:
        """The name by which the agent knows a thing or receptacle, such as `apple 1`.

        Raises:
            KeyError: the household has nothing of this id.
        """
        return self._names[identifier]

    def id_of(self, name: str) -> str:
        """The id of the thing or receptacle of a name.

        Raises:
            KeyError: the household has nothing of this name.
        """
        return self._ids[name]

    def observe_intro(self, state: State) -> str:
        """The first observation of an episode that starts in a state."""
        surroundings = self._surroundings(state) or (
            "You are in the middle of a room. Looking quickly around you, "
            f"you see {listed(f'a {self._names[identifier]}' for identifier in self.receptacles)}."
        )
        return f"{WELCOME}\n\n{surroundings}\n\nYour task is to: {self.game.instruction}."

    def admissible(self, state: State) -> tuple[str, ...]:
        """The commands that do something in a state, sorted as the official engine sorts them."""
        commands = {*ALWAYS_ADMISSIBLE, *self._journeys(state.location)}
        commands.update(self._commands_with_hands(state))
        for receptacle, things in self._contents_here(state).items():
            commands.update(self._commands_at(state, self.receptacles[receptacle], things))
        return tuple(sorted(commands))

    def apply(self, state: State, command: str) -> Outcome | None:
        """The state after a command and what the agent is told; None if the command is not admissible.

        Commands are exact (lower case, single spaces, no full stop) but for white space around them.
        """
        effect = self._effect(state, command)
        return None if effect is None else (effect[0], effect[1]())

    def follow(self, state: State, command: str) -> State | None:
        """The state after a command, without the text that `apply` composes."""
        effect = self._effect(state, command)
        return None if effect is None else effect[0]

    def mentioned(self, command: str) -> tuple[str, ...]:
        """The ids of the things and receptacles that a command names, in order."""
        _, _, rest = command.strip().partition(" ")
        names = re.split(" from | to | with ", rest.removeprefix("to "))
        return tuple(self._ids[name] for name in names if name in self._ids)

    def won(self, state: State) -> bool:
        """Whether the goal holds in a state."""
        goal = self.game.goal
        if goal.task_type == LIGHT_TASK:
            return self._holds_target(state) and self.is_by_lit_lamp(state)
        wanted = 2 if goal.task_type == TWO_TASK else 1
        return any(count >= wanted for count in self.delivered(state).values())

    def wants(self, state: State, thing: str) -> bool:
        """Whether a thing is of the type that the goal is about and has been treated as the goal says."""
        if self.things[thing].type != self.game.goal.target:
            return False
        match self.game.goal.task_type:
            case "pick_clean_then_place_in_recep":
                return thing in state.clean and self.game.goal.target in domain.CLEANABLE
            case "pick_heat_then_place_in_recep":
                return thing in state.hot and self.game.goal.target in domain.HEATABLE
            case "pick_cool_then_place_in_recep":
                return thing in state.cool and self.game.goal.target in domain.COOLABLE
            case _:
                return True

    def delivered(self, state: State) -> Counter[str]:
        """How many things that the goal wants are in each receptacle of the type that it wants them in."""
        destination = self.game.goal.destination
        return Counter(
            place
            for thing, place in state.places
            if self.receptacles[place].type == destination and self.wants(state, thing)
        )

    def is_by_lit_lamp(self, state: State) -> bool:
        """Whether the agent stands where a lamp of the goal's type has been switched on."""
        return any(
            self.things[thing].type == self.game.goal.destination and self.is_lamp(thing)
            for things in self._contents_here(state).values()
            for thing in things
            if thing in state.toggled
        )

    def is_lamp(self, thing: str) -> bool:
        """Whether a thing can be switched on."""
        return self.things[thing].type in domain.TOGGLEABLE

    # Tables

    @property
    def household(self) -> Household:
        """What the game is played in."""
        return self.game.configuration.household

    @functools.cached_property
    def things(self) -> Mapping[str, Thing]:
        """The things by id."""
        return {thing.id: thing for thing in self.household.things}

    @functools.cached_property
    def receptacles(self) -> Mapping[str, Receptacle]:
        """The receptacles by id, in the order of the official engine's lists."""
        ordered = sorted(self.household.receptacles, key=lambda receptacle: sort_key(receptacle.id))
        return {receptacle.id: receptacle for receptacle in ordered}

    @functools.cached_property
    def _names(self) -> Mapping[str, str]:
        return display_names((*self.receptacles, *self.things))

    @functools.cached_property
    def _ids(self) -> Mapping[str, str]:
        return {name: identifier for identifier, name in self._names.items()}

    @functools.cached_property
    def _rank(self) -> Mapping[str, int]:
        return {identifier: rank for rank, identifier in enumerate(sorted(self._names, key=sort_key))}

    @functools.cached_property
    def _standing(self) -> Mapping[str, tuple[str, ...]]:
        """The receptacles of every location where there are any."""
        table: dict[str, tuple[str, ...]] = {}
        for receptacle in self.receptacles.values():
            table[receptacle.location] = (*table.get(receptacle.location, ()), receptacle.id)
        return table

    def _journeys(self, location: str) -> Iterator[str]:
        return (
            f"go to {self._names[receptacle.id]}"
            for receptacle in self.receptacles.values()
            if receptacle.location != location
        )

    # What is where

    def _contents_here(self, state: State) -> dict[str, list[str]]:
        """The receptacles at the agent's location, each with the things in it, in no order."""
        contents: dict[str, list[str]] = {place: [] for place in self._standing.get(state.location, ())}
        for thing, place in state.places:
            if place in contents:
                contents[place].append(thing)
        return contents

    def _in_order(self, things: Iterable[str]) -> list[str]:
        return sorted(things, key=self._rank.__getitem__)

    def _articles(self, things: Iterable[str]) -> Iterator[str]:
        return (f"a {self._names[thing]}" for thing in things)

    def _holds_target(self, state: State) -> bool:
        return state.holding is not None and self.things[state.holding].type == self.game.goal.target

    # Commands

    def _commands_with_hands(self, state: State) -> Iterator[str]:
        if state.holding is None:
            return
        held = self._names[state.holding]
        yield f"examine {held}"
        if self.things[state.holding].type in domain.KNIVES:
            for thing, location in lying(self.household, state):
                if location == state.location and self.things[thing].type in domain.SLICEABLE:
                    yield f"slice {self._names[thing]} with {held}"

    def _commands_at(self, state: State, receptacle: Receptacle, things: list[str]) -> Iterator[str]:
        name = self._names[receptacle.id]
        yield f"examine {name}"
        if receptacle.openable:
            yield f"close {name}" if receptacle.id in state.opened else f"open {name}"
        yield from (f"use {self._names[thing]}" for thing in things if self.is_lamp(thing))
        if state.holding is not None:
            yield from self._commands_with_held(state, self.things[state.holding], receptacle)
        elif is_accessible(state, receptacle):
            for thing in things:
                if self.things[thing].pickupable:
                    yield f"take {self._names[thing]} from {name}"

    def _commands_with_held(self, state: State, held: Thing, receptacle: Receptacle) -> Iterator[str]:
        thing, place = self._names[held.id], self._names[receptacle.id]
        if is_accessible(state, receptacle) and domain.fits(held.type, receptacle.type):
            yield f"move {thing} to {place}"
        for verb, treatment in TREATMENTS.items():
            if treatment.applies(held, receptacle):
                yield f"{verb} {thing} with {place}"

    # Actions

    def _go(self, state: State, rest: str) -> _Effect | None:
        receptacle = self._receptacle(rest.removeprefix("to ")) if rest.startswith("to ") else None
        if receptacle is None or receptacle.location == state.location:
            return None
        arrived = attrs.evolve(state, location=receptacle.location)
        return (
            arrived,
            lambda: f"You arrive at {self._names[receptacle.id]}. {self._view(arrived, receptacle)}",
        )

    def _open(self, state: State, rest: str) -> _Effect | None:
        receptacle = self._receptacle_here(state, rest)
        if receptacle is None or not receptacle.openable or receptacle.id in state.opened:
            return None
        opened = attrs.evolve(state, opened=state.opened | {receptacle.id})
        return opened, lambda: f"You open the {rest}. {self._view(opened, receptacle)}"

    def _close(self, state: State, rest: str) -> _Effect | None:
        receptacle = self._receptacle_here(state, rest)
        if receptacle is None or not receptacle.openable or receptacle.id not in state.opened:
            return None
        closed = attrs.evolve(state, opened=state.opened - {receptacle.id})
        return closed, lambda: f"You close the {rest}."

    def _take(self, state: State, rest: str) -> _Effect | None:
        thing, receptacle = self._operands(state, rest, " from ")
        if thing is None or receptacle is None or state.holding is not None:
            return None
        pair = (thing.id, receptacle.id)
        if pair not in state.places or not thing.pickupable or not is_accessible(state, receptacle):
            return None
        taken = attrs.evolve(
            state,
            holding=thing.id,
            places=state.places - {pair},
            taken=state.taken | {pair},
            lies=self._lies_after_taking(state, thing, receptacle),
        )
        return (
            taken,
            lambda: f"You pick up the {self._names[thing.id]} from the {self._names[receptacle.id]}.",
        )

    def _move(self, state: State, rest: str) -> _Effect | None:
        thing, receptacle = self._operands(state, rest, " to ")
        if thing is None or receptacle is None or state.holding != thing.id:
            return None
        if not is_accessible(state, receptacle) or not domain.fits(thing.type, receptacle.type):
            return None
        pair = (thing.id, receptacle.id)
        places = state.places | {pair}
        lies = None if state.lies is None else state.lies | {(thing.id, state.location)}
        moved = attrs.evolve(
            state,
            holding=None,
            places=places,
            taken=state.taken - {pair},
            lies=self._canonical(places, lies),
        )
        return moved, lambda: f"You move the {self._names[thing.id]} to the {self._names[receptacle.id]}."

    def _treat(self, state: State, rest: str, verb: str) -> _Effect | None:
        thing, receptacle = self._operands(state, rest, " with ")
        if thing is None or receptacle is None or state.holding != thing.id:
            return None
        treatment = TREATMENTS[verb]
        if not treatment.applies(thing, receptacle):
            return None
        treated = treatment.effect(state, thing.id)
        names = self._names[thing.id], self._names[receptacle.id]
        return treated, lambda: f"You {verb} the {names[0]} using the {names[1]}."

    def _use(self, state: State, rest: str) -> _Effect | None:
        thing = self._thing(rest)
        if thing is None or thing.type not in domain.TOGGLEABLE:
            return None
        if not any(thing.id in things for things in self._contents_here(state).values()):
            return None
        lit = attrs.evolve(state, toggled=state.toggled | {thing.id})
        return lit, lambda: f"You turn on the {rest}."

    def _slice(self, state: State, rest: str) -> _Effect | None:
        first, _, second = rest.partition(" with ")
        thing, knife = self._thing(first), self._thing(second)
        if thing is None or knife is None or state.holding != knife.id or knife.type not in domain.KNIVES:
            return None
        if thing.type not in domain.SLICEABLE:
            return None
        if (thing.id, state.location) not in lying(self.household, state):
            return None
        sliced = attrs.evolve(state, sliced=state.sliced | {thing.id})
        return sliced, lambda: f"You sliced the {first} with the {second}."

    def _examine(self, state: State, rest: str) -> _Effect | None:
        receptacle = self._receptacle_here(state, rest)
        if receptacle is not None:
            return state, lambda: self._view(state, receptacle)
        thing = self._thing(rest)
        if thing is not None and thing.id == state.holding:
            return state, lambda: self._inspection(state, thing)
        return None

    def _look(self, state: State, rest: str) -> _Effect | None:
        if rest:
            return None
        nothing = "You are in the middle of a room. Looking quickly around you, you see nothing."
        return state, lambda: self._surroundings(state) or nothing

    def _inventory(self, state: State, rest: str) -> _Effect | None:
        if rest:
            return None
        if state.holding is None:
            return state, lambda: "You are not carrying anything."
        held = self._names[state.holding]
        return state, lambda: f"You are carrying: a {held}."

    def _help(self, state: State, rest: str) -> _Effect | None:
        return None if rest else (state, help_text)

    def _effect(self, state: State, command: str) -> _Effect | None:
        verb, _, rest = command.strip().partition(" ")
        action = _ACTIONS.get(verb)
        return None if action is None else action(self, state, rest)

    # Operands

    def _thing(self, name: str) -> Thing | None:
        return self.things.get(self._ids.get(name, ""))

    def _receptacle(self, name: str) -> Receptacle | None:
        return self.receptacles.get(self._ids.get(name, ""))

    def _receptacle_here(self, state: State, name: str) -> Receptacle | None:
        receptacle = self._receptacle(name)
        return receptacle if receptacle is not None and receptacle.location == state.location else None

    def _operands(self, state: State, rest: str, word: str) -> tuple[Thing | None, Receptacle | None]:
        first, _, second = rest.partition(word)
        return self._thing(first), self._receptacle_here(state, second)

    # Where things lie

    def _lies_after_taking(
        self, state: State, thing: Thing, receptacle: Receptacle
    ) -> frozenset[tuple[str, str]] | None:
        places = state.places - {(thing.id, receptacle.id)}
        if state.lies is None and not any(other == thing.id for other, _ in places):
            return None
        return self._canonical(places, lying(self.household, state) - {(thing.id, state.location)})

    def _canonical(
        self, places: frozenset[tuple[str, str]], lies: frozenset[tuple[str, str]] | None
    ) -> frozenset[tuple[str, str]] | None:
        """None for things that lie where their receptacles stand, so that equal states compare equal."""
        usual = lies is None or lies == {(thing, self.receptacles[place].location) for thing, place in places}
        return None if usual else lies

    # Texts

    def _surroundings(self, state: State) -> str:
        """What the agent sees around it at receptacles; empty where there are none."""
        here = self._standing.get(state.location, ())
        if not here:
            return ""
        facing = listed(self._names[receptacle] for receptacle in here)
        return f"You are facing the {facing}. Next to it, you see {listed(self._lying_about(state, here))}."

    def _lying_about(self, state: State, here: tuple[str, ...]) -> Iterator[str]:
        if not state.taken:
            return
        things = {thing for thing, location in lying(self.household, state) if location == state.location}
        for thing in self._in_order(things):
            for receptacle in here:
                if (thing, receptacle) in state.taken:
                    yield f"a {self._names[thing]}"

    def _view(self, state: State, receptacle: Receptacle) -> str:
        name = self._names[receptacle.id]
        if not is_accessible(state, receptacle):
            return f"The {name} is closed."
        things = self._in_order(thing for thing, place in state.places if place == receptacle.id)
        seen = listed(self._articles(things))
        if receptacle.openable:
            return f"The {name} is open. In it, you see {seen}."
        return f"On the {name}, you see {seen}."

    def _inspection(self, state: State, thing: Thing) -> str:
        name = self._names[thing.id]
        if thing.type in domain.VESSELS:
            held = (inner for inner, outer in self.household.nested if outer == thing.id)
            inside = self._in_order(inner for inner in held if inner != thing.id)
            return f"This is a normal {name}. In it, you see {listed(self._articles(inside))}."
        if condition := _condition(state, thing.id):
            return f"This is a {condition} {name}."
        if self.is_lamp(thing.id) and thing.id in state.toggled:
            return f"This {name} is on."
        if thing.type in domain.SLICEABLE and thing.id in state.sliced:
            return f"This is a sliced {name}."
        return f"There's nothing special about {name}."


@attrs.frozen
class Treatment:
    """Something done to a held thing at an appliance."""

    appliance: str
    types: frozenset[str]
    effect: Callable[[State, str], State]

    def applies(self, thing: Thing, receptacle: Receptacle) -> bool:
        """Whether a thing can be treated so at a receptacle."""
        return receptacle.type == self.appliance and thing.type in self.types


def _heated(state: State, thing: str) -> State:
    return attrs.evolve(state, hot=state.hot | {thing}, cool=state.cool - {thing})


def _cooled(state: State, thing: str) -> State:
    return attrs.evolve(state, cool=state.cool | {thing}, hot=state.hot - {thing})


def _cleaned(state: State, thing: str) -> State:
    return attrs.evolve(state, clean=state.clean | {thing})


TREATMENTS: Mapping[str, Treatment] = {
    "heat": Treatment(domain.HEATER, domain.HEATABLE, _heated),
    "cool": Treatment(domain.COOLER, domain.COOLABLE, _cooled),
    "clean": Treatment(domain.CLEANER, domain.CLEANABLE, _cleaned),
}

_ACTIONS: Mapping[str, Callable[[Engine, State, str], _Effect | None]] = {
    "go": Engine._go,
    "open": Engine._open,
    "close": Engine._close,
    "take": Engine._take,
    "move": Engine._move,
    "use": Engine._use,
    "slice": Engine._slice,
    "examine": Engine._examine,
    "look": Engine._look,
    "inventory": Engine._inventory,
    "help": Engine._help,
    **{verb: functools.partial(Engine._treat, verb=verb) for verb in TREATMENTS},
}


def sort_key(identifier: str) -> str:
    """What the official engine sorts ids by."""
    return escape(identifier).lower()


def display_names(identifiers: Iterable[str]) -> dict[str, str]:
    """The names of ids, numbered as the official `Demangler` does.

    Along the sorted ids, the first of a kind has the highest number.
    """
    ordered = sorted(identifiers, key=sort_key)
    remaining = Counter(map(_kind, ordered))
    names = {}
    for identifier in ordered:
        kind = _kind(identifier)
        names[identifier] = f"{kind} {remaining[kind]}"
        remaining[kind] -= 1
    return names


def listed(items: Iterable[str]) -> str:
    """Items in the words of the official grammar: `a, b, and c`, `a, and b`, or `nothing`."""
    *others, last = tuple(items) or ("nothing",)
    return f"{', '.join(others)}, and {last}" if others else last


def is_accessible(state: State, receptacle: Receptacle) -> bool:
    """Whether things can be put into a receptacle and taken out."""
    return not receptacle.openable or receptacle.id in state.opened


@functools.cache
def help_text() -> str:
    """What the official engine answers to `help`, from the grammar of the installed `alfworld`."""
    grammar = (domain.package_folder() / "data" / "alfred.twl2").read_text(encoding="utf-8")
    _, _, action = grammar.partition("action help {")
    _, rules, _ = action.split('"""', 2)
    # The grammar's parser takes white space at the start of a rule for a comment.
    return str(json.loads(rules)["help.feedback"][0]["rhs"]).lstrip()


def _kind(identifier: str) -> str:
    kind = identifier.partition("|")[0].lower()
    return f"{kind}basin" if "basin" in identifier.lower() else kind


def _condition(state: State, thing: str) -> str:
    """What was done to a thing, in the words of the official grammar."""
    hot, cool = thing in state.hot, thing in state.cool
    clean, sliced = thing in state.clean, thing in state.sliced
    match (clean, hot, cool):
        case (True, True, _):
            condition = "hot and clean"
        case (True, _, True):
            condition = "cool and clean"
        case (True, _, _):
            condition = "clean"
        case (_, True, _):
            condition = "hot"
        case (_, _, True):
            condition = "cool" if sliced else "cold"
        case _:
            return ""
    return f"{condition} sliced" if sliced else condition


class NativeEpisode:
    """A game played by the native engine, within the caller's process."""

    def __init__(self, game: Game, *, step_limit: int = STEP_LIMIT) -> None:
        self._engine = Engine(game)
        self._counter = StepCounter(step_limit)
        self._state = self._engine.initial

    def reset(self) -> Frame:
        """Start over, and show what an agent sees first."""
        state = self._engine.initial
        self._counter.restart()
        self._state = state
        return self._frame(self._engine.observe_intro(state), state, done=False, reward=0.0)

    def step(self, command: str) -> Frame:
        """Do what a command says, if it is admissible; otherwise nothing happens.

        Raises:
            EpisodeError: the episode has not been reset, or is over.
        """
        self._counter.take()
        state, observation = self._engine.apply(self._state, command) or (self._state, NOTHING_HAPPENS)
        self._state = state
        won = self._engine.won(state)
        return self._frame(observation, state, done=self._counter.is_over(won), reward=float(won))

    def close(self) -> None:
        """Nothing is held that needs freeing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _frame(self, observation: str, state: State, *, done: bool, reward: float) -> Frame:
        won, admissible = self._engine.won(state), self._engine.admissible(state)
        return Frame(observation, admissible, won, done, reward, state)
