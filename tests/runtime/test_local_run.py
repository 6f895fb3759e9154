"""The whole chain with a real language model, small and on this machine: from a skill to its verdict.

The model is too small to do tasks, and its words differ from machine to machine: what is tested holds
whatever it says. Runs are cut short, so that they take seconds.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.environment import environments
from skillsandbox.compiler.parser import parse
from skillsandbox.grammar.export import export
from skillsandbox.grammar.export.bounds import Bounds
from skillsandbox.runtime import builder, judges, writing
from skillsandbox.runtime.cli import NAME, app
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.scoring import Judgement
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario

BATHROOM = """
scenario soap_in_sight for alfworld {
  condition "The task needs a soap bar, in a bathroom." arises in rollout
  let ?soap: Object where ?soap.type == SoapBar
  let ?start: Receptacle where ?start.type == CounterTop
  let ?end: Receptacle where ?end.type == Toilet
  goal put ?soap.type in ?end.type
  say "put a {?soap.type} in {?end.type}"
  build {
    place ?soap on ?start
  }
  encounter {
    toilet_reached: eventually agent at ?end
  }
  novel in scene
}
"""
"""A bathroom has little in it, so that prompts are short."""

PROGRAMS = {
    "alfworld": BATHROOM,
    "webshop": (Path(__file__).parents[2] / "specs" / "webshop" / "nothing_is_changed.scn").read_text(),
}
CITED = "the"
"""A skill's id that hardly any rationale lacks, so that there are steps to judge."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(builder, "SCENARIOS", 1)
    monkeypatch.setattr(builder, "CANDIDATES", 1)
    monkeypatch.setattr(writing, "REPAIRS", 0)
    monkeypatch.setattr(InstalledStage, "step_limit", 1)


def verify(cache: Path, condition: str, *more: str) -> Any:
    """Verify a skill of a condition; return the report."""
    skill = {"id": CITED, "condition": condition, "principle": "Do the first thing that can be done."}
    Path("skills.json").write_text(json.dumps([skill]))
    model = ["--model", "local", "--model-cache", str(cache)]
    arguments = ["verify", "skills.json", "-o", "run", *model, *more]
    result = CliRunner().invoke(app, arguments, prog_name=NAME, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(Path("run/report.json").read_text())


def test_a_model_proposes_by_the_grammar_and_what_it_finishes_parses(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A program in which the least is repeated ends soon.
    monkeypatch.setattr(writing, "export", partial(export, bounds=Bounds(text=40, name=12, items=1, depth=2)))
    report = verify(cache, "The task needs a fridge and some bread.", "--environment", "alfworld")
    assert report["usage"]["proposer"]["requests"] >= 1
    (skill,) = report["skills"]
    assert skill["verdict"] in ("keep", "reject", "too few scenarios", "no program matches")
    (kept,) = json.loads(Path("run/proposals/1.json").read_text())["proposals"]
    replies = [turn["text"] for turn in kept["transcript"] if turn["role"] == "assistant"]
    interpretation = json.loads(replies[0])
    assert set(interpretation) == {"reason", "arises", "plan"}
    for program in replies[1:]:
        if program.rstrip().endswith("}"):
            assert parse(Source("program", program), environments()).diagnostics == ()


@pytest.mark.parametrize("name", ["alfworld", "webshop"])
def test_a_model_plays_in_both_arms_and_judges_and_there_is_a_verdict(
    name: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[Judgement] = []
    ask = judges.ModelScenarioJudge.meets

    def take(judge: judges.ModelScenarioJudge, skill: Skill, scenario: BuiltScenario) -> Judgement:
        answers.append(ask(judge, skill, scenario))
        return attrs.evolve(answers[0], holds=True)

    # Whatever the judge says, the scenario is played.
    monkeypatch.setattr(judges.ModelScenarioJudge, "meets", take)
    condition = PROGRAMS[name].split('condition "')[1].split('"')[0]
    Path("program.scn").write_text(PROGRAMS[name])
    report = verify(cache, condition, "--environment", name, "--programs", "program.scn")
    (skill,) = report["skills"]
    assert skill["verdict"] in ("keep", "reject")
    (pair,) = skill["scenarios"]
    steps = [step for run in ("with_skill", "without_skill") for step in pair[run]["trajectory"]["steps"]]
    assert len(steps) == 2
    # A reply by the schema of what is admissible is admissible, unless it was cut off.
    assert all(step["admissible"] or step["faults"] for step in steps)
    usage = {role: taken["requests"] for role, taken in report["usage"].items()}
    assert usage["executor"] == sum(1 + len(step["faults"]) for step in steps)
    assert usage["builder's judge"] == 1 + len(answers[0].faults)
    judged = [kept["judgement"] for kept in pair["kept"] if "judgement" in kept]
    assert usage.get("verifier's judge", 0) == sum(1 + len(one["faults"]) for one in judged)
