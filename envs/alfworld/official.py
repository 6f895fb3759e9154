"""An episode in the official engine: TextWorld's `PddlEnv`, named as `AlfredTWEnv` names things.

The engine keeps state in global variables (parsers, the options of the PDDL translator, `sys.argv`), ends
the process on some errors and can run on for minutes. So each episode has a process of its own, asked over a
pipe and killed when an answer takes too long.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from skillsandbox.envs.alfworld.episode import STEP_LIMIT, EpisodeError, Frame, StepCounter
from skillsandbox.envs.alfworld.household import State
from skillsandbox.envs.alfworld.lowering import unescape

_WORKER = """
import json, sys
sys.path[:] = json.loads(sys.argv[2])
from skillsandbox.envs.alfworld.official import serve
serve(int(sys.argv[1]))
"""

Facts = dict[str, list[tuple[str, ...]]]


class OfficialEpisode:
    """A game file played by the official engine in a process of its own.

    `timeout` bounds every reset and step, in seconds of wall-clock time.
    """

    def __init__(
        self, game_file: Path | str, *, step_limit: int = STEP_LIMIT, timeout: float = 300.0
    ) -> None:
        self._game_file = Path(game_file).resolve()
        self._timeout = timeout
        self._counter = StepCounter(step_limit)
        self._resources = contextlib.ExitStack()
        self._connection, self._process, self._log = self._start()

    def reset(self) -> Frame:
        """Start over, and show what an agent sees first.

        Raises:
            EpisodeError: the engine cannot load the game, crashed, or took too long.
        """
        answer = self._ask({"do": "reset", "game": str(self._game_file)})
        self._counter.restart()
        return _frame(answer, done=False, reward=0.0)

    def step(self, command: str) -> Frame:
        """Do what a command says, if it is admissible; otherwise nothing happens.

        Raises:
            EpisodeError: the episode is not under way, or the engine crashed or took too long.
        """
        self._counter.take()
        answer = self._ask({"do": "step", "command": command})
        won = bool(answer["won"])
        return _frame(answer, done=self._counter.is_over(won), reward=float(won))

    def plan(self) -> tuple[str, ...]:
        """The commands by which the official planner would win from here; empty if it finds none.

        Raises:
            EpisodeError: the engine crashed or took too long.
        """
        return tuple(self._ask({"do": "plan"})["plan"])

    def close(self) -> None:
        """End the process."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _start(self) -> tuple[Connection, subprocess.Popen[bytes], Path]:
        folder = Path(self._resources.enter_context(tempfile.TemporaryDirectory(prefix="alfworld-")))
        log = folder / "log"
        ours, theirs = Pipe()
        self._resources.callback(ours.close)
        with theirs, log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-c", _WORKER, str(theirs.fileno()), json.dumps(sys.path)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=[theirs.fileno()],
                # Importing alfworld makes this folder, by default in the user's home.
                env={"ALFWORLD_DATA": str(folder), **os.environ},
            )
        self._resources.callback(_end, process)
        return ours, process, log

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            self._connection.send_bytes(json.dumps(request).encode())
            if not self._connection.poll(self._timeout):
                _end(self._process)
                raise EpisodeError(
                    f"the official engine took more than {self._timeout:g} s to {request['do']} "
                    f"{self._game_file} and was stopped"
                )
            answer: dict[str, Any] = json.loads(self._connection.recv_bytes())
        except (EOFError, OSError) as error:
            raise self._crash() from error
        if "error" in answer:
            raise EpisodeError(f"the official engine cannot play {self._game_file}: {answer['error']}")
        return answer

    def _crash(self) -> EpisodeError:
        if self._connection.closed:
            return EpisodeError("the episode is closed")
        _end(self._process)
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        said = "\n".join(lines[-20:]) or "without a word"
        return EpisodeError(
            f"the official engine ended (exit status {self._process.returncode}) "
            f"while playing {self._game_file}: {said}"
        )


def serve(descriptor: int) -> None:
    """Answer the requests that come over a pipe until it is closed: the worker's main function."""
    with Connection(descriptor) as connection:
        engine = _Engine()
        while True:
            try:
                request = json.loads(connection.recv_bytes())
            except EOFError:
                return
            connection.send_bytes(json.dumps(_answer(engine, request)).encode())


