"""The one protocol through which an environment plugs into the compiler and the runtime.

An environment registers itself under the entry point group `skillsandbox.environments`; nothing outside its
own folder names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from skillsandbox.compiler.interface import Interface
from skillsandbox.compiler.values import Binding, Entity, GroundCall, Value

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication


class Refused(Exception):  # noqa: N818 - it is an answer, not an error of the program
    """An environment cannot do what a program asks; the text says why, in the words of the
    program's author.
    """


class Unavailable(Exception):  # noqa: N818 - it says what is the case on this machine
    """What an environment needs cannot be had on this machine; the text says what, and what to do."""


class TooCostly(Exception):  # noqa: N818 - it is an answer, not an error of the program
    """A store gives up on a query that would take longer than anybody waits."""


class Store(Protocol):
    """An environment's data: tables that the binder queries, and the SQL function `fold` of `values.fold`."""

    @property
    def data_version(self) -> str:
        """A hash of the content: the same version gives the same answers."""

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that answer an SQL query with `?` parameters; `TooCostly` gives up on it."""


class Moment(Protocol):
    """A configuration at one instant of a run, with the action that led to it (none at the start)."""

    def field(self, entity: Entity, name: str) -> Value:
        """Return the value of an entity's field."""

    def call(self, symbol: str, arguments: tuple[Value, ...]) -> Value:
        """Return the value of a function, or whether a relation or event holds."""


class Monitor(Protocol):
    """A deterministic automaton over moments, for searches: states are hashable."""

    def start(self, moment: Moment) -> Hashable:
        """Return the state after the first moment."""

    def advance(self, state: Any, moment: Moment) -> Hashable:
        """Return the state after one more moment."""

    def accepts(self, state: Any) -> bool:
        """Say whether a run that ends here is accepted."""


@attrs.frozen
class Run:
    """What came of a sequence of commands: the moment before the first and after each, and whether each was
    won.

    A command that is not admissible changes nothing; the indices of those are in `refused`.
    """

    moments: tuple[Moment, ...]
    won: tuple[bool, ...]
    refused: tuple[int, ...]


@attrs.frozen
class Family:
    """Commands that hold a text of the agent's own: how they are shown, and a pattern of the whole command.

    The pattern keeps to what Python, RE2 and JSON Schema understand alike.
    """

    form: str
    pattern: str


@attrs.frozen
class Frame:
    """What an agent is shown at a step: the observation, the admissible commands in order, and where the
    episode stands.

    `done` is True when the task is won or the step limit is reached; `won` only in the first case. The
    commands of `families` are admissible too; each family's form stands in the list for all of them.
    """

    observation: str
    admissible: tuple[str, ...]
    won: bool
    done: bool
    reward: float
    families: tuple[Family, ...] = ()

    def admits(self, command: str) -> bool:
        """Say whether a command is admissible; a form is no command unless its pattern makes it one."""
        if any(re.fullmatch(family.pattern, command) for family in self.families):
            return True
        return command in self.admissible and all(command != family.form for family in self.families)


@attrs.frozen
class Exchange:
    """An observation and the action that was taken on it."""

    observation: str
    action: str


class Episode(Protocol):
    """One play of a task. `history` holds what was executed before the agent's first step."""

    @property
    def history(self) -> tuple[Exchange, ...]:
        """What happened before the first step; known after `reset`."""

    def reset(self) -> Frame:
        """Start afresh, execute the history, and return the first frame."""

    def step(self, command: str) -> Frame:
        """Execute one command; one that is not admissible costs a step too."""

    def close(self) -> None:
        """Free what the episode holds."""


@attrs.frozen
class Guidance:
    """A skill as an agent sees it."""

    id: str
    condition: str
    principle: str


@attrs.frozen
class Situation:
    """All that an agent may look at when it decides: what it sees now, what it may do (as in `Frame`), and
    what went before.
    """

    observation: str
    admissible: tuple[str, ...]
    past: tuple[Exchange, ...]
    families: tuple[Family, ...] = ()


@attrs.frozen
class Decision:
    """An agent's action, and why; a rationale that contains a skill's id marks the step as
    using that skill.

    `raw` is what the agent wrote, where that is not the action itself; `faults` says of each reply of a
    model that could not be read what was wrong with it.
    """

    rationale: str
    action: str
    raw: str | None = None
    faults: tuple[str, ...] = ()


class Agent(Protocol):
    """A policy: decides from the situation alone, so that a run can be continued or repeated."""

    def decide(self, situation: Situation) -> Decision:
        """Return the next action."""


