"""The official engine, where a person asks for it, plays a scenario as the native one does."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import compile_source
from skillsandbox.compiler.environment import Frame
from skillsandbox.compiler.lowerer import lower, save
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.alfworld import environment as alfworld
from skillsandbox.runtime.cli import app

PROGRAM = """
scenario opened_before for alfworld {
  condition "The appliance has been opened already." arises in history
  let ?food: Object where ?food.type in [Apple, Tomato]
  let ?tool: Receptacle where ?tool.type == Fridge
  goal put cool ?food.type in CounterTop
  say "put a cool {?food.type} in countertop"
  build { remove every ?food.type except ?food  place ?food in ?tool }
  history { go to ?tool  open ?tool }
  require { inside: ?food in ?tool }
  encounter { opened: eventually agent opens ?tool }
}
"""


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    compiled = compile_source(Source("test", PROGRAM), {"alfworld": alfworld}, 0)
    assert compiled.diagnostics == ()
    return compiled.scenarios[0]


def frames(scenario: Scenario, engine: str) -> list[Frame]:
    environment = alfworld()
    episode = scenario.task(environment).episode(scenario.history, environment.step_limit, engine)
    try:
        return [episode.reset(), *map(episode.step, ("dance", *scenario.plan))]
    finally:
        episode.close()


def test_both_engines_show_the_same_after_a_history_to_the_end(scenario: Scenario) -> None:
    native, official = frames(scenario, "native"), frames(scenario, "official")
    assert native == official
    assert native[-1].won


@pytest.mark.parametrize("command", ["play", "run"])
def test_an_engine_that_there_is_not_is_refused_with_those_there_are(
    scenario: Scenario, tmp_path: Path, command: str
) -> None:
    folder = save(lower(scenario, alfworld()), tmp_path)
    result = CliRunner().invoke(app, [command, str(folder), "--engine", "warp"])
    assert result.exit_code == 2
    assert "native, official" in result.output
