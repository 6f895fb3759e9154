"""The command line with several environments: which one a command takes, and that all work in WebShop too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_line import DONE, FAULTY, MISUSED, Place, loaded_by_check

from skillsandbox.compiler.environment import environments
from skillsandbox.runtime.candidates import candidates
from skillsandbox.runtime.cli import app
from skillsandbox.runtime.library import shipped_programs
from skillsandbox.runtime.matching import word_encoder
from skillsandbox.runtime.skills import load_skills

SKILLRL = Path(__file__).parents[2] / "shared" / "data" / "skillrl"
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
PROGRAM = """\
scenario black_chosen for webshop {
  condition "The wanted variant must be chosen." arises in rollout

  let ?target: Product where offers(?target, "color", "black") and ?target.price < $90

  goal buy ?target { option "color" "black" price < $100 }
  say "i want {?target.kind} in the color black, and price lower than 100.00 dollars"

  build {
    rank ?target 1 for query "something black"
  }
  require {
    first: rank(?target, "something black") == 1
  }
  encounter {
    chosen_first: chose(?target, "black") before buys
  }
  novel in ?target.kind
}
"""
HOUSEHOLD_PROGRAM = (Path(__file__).parents[1] / "specs" / "alfworld" / "unopened_candidates.scn").read_text(
    "utf-8"
)


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
    ("program", "environment"),
    [(HOUSEHOLD_PROGRAM, "alfworld"), (PROGRAM, "webshop")],
    ids=["household", "shop"],
)
def test_programs_say_which_environment_they_are_for(place: Place, program: str, environment: str) -> None:
    path = place.write("one.scn", program)
    result = place.run("verify", skill_file(place, NEITHER), "--programs", path, "--json")
    assert result.exit_code == DONE
    assert json.loads(result.stdout)["inputs"]["environment"] == environment
    assert f"verifying in {environment}: " in result.stderr


def programs(place: Place, *texts: str) -> str:
    (place.folder / "programs").mkdir()
    for number, text in enumerate(texts):
        place.write(f"programs/{number}.scn", text)
    return "programs"


def test_programs_for_several_environments_need_one_to_be_named(place: Place) -> None:
    given = ["verify", skill_file(place, NEITHER), "--programs", programs(place, HOUSEHOLD_PROGRAM, PROGRAM)]
    result = place.run(*given)
    assert result.exit_code == MISUSED
    assert "programs for alfworld and webshop" in result.stderr
    assert "--environment" in result.stderr
    assert place.run(*given, "--environment", "alfworld").exit_code == DONE


@pytest.mark.parametrize(("texts", "what"), [([PROGRAM], "no program for alfworld"), ([], "no program")])
def test_programs_must_be_there_for_the_environment(place: Place, texts: Sequence[str], what: str) -> None:
    given = ["verify", skill_file(place, NEITHER), "--programs", programs(place, *texts)]
    result = place.run(*given, "--environment", "alfworld")
    assert result.exit_code == MISUSED
    assert what in result.stderr
    assert "--programs" in result.stderr


@pytest.mark.skipif(not SKILLRL.is_dir(), reason="SkillRL's skills are not here (../shared/data/skillrl)")
@pytest.mark.parametrize("environment", ["alfworld", "webshop"])
def test_skillrl_s_skills_are_verified_where_they_come_from(environment: str) -> None:
    skills = load_skills(SKILLRL / f"{environment}_skills.json")
    assert candidates(skills, None, None, word_encoder()).environment.name == environment


# The other commands, in a shop


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a compiled scenario."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "fine.scn").write_text(PROGRAM, "utf-8")
    arguments = ["compile", str(folder / "fine.scn"), "-o", str(folder / "scenarios"), "--json"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == DONE
    data = json.loads(result.stdout)
    assert data["diagnostics"] == []
    return Path(data["scenarios"][0]["folder"])


def test_a_program_for_a_shop_is_checked_and_formatted(place: Place) -> None:
    path = place.write("fine.scn", PROGRAM)
    assert place.run("check", path).stdout == "1 file: 1 valid scenario, 0 errors, 0 warnings\n"
    assert place.run("fmt", "--check", path).exit_code == DONE
    typo = place.write("typo.scn", PROGRAM.replace('"color" "black" price', '"color" "blak" price'))
    assert "did you mean `black`?" in place.run("check", typo).stderr


def test_new_writes_a_program_for_a_shop_that_compiles(place: Place) -> None:
    assert place.run("new", "first", "--for", "webshop").exit_code == DONE
    assert (place.folder / "first.scn").read_text("utf-8").count("scenario first for webshop {") == 1
    assert place.run("fmt", "--check", "first.scn").exit_code == DONE
    result = place.run("compile", "first.scn", "--count", "3")
    assert result.stdout.endswith("3 scenarios written, 0 errors, 0 warnings\n")


def test_a_program_to_start_from_is_none_of_the_library() -> None:
    for name, environment in environments().items():
        assert "my_scenario" not in [program.name for program in shipped_programs(environment())], name


def test_compile_writes_a_scenario_with_its_overlay(scenario: Path) -> None:
    assert {"overlay.json", "scenario.json"} <= {path.name for path in scenario.iterdir()}


@pytest.mark.parametrize("command", ["compile", "play", "run"])
def test_a_shop_has_no_official_engine(place: Place, scenario: Path, command: str) -> None:
    subject = place.write("fine.scn", PROGRAM) if command == "compile" else str(scenario)
    result = place.run(command, subject, "--engine", "official")
    assert result.exit_code == MISUSED
    assert "webshop has no engine 'official'; it has: native" in result.stderr
    assert not (place.folder / "scenarios").exists()


def test_nothing_is_compiled_before_all_environments_have_the_engine(place: Place) -> None:
    files = place.write("home.scn", HOUSEHOLD_PROGRAM), place.write("shop.scn", PROGRAM)
    assert place.run("compile", *files, "--engine", "official").exit_code == MISUSED
    assert not (place.folder / "scenarios").exists()


def test_a_shop_s_scenario_can_be_what_others_differ_from(place: Place, scenario: Path) -> None:
    result = place.run("compile", place.write("fine.scn", PROGRAM), "--source", str(scenario), "--json")
    assert result.exit_code == DONE
    (made,) = json.loads(result.stdout)["scenarios"]
    assert made["digest"] != json.loads((scenario / "scenario.json").read_text("utf-8"))["digest"]


def test_a_person_can_play_in_a_shop_and_win(place: Place, scenario: Path) -> None:
    plan = json.loads((scenario / "scenario.json").read_text("utf-8"))["plan"]
    result = place.run("play", str(scenario), input="\n".join(["?", *plan]))
    assert result.exit_code == DONE
    assert "search[<your query>]" in result.stdout
    assert f"You won in {len(plan)} steps" in result.stdout


def test_a_wrong_purchase_ends_the_game_and_tells_its_reward(place: Place, scenario: Path) -> None:
    plan = json.loads((scenario / "scenario.json").read_text("utf-8"))["plan"]
    unchosen = [command for command in plan if command != "click[black]"]
    result = place.run("play", str(scenario), input="\n".join(unchosen))
    assert (
        f"The game is over after {len(unchosen)} steps, and the task is not done; the reward is 0."
        in result.stdout
    )


@pytest.mark.parametrize("command", ["play", "run", "serve"])
@pytest.mark.parametrize(
    "change",
    [
        {"configuration": {"catalogue": "small", "overlay": {}}},
        {"configuration": {"catalogue": "generated", "overlay": {"base": "another"}}},
        {"goal": {"symbol": "buy", "arguments": [{"type": "Product", "key": "B000000000"}, []]}},
        {"history": ["search[bag]", 7]},
        {"instruction": None},
    ],
    ids=["no catalogue", "another catalogue", "no product", "no command", "no wording"],
)
def test_a_manifest_that_someone_changed_is_never_a_crash(
    place: Place, scenario: Path, command: str, change: dict[str, object]
) -> None:
    data = json.loads((scenario / "scenario.json").read_text("utf-8"))
    place.write("scenario.json", json.dumps({**data, **change}))
    result = place.run(command, ".")
    assert result.exit_code == FAULTY
    assert result.stderr.startswith("Error: ")


def test_the_steps_of_a_visit_come_to_an_end(place: Place, scenario: Path) -> None:
    result = place.run("play", str(scenario), input="wait\n" * 15)
    assert result.stdout.endswith("The 15 steps are over, and the task is not done.\n")


def test_the_shopper_s_searches_are_admissible(place: Place, scenario: Path) -> None:
    data = json.loads(place.run("run", str(scenario), "--json").stdout)
    first = data["trajectory"]["steps"][0]
    assert first["action"].startswith("search[")
    assert first["admissible"]
    assert set(data["encounters"]) == {"chosen_first"}


# Loading


def test_checking_loads_no_environment_that_the_program_does_not_name(place: Place) -> None:
    loaded = loaded_by_check(place.write("one.scn", HOUSEHOLD_PROGRAM))
    assert "skillsandbox.envs.alfworld" in loaded
    assert "skillsandbox.envs.webshop" not in loaded