class _Engine:
    """The official environment for one game file at a time, set up as `AlfredTWEnv.init_env` does."""

    def __init__(self) -> None:
        import textworld
        from alfworld.agents.environment.alfred_tw_env import AlfredDemangler
        from textworld.envs import PddlEnv

        infos = textworld.EnvInfos(won=True, admissible_commands=True)
        self._env = AlfredDemangler(PddlEnv(infos), shuffle=False)
        self._game: str | None = None
        self._names: dict[str, str] = {}

    def reset(self, game: str) -> dict[str, Any]:
        if game != self._game:
            self._env.load(game)
            problem = json.loads(Path(game).read_text(encoding="utf-8"))["pddl_problem"]
            self._names = {name.lower(): unescape(name) for name in re.findall(r"[^\s()]+", problem)}
            self._game = game
        return self._describe(self._env.reset())

    def step(self, command: str) -> dict[str, Any]:
        state, _, _ = self._env.step(command)
        return self._describe(state)

    def plan(self) -> list[str]:
        engine = self._env.unwrapped
        return list(engine._pddl_state.replan(engine._entity_infos))

    def _describe(self, state: Any) -> dict[str, Any]:
        facts: Facts = {}
        for fact in state["_facts"]:
            names = tuple(self._names.get(argument.name, argument.name) for argument in fact.arguments)
            facts.setdefault(fact.name, []).append(names)
        return {
            "observation": state["feedback"],
            "admissible": state["admissible_commands"],
            "won": state["won"],
            "facts": {name: sorted(arguments) for name, arguments in facts.items() if name in FLUENTS},
        }


FLUENTS = frozenset(
    {
        "atlocation",
        "holds",
        "inreceptacle",
        "iscool",
        "isclean",
        "ishot",
        "issliced",
        "istoggled",
        "not_inreceptacle",
        "objectatlocation",
        "opened",
        "receptacleatlocation",
    }
)
"""The predicates that make up a state, and those that its locations are checked against."""


def _answer(engine: _Engine, request: dict[str, Any]) -> dict[str, Any]:
    # The engine raises whatever its parsers raise, and SystemExit; the other side must hear of all of it.
    try:
        match request["do"]:
            case "reset":
                return engine.reset(request["game"])
            case "step":
                return engine.step(request["command"])
            case _:
                return {"plan": engine.plan()}
    except (Exception, SystemExit) as error:
        return {"error": _explanation(error)}


def _explanation(error: BaseException) -> str:
    # For a goal that no object can satisfy, the translator writes a task with one variable of such values.
    if isinstance(error, KeyError) and re.fullmatch(r"val\d+", str(error.args[0])):
        return "nothing in it can satisfy its goal"
    return f"{type(error).__name__}: {error}"


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _frame(answer: dict[str, Any], *, done: bool, reward: float) -> Frame:
    return Frame(
        observation=answer["observation"],
        admissible=tuple(answer["admissible"]),
        won=bool(answer["won"]),
        done=done,
        reward=reward,
        state=_state({name: [tuple(names) for names in facts] for name, facts in answer["facts"].items()}),
    )


def _state(facts: Facts) -> State:
    [(_, location)] = facts["atlocation"]
    places = frozenset(_pairs(facts.get("inreceptacle", [])))
    lies = frozenset(_pairs(facts.get("objectatlocation", [])))
    standing = dict(_pairs(facts["receptacleatlocation"]))
    return State(
        location=location,
        places=places,
        holding=next((thing for _, thing in facts.get("holds", [])), None),
        opened=_ids(facts.get("opened", [])),
        clean=_ids(facts.get("isclean", [])),
        hot=_ids(facts.get("ishot", [])),
        cool=_ids(facts.get("iscool", [])),
        toggled=_ids(facts.get("istoggled", [])),
        sliced=_ids(facts.get("issliced", [])),
        lies=None if lies == {(thing, standing[place]) for thing, place in places} else lies,
        taken=frozenset(_pairs(facts.get("not_inreceptacle", []))),
    )


def _pairs(facts: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    return ((first, second) for first, second in facts)


def _ids(facts: Iterable[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(identifier for (identifier,) in facts)
