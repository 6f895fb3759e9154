"""A game as a task: run, solve, search, replay in the official engine, write out, play."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Hashable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn, Self

import attrs

from skillsandbox.compiler.environment import Exchange, Frame, Monitor, Refused, Run
from skillsandbox.compiler.files import write_whole
from skillsandbox.compiler.values import Entity, Value
from skillsandbox.envs.alfworld import episode, lowering
from skillsandbox.envs.alfworld.engine import NOTHING_HAPPENS, Engine, NativeEpisode
from skillsandbox.envs.alfworld.household import Game, State
from skillsandbox.envs.alfworld.moment import Act, HouseholdMoment
from skillsandbox.envs.alfworld.solver import NotFound, search, solve

_EVENTS = {
    "open": "opens",
    "close": "closes",
    "take": "takes",
    "move": "puts",
    "heat": "heats",
    "cool": "cools",
    "clean": "cleans",
    "use": "uses",
    "slice": "slices",
    "examine": "examines",
}
_PREPOSITIONS = (" from ", " to ", " with ")
_REFUSED = Act("nothing_happens")
FOCUSED_STATES = 2_000
"""How many states a search for an encounter visits with the entities of the program alone."""
SEARCHED_STATES = 300
"""How many states it then visits with everything in the household, before it gives up."""


@attrs.define(frozen=True, slots=False)
class HouseholdTask:
    """A game of ALFWorld."""

    game: Game

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self.game)

    def goal_holds(self) -> bool:
        """Say whether the goal is true in the starting configuration."""
        return self._engine.won(self._engine.initial)

    def run(self, commands: Sequence[str]) -> Run:
        """Execute commands from the starting configuration."""
        state = self._engine.initial
        moments, won, refused = [self._moment(state)], [self._engine.won(state)], []
        for index, command in enumerate(commands):
            outcome = self._engine.apply(state, command)
            if outcome is None:
                refused.append(index)
            else:
                state = outcome[0]
            moments.append(self._moment(state, _REFUSED if outcome is None else self.act(command)))
            won.append(self._engine.won(state))
        return Run(tuple(moments), tuple(won), tuple(refused))

    def _moment(self, state: State, act: Act = Act()) -> HouseholdMoment:  # noqa: B008 - it is frozen
        return HouseholdMoment(attrs.evolve(self.game.configuration, state=state), act)

    def act(self, command: str) -> Act:
        """Return an admissible command as an event."""
        verb, _, rest = command.strip().partition(" ")
        for preposition in _PREPOSITIONS:
            rest = rest.partition(preposition)[0]
        return Act(_EVENTS[verb], self._engine.id_of(rest)) if verb in _EVENTS else Act()

    def solve(self, history: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return a shortest plan after the history; raise `Refused` with the reason where there is none."""
        found = solve(self._after(history), limit)
        if isinstance(found, NotFound):
            raise Refused(found.reason)
        return found.commands

    def _after(self, history: Sequence[str]) -> Engine:
        """Return the engine of the same game, started in the state that the history leads to."""
        if not history:
            return self._engine
        state = self._engine.initial
        for command in history:
            outcome = self._engine.apply(state, command)
            state = state if outcome is None else outcome[0]
        configuration = attrs.evolve(self.game.configuration, state=state)
        return Engine(attrs.evolve(self.game, configuration=configuration))

    def reach(
        self, history: Sequence[str], monitor: Monitor, limit: int, focus: Collection[Value]
    ) -> tuple[str, ...]:
        """Return commands after the history that the monitor accepts; raise `Refused` where
        none were found.
        """
        run = self.run(history)
        reached = monitor.start(run.moments[0])
        for moment in run.moments[1:]:
            reached = monitor.advance(reached, moment)
        engine, watch = self._after(history), _Watch(self, monitor, reached)
        found = search(engine, watch, limit, FOCUSED_STATES, _keys(focus))
        if isinstance(found, NotFound):
            found = search(engine, watch, limit, SEARCHED_STATES)
        if isinstance(found, NotFound):
            raise Refused(found.reason)
        return found.commands

    def replay(self, commands: Sequence[str]) -> None:
        """Play commands in the official engine; raise `Refused` unless each acts and the task is won."""
        try:
            with _OfficialGame(self.game, step_limit=len(commands) + 1) as official:
                _replay(official, commands)
        except episode.EpisodeError as error:
            raise Refused(str(error)) from error

    def files(self, plan: Sequence[str]) -> Mapping[str, str]:
        """Return the files of the official format, in the official folder layout."""
        folder = f"{lowering.folder_name(self.game)}/{lowering.trial_name(self.game)}"
        return {f"{folder}/{name}": text for name, text in lowering.lower(self.game, tuple(plan)).items()}

    def export(self, history: Sequence[str], plan: Sequence[str], folder: Path) -> tuple[()]:
        """Write the task's files, which are official."""
        for path, text in self.files(plan).items():
            write_whole(folder / path, text)
        return ()

    def site(self) -> NoReturn:
        """Refuse: a household has no web site."""
        raise Refused("ALFWorld is played in text and has no web site; use `skillsandbox play`")

    def episode(self, history: Sequence[str], step_limit: int, engine: str | None = None) -> HouseholdEpisode:
        """Return a fresh episode, in the native engine unless the official one is named."""
        limit = step_limit + len(history)
        inner = (
            _OfficialGame(self.game, limit)
            if engine == episode.OFFICIAL
            else NativeEpisode(self.game, step_limit=limit)
        )
        return HouseholdEpisode(inner, tuple(history))


