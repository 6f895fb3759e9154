"""The options of models, and the command that says what an endpoint can do."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from scripted import Answer, Fault, Received, Say, ScriptedServer

from skillsandbox.runtime.cli import app
from skillsandbox.runtime.models.accounting import Price, Tally
from skillsandbox.runtime.models.estimate import PlannedCalls, estimate
from skillsandbox.runtime.models.options import ModelOptions, model_options, open_model
from skillsandbox.runtime.models.request import ModelFault, Role, Usage


def parsed(*arguments: str) -> ModelOptions:
    """Return the options that a command gets."""
    got: list[ModelOptions] = []

    @click.command
    @click.option("--seed", default=0)
    @model_options
    def command(seed: int, model_options: ModelOptions) -> None:
        got.append(model_options)

    command.main(list(arguments), standalone_mode=False)
    return got[0]


def test_without_options_no_model_is_chosen() -> None:
    assert parsed() == ModelOptions()


def test_every_option_is_taken(tmp_path: Path) -> None:
    given = (
        "--model openai/m --api-base http://h:1/v1 --concurrency 3 --timeout 9.5 --budget-tokens 1000 "
        f"--budget-dollars 2.50 --price 0.15 0.6 --replay --model-cache {tmp_path} "
        "--embedding-model openai/e --embedding-api-base http://h:2/v1"
    )
    assert parsed(*given.split()) == ModelOptions(
        model="openai/m",
        api_base="http://h:1/v1",
        concurrency=3,
        timeout=9.5,
        budget_tokens=1000,
        budget_dollars=Decimal("2.50"),
        price=Price(Decimal("0.15"), Decimal("0.6")),
        replay=True,
        cache=tmp_path,
        embedding_model="openai/e",
        embedding_api_base="http://h:2/v1",
    )


@pytest.mark.parametrize(
    "given",
    [
        "--concurrency 0",
        "--timeout 0",
        "--budget-tokens 0",
        "--budget-dollars NaN",
        "--price 1 -1",
        "--budget-dollars x",
    ],
)
def test_values_that_mean_nothing_are_refused(given: str) -> None:
    with pytest.raises(click.BadParameter):
        parsed(*given.split())


def test_replies_are_kept_in_the_programs_own_cache_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SKILLSANDBOX_CACHE", str(tmp_path))
    assert ModelOptions().cache_folder == tmp_path / "models"


def test_without_a_model_there_is_none_to_open() -> None:
    with pytest.raises(ModelFault, match="--model"), open_model(ModelOptions()):
        pass


def test_an_estimate_is_made_of_planned_calls() -> None:
    plan = (
        PlannedCalls(Role.VERIFIER_JUDGE, 10, 300, 20),
        PlannedCalls(Role.EXECUTOR, 100, 1000, 50),
        PlannedCalls(Role.EXECUTOR, 1, 500, 0),
    )
    forecast = estimate(plan, Price(Decimal(1), Decimal(2)))
    assert list(forecast.by_role.items()) == [
        (Role.EXECUTOR, Tally(101, Usage(100_500, 5_000, 0, Decimal("0.1105")))),
        (Role.VERIFIER_JUDGE, Tally(10, Usage(3_000, 200, 0, Decimal("0.0034")))),
    ]
    assert forecast.total == Tally(111, Usage(103_500, 5_200, 0, Decimal("0.1139")))
    assert estimate(plan, None).total.usage.cost is None


def checked(server: ScriptedServer, folder: Path, *arguments: str) -> Result:
    given = ["--model", "openai/scripted", "--api-base", server.url, "--model-cache", str(folder / "cache")]
    return CliRunner().invoke(app, ["models", "check", *given, *arguments])


def able(request: Received) -> Answer:
    """Answer as a server that keeps schemas and no grammars, and says something else each time."""
    if "response_format" in request.body:
        return Say('{"word": "tafelberg"}')
    return Say(f"It rains, says request {id(request)}.")


def test_a_check_says_what_the_endpoint_can_do(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = able
    embedding = ("--embedding-model", "openai/text-embedding-3-small", "--embedding-api-base", server.url)
    result = checked(server, tmp_path, "--json", "--price", "1", "2", *embedding)
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert Decimal(found["sent"].pop("dollars")) > 0
    assert found.pop("reply").startswith("It rains, says request ")
    assert found == {
        "model": f"openai/scripted at {server.url}",
        "finish": "stop",
        "json_schema": True,
        "grammar": None,
        "same_reply_for_same_seed": False,
        "dollars_for_a_million_tokens": ["1", "2"],
        "embedding_dimensions": 8,
        "embedding_fault": None,
        "sent": {
            "requests": 10,
            "prompt_tokens": 96,
            "completion_tokens": 45,
        },
    }
    sent = len(server.requests)
    assert checked(server, tmp_path, "--json").exit_code == 0
    assert len(server.requests) == 2 * sent - 1, "what was found before is not believed"


def test_a_check_is_a_table_for_people(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = able
    shown = checked(server, tmp_path).output
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in shown.splitlines() if "│" in line]
    assert ["JSON by a schema", "kept"] in rows
    assert ["text by a grammar", "not kept: replies are checked"] in rows
    assert ["price of a million tokens", "unknown: give --price"] in rows


def test_an_endpoint_that_cannot_be_asked_ends_a_check_with_a_sentence(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = lambda request: Fault(401, "no such key")
    result = checked(server, tmp_path)
    assert result.exit_code == 1
    assert result.output == (
        "Error: openai/scripted: no such key Is the provider's key in the environment?\n"
    )


@pytest.mark.parametrize("arguments", [[], ["--model", "openai/m", "--replay"]])
def test_a_check_that_asks_nothing_is_misused(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, ["models", "check", *arguments]).exit_code == 2
