"""`verify --model` over HTTP: budgets, faults, interruptions, what is kept, and equal reports."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import attrs
import model_kills
import pytest
from click.testing import CliRunner, Result
from cold_bread import PROGRAM, SKILLS
from scripted import Answer, Fault, Received, Say, ScriptedServer, serve

from skillsandbox.envs.alfworld.environment import Alfworld
from skillsandbox.runtime.cli import NAME, app

CANARY = "Name a colour."
"""What the layer asks to find out what an endpoint keeps to."""

KILLED = 6
DONE, UNFINISHED, INTERRUPTED = 0, 3, 130
READ, WRITTEN = 1000, 50
"""Tokens that every request of the script takes."""


@attrs.frozen
class Whole:
    """A run that nothing disturbed, at a server that answers on; `sent` is how many requests it took."""

    server: ScriptedServer
    folder: Path
    result: Result
    sent: int

    @property
    def reports(self) -> dict[str, bytes]:
        return reports(self.folder / "run")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "skills.json").write_text(json.dumps(SKILLS[:1]))
    (folder / "bread.scn").write_text(PROGRAM)
    with pytest.MonkeyPatch.context() as patched, serve(meeting()) as server:
        patched.setattr(Alfworld, "step_limit", 8)
        result = verified(server, folder, folder / "run", folder / "cache")
        assert result.exit_code == DONE, result.output
        yield Whole(server, folder, result, len(server.completions))


@attrs.frozen
class Again:
    """The same run once more, in a folder and with a cache of its own."""

    whole: Whole
    folder: Path
    before: int

    def verify(self, *more: str, script: Callable[[Received], Answer] | None = None) -> Result:
        server, given = self.whole.server, self.whole.folder
        server.script = script or plays
        return verified(server, given, self.folder / "run", self.folder / "cache", *more)

    @property
    def sent(self) -> list[Received]:
        return self.whole.server.completions[self.before :]

    @property
    def reports(self) -> dict[str, bytes]:
        return reports(self.folder / "run")


@pytest.fixture
def again(whole: Whole, tmp_path: Path) -> Again:
    return Again(whole, tmp_path, len(whole.server.completions))


def verified(server: ScriptedServer, given: Path, run: Path, cache: Path, *more: str) -> Result:
    """Verify the given skill with the given program in a run's folder."""
    return verified_by(server, given, run, cache, "--programs", str(given / "bread.scn"), *more)