@attrs.define(slots=False)
class _OfficialGame:
    """A game in the official engine, which reads it from a file that lasts as long as the episode."""

    game: Game
    step_limit: int
    _resources: ExitStack = attrs.field(factory=ExitStack, init=False)

    @cached_property
    def _episode(self) -> episode.Episode:
        from skillsandbox.envs.alfworld.official import OfficialEpisode

        folder = Path(self._resources.enter_context(tempfile.TemporaryDirectory(prefix="skillsandbox-")))
        lowering.write(folder, lowering.lower(self.game, ()))
        official = OfficialEpisode(folder / "game.tw-pddl", step_limit=self.step_limit)
        return self._resources.enter_context(official)

    def reset(self) -> episode.Frame:
        return self._episode.reset()

    def step(self, command: str) -> episode.Frame:
        return self._episode.step(command)

    def close(self) -> None:
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()


def _replay(official: episode.Episode, commands: Sequence[str]) -> None:
    frame = official.reset()
    for command in commands:
        frame = official.step(command)
        if frame.observation == NOTHING_HAPPENS:
            raise Refused(f"nothing happens on `{command}`")
    if not frame.won:
        raise Refused("the plan ends and the task is not won")


def _keys(focus: Collection[Value]) -> frozenset[str]:
    return frozenset(entity.key for entity in focus if isinstance(entity, Entity))


@attrs.frozen
class _Watch:
    """A monitor over moments as a monitor over the engine's states, for the solver."""

    task: HouseholdTask
    monitor: Monitor
    reached: Hashable

    def start(self, state: State) -> Hashable:
        return self.reached

    def advance(self, reached: Hashable, state: State, command: str) -> Hashable:
        return self.monitor.advance(reached, self.task._moment(state, self.task.act(command)))

    def accepted(self, reached: Any) -> bool:
        return self.monitor.accepts(reached)


@attrs.define
class HouseholdEpisode:
    """An episode whose history has been executed before the agent's first step."""

    _inner: episode.Episode
    _commands: tuple[str, ...]
    history: tuple[Exchange, ...] = ()

    def reset(self) -> Frame:
        """Start afresh, execute the history, and return the first frame."""
        frame = self._inner.reset()
        exchanges = []
        for command in self._commands:
            exchanges.append(Exchange(frame.observation, command))
            frame = self._inner.step(command)
        self.history = tuple(exchanges)
        return _frame(frame)

    def step(self, command: str) -> Frame:
        """Execute one command; one that is not admissible costs a step too."""
        return _frame(self._inner.step(command))

    def close(self) -> None:
        """Free what the episode holds."""
        self._inner.close()


def _frame(frame: episode.Frame) -> Frame:
    return Frame(frame.observation, frame.admissible, frame.won, frame.done, frame.reward)
