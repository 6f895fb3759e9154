"""`solve` and `distill` as a user meets them: with the built-in agents, and with a model over HTTP."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from scripted import Answer, Fault, Received, Say, ScriptedServer

from skillsandbox.runtime.cli import NAME, app
from skillsandbox.runtime.skills import load_skills

DONE, FAULTY, MISUSED, UNFINISHED = 0, 1, 2, 3
DOORS = {
    "id": "doors",
    "condition": "The object is not in sight.",
    "principle": "Search closed containers first.",
}
LESSON = {
    "analysis": "The door was opened.",
    "reusable": True,
    "title": "Doors",
    "condition": "The object is hidden.",
    "principle": "Open what is closed.",
}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    monkeypatch.delenv("WEBSHOP_DATA", raising=False)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, list(arguments), prog_name=NAME, catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def write(name: str, *entries: object) -> str:
    Path(name).write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    return name


def with_model(server: ScriptedServer, *more: str) -> list[str]:
    return ["--model", "openai/scripted", "--api-base", server.url, "--model-cache", "cache", *more]


def report(result: Result) -> Any:
    assert result.exit_code == DONE, result.output
    return json.loads(result.stdout)


# With the built-in agents


def test_the_household_agent_plays_with_and_without_a_library() -> None:
    arguments = ["solve", "--environment", "alfworld", "--tasks", "4", "--library", write("l.jsonl", DOORS)]
    shown = report(run(*arguments, "--json"))
    assert shown["played"] == 4
    assert [one["given"][0]["id"] for one in shown["results"]] == ["doors"] * 4
    assert shown["inputs"]["top"] == "1"
    assert shown["skills"][0]["given"] == 4
    (folder,) = Path("solved").iterdir()
    first = (folder / "report.json").read_bytes()
    again = run(*arguments)
    assert (folder / "report.json").read_bytes() == first
    assert "4 tasks" in again.stdout
    assert "Recovery" in again.stdout
    assert f"{folder}/report.json: all figures" in again.stdout


def test_the_shopper_plays_without_a_library_and_has_a_score() -> None:
    shown = report(run("solve", "--environment", "webshop", "--tasks", "2", "--split", "source", "--json"))
    assert shown["with_library"] is None
    assert shown["library"] is None
    assert [one["task"] for one in shown["results"]] == ["goal-1500", "goal-1501"]
    assert 0 <= shown["without"]["score"]["value"] <= 100


def test_verdicts_are_compared_with_what_the_skills_did() -> None:
    verdict = {"verdict": "keep", "R": 0.1, "rescored": {}, "scenarios": [], "exercised": 5}
    judged = {**DOORS, "verdict": {**verdict, "inputs": {}, "seed": 0, "gamma": 0.95}}
    library = write("l.jsonl", judged)
    arguments = ["solve", "--environment", "alfworld", "--tasks", "2", "--library", library]
    assert report(run(*arguments, "--json"))["verdicts"]["judged"] == 1
    assert "Keep against helpful" in run(*arguments).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [
        (["solve"], MISUSED, "Missing option '--environment'"),
        (["solve", "--environment", "alfword"], MISUSED, "choose one of: alfworld, webshop"),
        (["solve", "--environment", "alfworld", "--tasks", "141"], MISUSED, "there are only 140 tasks"),
        (["solve", "--environment", "alfworld", "--tasks", "0"], MISUSED, "--tasks"),
        (["solve", "--environment", "alfworld", "--split", "train"], MISUSED, "'heldout', 'source'"),
        (["solve", "--environment", "alfworld", "--engine", "x"], MISUSED, "no engine 'x'"),
        (["solve", "--environment", "alfworld", "--library", "absent"], MISUSED, "does not exist"),
        (
            ["solve", "--environment", "alfworld", "--library", "broken"],
            FAULTY,
            "line 2: this line is not JSON",
        ),
        (["distill", "--environment", "alfworld"], MISUSED, "there is no stand-in for it"),
        (["distill", "--environment", "alfworld", "--model", "x", "--prefix", "a b"], MISUSED, "white space"),
    ],
)
def test_misuse_is_answered_with_what_to_do(arguments: list[str], code: int, what: str) -> None:
    Path("broken").write_text(f"{json.dumps(DOORS)}\n{{oops\n")
    result = run(*arguments)
    assert result.exit_code == code
    assert what in result.stderr.replace("\n", " ")


def test_a_folder_of_another_run_is_refused() -> None:
    assert run("solve", "--environment", "alfworld", "--tasks", "1", "-o", "run").exit_code == DONE
    result = run("solve", "--environment", "alfworld", "--tasks", "1", "-o", "run", "--seed", "1")
    assert result.exit_code == FAULTY
    assert "seed was 0, now 1" in result.stderr


# With a model


def looking(request: Received) -> Answer:
    """Play every task by looking around, and cite what was given; distil the same lesson from every run."""
    if "# Outcome" in request.prompt:
        return Say(json.dumps(LESSON))
    cited = ", ".join(re.findall(r"^id: (\S+)$", request.prompt, re.MULTILINE))
    return Say(json.dumps({"rationale": f"Looking ({cited}).", "action": "look"}))


def test_a_model_plays_at_temperature_0_with_all_skills_that_are_retrieved(server: ScriptedServer) -> None:
    server.script = looking
    library = write("l.jsonl", *({**DOORS, "id": f"s{number}"} for number in range(4)))
    arguments = ["--tasks", "1", "--library", library, "--top", "3", "--json"]
    shown = report(run("solve", "--environment", "alfworld", *with_model(server), *arguments))
    assert [one["id"] for one in shown["results"][0]["given"]] == ["s0", "s1", "s2"]
    assert [one["cited"] for one in shown["skills"]] == [1, 1, 1, 0]
    assert shown["results"][0]["with_library"]["cited"] == 30
    asked = [
        one for one in server.completions if "You act in a text environment" in str(one.body["messages"][0])
    ]
    assert {one.body["temperature"] for one in asked} == {0.0}


def test_a_run_that_a_fault_ended_is_continued_and_says_the_same(server: ScriptedServer) -> None:
    calls = 0

    def failing(request: Received) -> Answer:
        nonlocal calls
        calls += 1
        return Fault(401, "wrong key") if calls > 40 else looking(request)

    arguments = ["solve", "--environment", "alfworld", "--tasks", "3"]
    server.script = failing
    failed = run(*arguments, *with_model(server), "--concurrency", "1")
    assert failed.exit_code == UNFINISHED
    assert "wrong key" in failed.stderr
    assert "the same command goes on from there" in failed.stderr
    server.script = looking
    resumed = run(*arguments, *with_model(server), "--json")
    sent = len(server.completions)
    assert report(resumed)["played"] == 3
    other = run(*arguments, *with_model(server), "--json", "-o", "other")
    assert other.stdout == resumed.stdout
    assert len(server.completions) == sent


def test_a_budget_that_is_spent_stops_the_run_and_a_larger_one_continues_it(server: ScriptedServer) -> None:
    server.script = looking
    arguments = ["solve", "--environment", "alfworld", "--tasks", "2"]
    stopped = run(*arguments, *with_model(server), "--budget-tokens", "4000")
    assert stopped.exit_code == UNFINISHED
    assert "budget" in stopped.stderr
    assert report(run(*arguments, *with_model(server), "--budget-tokens", "4000000", "--json"))["played"] == 2


def test_skills_are_distilled_with_where_they_come_from(server: ScriptedServer) -> None:
    server.script = looking
    arguments = [
        "distill",
        "--environment",
        "alfworld",
        "--tasks",
        "2",
        "-o",
        "skills.jsonl",
        "--prefix",
        "d/",
    ]
    result = run(*arguments, *with_model(server))
    assert result.exit_code == DONE, result.output
    assert "2 skills from 2 tasks, of which 0 were solved" in result.stdout
    one, other = load_skills(Path("skills.jsonl"))
    assert one.id == "d/pick_clean_then_place_in_recep-Apple-None-SinkBasin-6" != other.id
    assert (one.title, one.condition, one.principle) == ("Doors", LESSON["condition"], LESSON["principle"])
    assert one.source is not None
    assert one.source.task == one.id.removeprefix("d/")
    assert one.source.values["Scene"] == ("FloorPlan6",)
    assert one.source.summary.startswith("not solved in 30 actions: look; look")
    assert "openai/scripted" in one.source.model
    sent = len(server.completions)
    before = Path("skills.jsonl").read_bytes()
    assert run(*arguments, *with_model(server)).exit_code == DONE
    assert Path("skills.jsonl").read_bytes() == before
    assert len(server.completions) == sent


def test_the_built_in_agent_can_play_what_the_model_learns_from(server: ScriptedServer) -> None:
    server.script = looking
    result = run("distill", "--environment", "webshop", "--tasks", "2", "--built-in", *with_model(server))
    assert result.exit_code == DONE, result.output
    lessons = [one for one in server.completions if "# Outcome" in one.prompt]
    assert len(lessons) == 2
    (folder,) = Path("distilled").iterdir()
    assert [one.source.task for one in load_skills(folder / "skills.jsonl") if one.source] == [
        "goal-1500",
        "goal-1501",
    ]


def test_a_run_that_teaches_nothing_gives_no_skill(server: ScriptedServer) -> None:
    nothing = {**LESSON, "reusable": False, "condition": "", "principle": ""}
    server.script = lambda request: Say(json.dumps(nothing))
    result = run("distill", "--environment", "alfworld", "--tasks", "1", "--built-in", *with_model(server))
    assert "no skill: The door was opened." in result.stdout
    assert "0 skills from 1 task" in result.stdout
    assert result.exit_code == DONE
