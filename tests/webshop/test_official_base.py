"""Programs on an official catalogue: the files that `$WEBSHOP_DATA` names, and scenarios made of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_line import FAULTY, Place

from skillsandbox.compiler import errors
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import Compiled, compile_source
from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.lowerer import lower, save
from skillsandbox.compiler.manifest import MANIFEST, ManifestError, load
from skillsandbox.compiler.resolver import checks
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.webshop import environment
from skillsandbox.envs.webshop.generator import generate, write_generated
from skillsandbox.envs.webshop.task import ShoppingTask
from skillsandbox.grammar.cache import CACHE_VARIABLE

SEED, SIZE = 3, 80
ENVIRONMENTS = {"webshop": environment}
NAMES: Mapping[str, tuple[str, str]] = {
    "small": ("items_shuffle_1000.json", "items_ins_v2_1000.json"),
    "all": ("items_shuffle.json", "items_ins_v2.json"),
}
PROGRAM = """
scenario on_official_products for webshop {{
  condition "A claim stands in the features alone." arises in rollout
  from catalogue "{catalogue}"
  let ?target: Product where ?target.attributes contains "{attribute}" and {where}
  goal buy ?target {{ attribute "{attribute}" price < $900 }}
  say "i want {{?target.kind}}, and price lower than 900.00 dollars"
  build {{
    alter ?target.features add "Claimed here" for stated
    add distractor like ?target {{ without attribute "{attribute}" }}
    rank ?target 1 for every query for first
  }}
  require {{
    stated: ?target.features contains "Claimed here"
    first: rank(?target, "{attribute}") == 1
  }}
  encounter {{ read: viewed(?target, features) before buys }}
  novel in ?target
}}
"""
ATTRIBUTE = next(one for product in generate(SEED, SIZE) for one in product.attributes)


def official(folder: Path, catalogue: str, size: int = SIZE) -> None:
    """Write a generated catalogue under the names of an official one."""
    files = write_generated(folder, SEED, size)
    assert files.attributes is not None
    for path, name in zip((files.products, files.attributes), NAMES[catalogue], strict=True):
        path.rename(folder / name)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "official"
    monkeypatch.setenv("WEBSHOP_DATA", str(folder))
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return folder


def compiled(catalogue: str = "small", where: str = "?target.price < $900", seed: int = 0) -> Compiled:
    text = PROGRAM.format(catalogue=catalogue, attribute=ATTRIBUTE, where=where)
    return compile_source(Source("test.scn", text), ENVIRONMENTS, seed)


def only(outcome: Compiled) -> Scenario:
    assert [one.message for one in outcome.diagnostics] == []
    (made,) = outcome.scenarios
    return made


@pytest.mark.parametrize("catalogue", NAMES)
def test_a_program_is_built_from_official_products(catalogue: str, data: Path) -> None:
    official(data, catalogue)
    made = only(compiled(catalogue))
    task = made.task(environment())
    assert isinstance(task, ShoppingTask)

    assert task.goal.asin in {one.asin for one in generate(SEED, SIZE)}
    assert len(task.configuration.catalogue) == SIZE + 1
    assert task.run(made.plan).won[-1]
    moment = environment().moment(made.configuration)
    for check in checks(made.syntax(environment()).require):
        assert evaluate(check.condition, made.binding, moment) is True


def test_a_scenario_on_official_products_is_saved_and_loaded(data: Path, tmp_path: Path) -> None:
    official(data, "small")
    made = only(compiled())
    folder = save(lower(made, environment()), tmp_path)
    again = load(folder, ENVIRONMENTS)

    assert again == made
    assert again.task(environment()).run(again.plan).won[-1]
    # Kilobytes, however large the catalogue is.
    assert sum(path.stat().st_size for path in folder.iterdir()) < 20_000


def test_without_the_official_files_it_is_said_what_is_missing(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data.mkdir()
    (found,) = compiled().diagnostics
    assert isinstance(found, errors.BaseNotFound)
    assert "items_shuffle_1000.json cannot be read: No such file" in found.message
    monkeypatch.delenv("WEBSHOP_DATA")
    (found,) = compiled().diagnostics
    assert "$WEBSHOP_DATA does not name a folder" in found.message


def test_a_catalogue_that_there_is_not_is_refused(data: Path) -> None:
    (found,) = compiled("everything").diagnostics
    assert isinstance(found, errors.BaseNotFound)
    assert "official ones are all and small" in found.message


def test_files_that_hold_no_products_are_refused(data: Path) -> None:
    official(data, "small")
    (data / "items_shuffle_1000.json").write_text('{"not": "a list"}')
    (found,) = compiled().diagnostics
    assert isinstance(found, errors.BaseNotFound)
    assert "items_shuffle_1000.json" in found.message


def test_a_condition_that_no_official_product_satisfies_is_one_of_the_program(data: Path) -> None:
    official(data, "small")
    (found,) = compiled(where="?target.price > $90000").diagnostics
    assert isinstance(found, errors.Diagnostic)
    assert found.code.startswith("SCN3")


def test_other_files_in_the_same_process_are_another_catalogue(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    official(data, "small")
    first = only(compiled())
    other = tmp_path / "other"
    official(other, "small", SIZE + 20)
    monkeypatch.setenv("WEBSHOP_DATA", str(other))
    second = only(compiled())

    assert first.data_version != second.data_version


def test_a_scenario_is_not_put_on_other_files(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    official(data, "small")
    folder = save(lower(only(compiled()), environment()), tmp_path)
    other = tmp_path / "other"
    official(other, "small", SIZE + 20)
    monkeypatch.setenv("WEBSHOP_DATA", str(other))

    with pytest.raises(ManifestError, match=r"cannot be put on .*; compile the program again"):
        load(folder, ENVIRONMENTS)
    result = Place(tmp_path, CliRunner()).run("play", str(folder))
    assert result.exit_code == FAULTY
    assert "an overlay of the catalogue" in result.output
    assert MANIFEST in result.output