def verified_by(server: ScriptedServer, given: Path, run: Path, cache: Path, *more: str) -> Result:
    model = ["--model", "openai/scripted", "--api-base", server.url, "--model-cache", str(cache)]
    arguments = ["verify", str(given / "skills.json"), "-o", str(run), *model, *more]
    result = CliRunner().invoke(app, arguments, prog_name=NAME, catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def drawn(request: Received, number: int) -> int:
    """Return a number below another one that depends on the request and on nothing else."""
    text = json.dumps([request.body["messages"], request.body["seed"]])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % number


def wanted_of(request: Received) -> dict[str, object]:
    """Return the properties of the JSON object that is asked for."""
    schema = request.body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    return dict(schema.get("properties", {}))


def replied(request: Received) -> str:
    """Reply as a model that draws its actions, cites the skill if it has one, and takes all scenarios."""
    if request.prompt == CANARY:
        return '{"word": "tafelberg"}' if "response_format" in request.body else "blue"
    wanted = wanted_of(request)
    if "action" in wanted:
        commands = request.prompt.split("<admissible>\n")[1].split("\n</admissible>")[0].split("\n")
        rationale = "As ready says." if "<skill>" in request.prompt else ""
        return json.dumps({"rationale": rationale, "action": commands[drawn(request, len(commands))]})
    (answer,) = (name for name in wanted if name != "reason")
    holds = answer == "meets" or drawn(request, 2) == 0
    return json.dumps({"reason": f"It is {drawn(request, 10)}.", answer: holds})


def writes(request: Received) -> str:
    """Reply as a model that writes one program, has to repair it each time, and is told what is wrong."""
    if "response_format" not in request.body and request.prompt != CANARY:
        repaired = "SCN104" in request.prompt
        return f"```\n{PROGRAM if repaired else PROGRAM.replace('== Fridge', '== Frigde')}\n```"
    if wanted_of(request).keys() >= {"arises"}:
        return json.dumps({"reason": "It can be.", "arises": "rollout", "plan": "Some bread."})
    return replied(request)


def plays(request: Received) -> Answer:
    return Say(replied(request), prompt_tokens=READ, completion_tokens=WRITTEN)


def meeting() -> Callable[[Received], Answer]:
    """Play, but answer the first step only when another step is asked for at the same time."""
    steps, both = count(), threading.Barrier(2)

    def played(request: Received) -> Answer:
        if "action" in wanted_of(request) and next(steps) < 2:
            both.wait(timeout=60)
        return plays(request)

    return played


def reports(folder: Path) -> dict[str, bytes]:
    paths = [folder / name for name in ("report.html", "report.json")]
    return {path.name: path.read_bytes() for path in paths if path.exists()}


def test_a_model_plays_and_judges_and_the_report_says_which_and_what_it_took(whole: Whole) -> None:
    shown = json.loads(whole.reports["report.json"])
    assert shown["inputs"]["model"] == f"openai/scripted at {whole.server.url}"
    usage = shown["usage"]
    assert usage["executor"]["requests"] == sum(
        len(run["trajectory"]["steps"])
        for scenario in shown["skills"][0]["scenarios"]
        for run in (scenario["with_skill"], scenario["without_skill"])
    )
    assert usage["builder's judge"]["requests"] == 5
    assert usage["verifier's judge"]["requests"] > 0
    assert sum(one["requests"] for one in usage.values()) == whole.sent
    assert all(one["prompt_tokens"] == READ * one["requests"] for one in usage.values())
    assert f"executor: {usage['executor']['requests']} requests" in whole.result.stdout
    assert "at most about" in whole.result.stderr
    assert "R_by_rule" in shown["skills"][0]
    assert 1 < whole.server.most_at_once <= 8


def test_rules_alone_decide_if_they_are_asked_to(again: Again) -> None:
    assert again.verify("--rule-only").exit_code == DONE
    shown = json.loads(again.reports["report.json"])
    assert "verifier's judge" not in shown["usage"]
    assert "R_by_rule" not in shown["skills"][0]


def test_a_budget_that_runs_out_stops_the_run_and_a_larger_one_leads_to_the_same_report(again: Again) -> None:
    for budget in (5_000, 40_000, 70_000):
        result = again.verify("--budget-tokens", str(budget))
        assert result.exit_code == UNFINISHED, result.output
        assert f"of {budget:,} tokens" in result.stderr
        assert "the same command goes on" in result.stderr
        assert again.reports == {}
        assert len(again.sent) * (READ + WRITTEN) <= budget
    assert again.verify().exit_code == DONE
    assert again.reports == again.whole.reports
    assert len(again.sent) == again.whole.sent


def test_two_runs_from_one_cache_give_the_same_report_and_send_nothing(whole: Whole, tmp_path: Path) -> None:
    before = len(whole.server.completions)
    options = ["--replay", "--concurrency", "3"]
    result = verified(whole.server, whole.folder, tmp_path / "run", whole.folder / "cache", *options)
    assert result.exit_code == DONE, result.output
    assert len(whole.server.completions) == before
    assert reports(tmp_path / "run") == whole.reports


@pytest.mark.parametrize("number", [3, 40])
def test_an_endpoint_that_refuses_stops_the_run_and_the_same_command_goes_on(
    again: Again, number: int
) -> None:
    expired = Fault(401, "the key has expired")
    result = again.verify(script=counting(lambda nth, asked: expired if nth >= number else plays(asked)))
    assert result.exit_code == UNFINISHED
    assert "the key has expired" in result.stderr
    assert again.verify().exit_code == DONE
    assert again.reports == again.whole.reports
    # What was refused is asked again, and nothing else.
    assert len({json.dumps(one.body) for one in again.sent}) == again.whole.sent
    assert len(again.sent) < again.whole.sent + 2 * 8


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """A shell has what it starts in the background ignore interruptions; here they are heeded."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
def test_an_interrupted_run_has_open_requests_answered_and_goes_on_from_there(again: Again) -> None:
    def interrupted(nth: int, request: Received) -> Answer:
        if nth == 20:
            os.kill(os.getpid(), signal.SIGINT)
        return plays(request)

    result = again.verify(script=counting(interrupted))
    assert result.exit_code == INTERRUPTED, result.output
    assert "stopping once open requests are answered" in result.stderr
    assert "the same command goes on" in result.stderr
    assert again.verify().exit_code == DONE
    assert again.reports == again.whole.reports
    assert len(again.sent) == again.whole.sent


def test_runs_that_are_killed_at_random_lose_no_answer_and_give_the_same_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    model_kills.cut_short(monkeypatch.setattr)
    with serve(plays) as server:
        command = [sys.executable, model_kills.__file__, str(tmp_path), str(KILLED), server.url]
        subprocess.run(command, env=environment, check=True, timeout=300, stdout=subprocess.DEVNULL)
        for number in range(KILLED):
            model_kills.verify_in(tmp_path / str(number), server.url)
            assert reports(tmp_path / str(number) / "run") == reports(tmp_path / "whole" / "run")
        sent = Counter(json.dumps(one.body) for one in server.completions)
    # Each run asks for the same. What is open when a run is killed is asked again: eight requests at most.
    runs = KILLED + 2
    assert min(sent.values()) == runs
    assert sent.total() <= runs * len(sent) + 8 * KILLED


def test_what_a_model_wrote_is_kept_with_prompts_replies_and_repairs(whole: Whole, tmp_path: Path) -> None:
    whole.server.script = lambda request: Say(writes(request), prompt_tokens=READ, completion_tokens=WRITTEN)
    run = tmp_path / "run"
    result = verified_by(
        whole.server, whole.folder, run, tmp_path / "cache", "--environment", "alfworld", "--rule-only"
    )
    assert result.exit_code == DONE, result.output
    (skill,) = json.loads((run / "report.json").read_text())["skills"]
    assert len(skill["scenarios"]) == 5
    kept = json.loads((run / "proposals" / "1.json").read_text())
    assert kept["skill"] == "ready"
    built = [one for one in kept["proposals"] if one["digest"]]
    assert [one["digest"] for one in built] == [one["digest"] for one in skill["scenarios"]]
    for one in built:
        roles = [turn["role"] for turn in one["transcript"]]
        # The interpretation, the program, and its repair; each a prompt and a reply.
        assert roles == ["system", *["user", "assistant"] * 3]
        assert "Frigde" in one["transcript"][-3]["text"]
        assert "SCN104" in one["transcript"][-2]["text"]
        assert "Fridge" in one["text"]


def test_a_model_that_says_that_there_can_be_no_scenario_is_believed(whole: Whole, tmp_path: Path) -> None:
    no = json.dumps({"reason": "There are no dragons.", "arises": "unsupported", "plan": ""})
    whole.server.script = lambda request: Say(replied(request) if request.prompt == CANARY else no)
    run = tmp_path / "run"
    result = verified_by(
        whole.server, whole.folder, run, tmp_path / "cache", "--environment", "alfworld", "--rule-only"
    )
    assert result.exit_code == DONE, result.output
    assert "ready: There are no dragons." in result.stdout
    (proposal,) = json.loads((run / "proposals" / "1.json").read_text())["proposals"]
    assert proposal["transcript"][-1] == {"role": "assistant", "text": no}


def counting(script: Callable[[int, Received], Answer]) -> Callable[[Received], Answer]:
    """Return a script that is told the number of a request, from 1."""
    numbers, lock = count(1), threading.Lock()

    def counted(request: Received) -> Answer:
        with lock:
            number = next(numbers)
        return script(number, request)

    return counted