class Task(Protocol):
    """A configuration with a goal and a wording: what an environment can play, solve and write out."""

    def goal_holds(self) -> bool:
        """Say whether the goal is true in the starting configuration."""

    def run(self, commands: Sequence[str]) -> Run:
        """Execute commands from the starting configuration."""

    def solve(self, history: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return a shortest plan after the history; raise `Refused` with the reason where there is none."""

    def reach(
        self, history: Sequence[str], monitor: Monitor, limit: int, focus: Collection[Value]
    ) -> tuple[str, ...]:
        """Return commands after the history that the monitor accepts; raise `Refused` where none were found.

        The search looks first at what can be done with the entities and texts in focus alone.
        """

    def replay(self, commands: Sequence[str]) -> None:
        """Execute commands in the benchmark's official engine; raise `Refused` unless all act and the task is
        won.
        """

    def files(self, plan: Sequence[str]) -> Mapping[str, str]:
        """Return the files of the benchmark's official format: relative path to text."""

    def episode(self, history: Sequence[str], step_limit: int, engine: str | None = None) -> Episode:
        """Return a fresh episode in one of the environment's engines, the first of them if none is named."""

    def export(self, history: Sequence[str], plan: Sequence[str], folder: Path) -> Sequence[str]:
        """Write into a folder what the benchmark's own code plays; return what is otherwise there than here.

        Raises `Refused` where that code cannot play the task.
        """

    def site(self) -> WSGIApplication:
        """Return the task as a web site for people; raise `Refused` where the environment has none."""


@attrs.frozen
class SourceTask:
    """What is known of the task that a skill was learned from: for each type the values that occur in it."""

    values: Mapping[str, frozenset[str]]


class Split(StrEnum):
    """Which of a benchmark's own tasks: those that nothing is learned on, or those that skills come from."""

    HELD_OUT = "heldout"
    SOURCE = "source"


@attrs.frozen
class PosedTask:
    """One of a benchmark's own tasks, by a name that tells it from the others of its split.

    `values` is what scenarios for a skill that was learned on the task have to differ from.
    """

    name: str
    instruction: str
    task: Task
    values: SourceTask


class TaskSet(Protocol):
    """The tasks of a split in a fixed order, each read or made when it is asked for."""

    @property
    def description(self) -> str:
        """Where the tasks come from and how many there are, for a person to read."""

    @property
    def version(self) -> str:
        """A hash of what determines the tasks: the same version holds the same ones."""

    def __len__(self) -> int:
        """Return the number of tasks."""

    def __getitem__(self, number: int) -> PosedTask:
        """Return a task by its number from 0; raise `Unavailable` where it cannot be had any more."""


class Environment(Protocol):
    """An environment: its language, its data, and its way from a bound program to a task."""

    @property
    def name(self) -> str:
        """The name after `for` in a program."""

    @property
    def step_limit(self) -> int:
        """How many actions an episode may take."""

    @property
    def memory(self) -> int:
        """How many of its last exchanges an agent that forgets is reminded of."""

    @property
    def engines(self) -> tuple[str, ...]:
        """What can play a task, the default first."""

    def grammar(self) -> str:
        """Return the text of the environment's own grammar."""

    def interface(self) -> Interface:
        """Return the construction interface."""

    def open_store(self) -> Store:
        """Open the data store."""

    def with_base(self, store: Store, base: GroundCall) -> tuple[Store, str]:
        """Return a store in which the base is one more context, and that context; raise `Refused` if it can't
        be had.
        """

    def start(self, store: Store, binding: Binding) -> Any:
        """Return the configuration that the operations start from."""

    def apply(self, configuration: Any, operation: GroundCall, random: Random) -> Any:
        """Return the configuration after an operation; raise `Refused` where the environment forbids it."""

    def moment(self, configuration: Any) -> Moment:
        """Return a configuration as the first moment of a run."""

    def command(self, configuration: Any, action: GroundCall) -> str:
        """Return an action as the agent would type it."""

    def wording_fault(self, instruction: str) -> str | None:
        """Return what in a task's wording the environment cannot carry, None where it carries all of it."""

    def task(self, configuration: Any, goal: GroundCall, instruction: str) -> Task:
        """Return the task; raise `Refused` where the environment cannot pose it."""

    def wording(self, value: Value) -> str:
        """Return how a value is spoken of in a task's wording."""

    def difference(self, base: Any, configuration: Any) -> str:
        """Return what the operations changed, in a canonical form that a person can read."""

    def dump(self, configuration: Any) -> Any:
        """Return a configuration as JSON data."""

    def load(self, data: Any) -> Any:
        """Return the configuration that `dump` wrote; raise `Refused` where it has not, or where it cannot be
        had any more.
        """

    def folder_fault(self, folder: Path) -> str | None:
        """Return why the benchmark's own code would not find scenarios under a folder, None
        where it would.
        """

    def source_task(self, path: Path) -> SourceTask:
        """Read the task that a skill was learned from; raise `Refused` where the file does
        not describe one.
        """

    def tasks(self, split: Split) -> TaskSet:
        """Return the benchmark's own tasks of a split, of which no two splits share one; raise `Unavailable`
        where there are none.
        """

    def agent(self, guidance: Guidance | None, seed: int) -> Agent:
        """Return the built-in agent that needs no model."""


def environments() -> dict[str, Callable[[], Environment]]:
    """Return the installed environments by name, each still to be loaded; an import that
    fails is not hidden.
    """
    points = sorted(entry_points(group="skillsandbox.environments"), key=lambda point: point.name)
    return {point.name: partial(_load, point) for point in points}


def _load(point: EntryPoint) -> Environment:
    environment: Environment = point.load()()
    return environment
