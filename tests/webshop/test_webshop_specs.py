"""The library of WebShop programs: each compiles, and its oracle's purchase scores 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillsandbox.compiler.diagnostics import Severity, Source
from skillsandbox.compiler.driver import compile_source, format_source
from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.resolver import checks
from skillsandbox.envs.webshop import environment
from skillsandbox.specs import TEMPLATE

FOLDER = Path(__file__).parents[2] / "specs" / "webshop"
PATHS = [path for path in sorted(FOLDER.glob("*.scn")) if path.name != TEMPLATE]
PROGRAMS = {path.stem: Source(path.name, path.read_text("utf-8")) for path in PATHS}
ENVIRONMENTS = {"webshop": environment}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("seed", range(3))
def test_a_program_compiles_and_its_oracle_scores_one(name: str, seed: int) -> None:
    outcome = compile_source(PROGRAMS[name], ENVIRONMENTS, seed)
    assert [one.message for one in outcome.diagnostics if one.severity is Severity.ERROR] == []
    (made,) = outcome.scenarios
    assert made.name == name
    moment = environment().moment(made.configuration)
    for check in checks(made.syntax(environment()).require):
        assert evaluate(check.condition, made.binding, moment) is True
    run = made.task(environment()).run((*made.history, *made.plan))
    assert run.won[-1]
    assert len(made.plan) <= environment().step_limit


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_written_as_the_formatter_writes_it(name: str) -> None:
    assert format_source(PROGRAMS[name], ENVIRONMENTS) == PROGRAMS[name].text
