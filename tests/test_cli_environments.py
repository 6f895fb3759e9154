"""The command line with several environments: which one a command takes, and that all work in WebShop too."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_line import DONE, MISUSED, Place

ROOT = Path(__file__).parents[1]
HOUSEHOLD = {
    "id": "doors_first",
    "condition": "The target object may be inside a closed drawer, cabinet or other container.",
    "principle": "Search closed containers before surfaces.",
}
SHOPPING = {
    "id": "choose_first",
    "condition": "The wanted variant is one of a product's options and must be chosen before the purchase.",
    "principle": "Choose all options of the product before you buy.",
}
NEITHER = {"id": "sea", "condition": "The sea is rough.", "principle": "Reef the sails."}
IN_A_HOUSEHOLD = ROOT / "specs" / "alfworld" / "unopened_candidates.scn"
IN_A_SHOP = ROOT / "specs" / "webshop" / "option_must_be_chosen.scn"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.chdir(tmp_path)
    return Place(tmp_path, CliRunner())


def skill_file(place: Place, *skills: Mapping[str, str]) -> str:
    return place.write("skills.json", json.dumps(skills))


# verify


def test_skills_are_verified_where_most_of_them_belong(place: Place) -> None:
    result = place.run("verify", skill_file(place, SHOPPING), "--json")
    assert result.exit_code == DONE
    assert "verifying in webshop: its library is nearest to 1 of 1 skill " in result.stderr
    report = json.loads(result.stdout)
    assert report["inputs"]["environment"] == "webshop"
    assert len(report["skills"][0]["scenarios"]) == 5


@pytest.mark.parametrize("skills", [[HOUSEHOLD, SHOPPING], [NEITHER]], ids=["as many", "none"])
def test_skills_that_belong_nowhere_need_an_environment(
    place: Place, skills: Sequence[Mapping[str, str]]
) -> None:
    result = place.run("verify", skill_file(place, *skills))
    assert result.exit_code == MISUSED
    assert "--environment" in result.stderr
    assert "alfworld, webshop" in result.stderr
    assert not (place.folder / "verified").exists()


def test_an_environment_that_is_named_is_taken_without_a_word(place: Place) -> None:
    result = place.run("verify", skill_file(place, NEITHER), "--environment", "webshop", "--json")
    assert result.exit_code == DONE
    assert json.loads(result.stdout)["inputs"]["environment"] == "webshop"
    assert "verifying in" not in result.stderr


@pytest.mark.parametrize(
    ("program", "environment"), [(IN_A_HOUSEHOLD, "alfworld"), (IN_A_SHOP, "webshop")], ids=lambda one: one
)
def test_programs_say_which_environment_they_are_for(place: Place, program: Path, environment: str) -> None:
    result = place.run("verify", skill_file(place, NEITHER), "--programs", str(program), "--json")
    assert result.exit_code == DONE
    assert json.loads(result.stdout)["inputs"]["environment"] == environment
    assert f"verifying in {environment}: " in result.stderr


def programs(place: Place, *paths: Path) -> str:
    (place.folder / "programs").mkdir()
    for path in paths:
        place.write(f"programs/{path.name}", path.read_text("utf-8"))
    return "programs"


def test_programs_for_several_environments_need_one_to_be_named(place: Place) -> None:
    given = ["verify", skill_file(place, NEITHER), "--programs", programs(place, IN_A_HOUSEHOLD, IN_A_SHOP)]
    result = place.run(*given)
    assert result.exit_code == MISUSED
    assert "programs for alfworld and webshop" in result.stderr
    assert "--environment" in result.stderr
    assert place.run(*given, "--environment", "alfworld").exit_code == DONE


@pytest.mark.parametrize(("paths", "what"), [([IN_A_SHOP], "no program for alfworld"), ([], "no program")])
def test_programs_must_be_there_for_the_environment(place: Place, paths: Sequence[Path], what: str) -> None:
    given = ["verify", skill_file(place, NEITHER), "--programs", programs(place, *paths)]
    result = place.run(*given, "--environment", "alfworld")
    assert result.exit_code == MISUSED
    assert what in result.stderr
    assert "--programs" in result.stderr


# Loading


@pytest.mark.parametrize(
    ("program", "other"), [(IN_A_HOUSEHOLD, "webshop"), (IN_A_SHOP, "alfworld")], ids=["household", "shop"]
)
def test_checking_loads_no_environment_that_the_program_does_not_name(program: Path, other: str) -> None:
    code = (
        "import sys\nfrom skillsandbox.runtime.cli import app\n"
        f"try: app(['check', {str(program)!r}])\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.splitlines()[-1].split()
    assert f"skillsandbox.envs.{'alfworld' if other == 'webshop' else 'webshop'}" in loaded
    assert f"skillsandbox.envs.{other}" not in loaded
