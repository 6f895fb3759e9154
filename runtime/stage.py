"""Where scenarios are compiled and played: all that verification needs of compiler and environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from skillsandbox.compiler.environment import Agent, Episode, Guidance
from skillsandbox.runtime.skills import Source


@attrs.frozen
class Turn:
    """One turn of the conversation in which a model wrote a program: who speaks, and what."""

    role: str
    text: str


@attrs.frozen
class Candidate:
    """A proposed scenario: the program's name and text, and the seed that chooses among its bindings.

    `transcript` is the conversation that led to it, where a model wrote it.
    """

    name: str
    text: str
    seed: int
    transcript: tuple[Turn, ...] = attrs.field(default=(), repr=False)


@attrs.frozen
class Refusal:
    """Why a candidate is no valid scenario: at least one complaint, each with its code, in one line."""

    complaints: tuple[str, ...]


@attrs.frozen
class Encounter:
    """Whether a run satisfied a condition check of its scenario."""

    label: str
    satisfied: bool


@attrs.frozen
class BuiltScenario:
    """A valid scenario as a record: wording, the hash that tells scenarios apart, canonical program.

    `history` holds the actions before the first step. `place` is where the stage that built it finds it
    again, in terms that hold when the run's folder is moved.
    """

    instruction: str
    digest: str
    program: str
    history: tuple[str, ...]
    place: str


class Executor(Protocol):
    """Who plays, if not the environment's built-in agent; may be asked by several threads at once."""

    @property
    def identity(self) -> str:
        """Return what determines how it plays besides skill, seed and situation."""

    def agent(self, guidance: Guidance | None, seed: int) -> Agent:
        """Return an agent for one episode, with a skill or without."""


class Stage(Protocol):
    """An environment with its compiler, executor and data, all of a fixed version; several threads use it."""

    @property
    def identity(self) -> Mapping[str, str]:
        """What determines results besides skills and programs, such as the version of the data."""

    @property
    def step_limit(self) -> int:
        """How many actions a run may take."""

    def compile(
        self, candidate: Candidate, siblings: Sequence[BuiltScenario], source: Source | None = None
    ) -> BuiltScenario | Refusal:
        """Build a candidate's scenario so that it differs from its siblings and from where the skill was
        learned.
        """

    def episode(self, scenario: BuiltScenario) -> Episode:
        """Return a fresh episode."""

    def agent(self, guidance: Guidance | None, seed: int) -> Agent:
        """Return the executor, with a skill or without."""

    def encounters(self, scenario: BuiltScenario, commands: Sequence[str]) -> tuple[Encounter, ...]:
        """Evaluate a scenario's condition checks on a run's commands."""
