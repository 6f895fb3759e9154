"""What playing an ALFWorld game looks like from outside, whichever engine runs it."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

import attrs

from skillsandbox.compiler.environment import Unavailable
from skillsandbox.envs.alfworld.household import State

NATIVE, OFFICIAL = ENGINES = ("native", "official")
"""What can play a game: our own engine, and the benchmark's, which is slow and asked only if named."""

STEP_LIMIT = 30
"""Steps after which an episode is over, counting commands that do nothing."""


class EpisodeError(Unavailable):
    """An episode cannot go on; the message says why in the words of the engine where it had any."""


@attrs.frozen
class Frame:
    """What an agent is shown after a reset or a step.

    `admissible` are the commands that do something, in the official order. `reward` is a level: 1 on every
    step while the goal holds, 0 after a reset. `done` is won or the step limit; a reset is never done, even
    where the goal holds from the start.
    """

    observation: str
    admissible: tuple[str, ...]
    won: bool
    done: bool
    reward: float
    state: State | None


class Episode(Protocol):
    """A game being played, one agent at a time."""

    def reset(self) -> Frame:
        """Start over, and show what an agent sees first."""
        ...

    def step(self, command: str) -> Frame:
        """Do what a command says, if it is admissible; otherwise nothing happens.

        Raises:
            EpisodeError: the episode has not been reset, or is over.
        """
        ...

    def close(self) -> None:
        """Free what the episode holds; it cannot be played any more."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


@attrs.define
class StepCounter:
    """Counts the steps of an episode against its limit."""

    limit: int = attrs.field(validator=attrs.validators.ge(1))
    _left: int | None = None

    def restart(self) -> None:
        """Begin a new episode."""
        self._left = self.limit

    def take(self) -> None:
        """Count a step.

        Raises:
            EpisodeError: the episode has not begun or is over.
        """
        if self._left is None:
            raise EpisodeError("the episode has not begun: reset it first")
        if self._left == 0:
            raise EpisodeError("the episode is over: reset it to play again")
        self._left -= 1

    def is_over(self, won: bool) -> bool:
        """Whether the step just counted was the last, which it is when it won."""
        if won:
            self._left = 0
        return self._left == 0
