"""Verification on ALFWorld itself: library, stage, and the command from a skill file to the report."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cold_bread import PROGRAM, SKILLS

from skillsandbox.compiler.environment import Environment, environments
from skillsandbox.envs.alfworld import domain
from skillsandbox.runtime.commands.verify import command
from skillsandbox.runtime.library import program_files, read_programs, shipped_programs
from skillsandbox.runtime.matching import ConditionMatcher, word_encoder
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.rollout import rollout
from skillsandbox.runtime.skills import Source, load_skills
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Refusal

SKILLRL = Path(__file__).parents[2] / ".." / "shared" / "data" / "skillrl"


@pytest.fixture(scope="module")
def environment() -> Environment:
    return environments()["alfworld"]()


@pytest.fixture
def stage(environment: Environment, tmp_path: Path) -> InstalledStage:
    return InstalledStage(environment, tmp_path / "scenarios", "native")


def test_the_shipped_library_has_distinct_programs_with_conditions(environment: Environment) -> None:
    programs = shipped_programs(environment)
    assert len(programs) >= 24
    assert len({program.name for program in programs}) == len(programs)
    assert all(program.condition and program.wording for program in programs)


def test_a_library_file_may_hold_several_programs_and_each_stands_alone(
    environment: Environment, tmp_path: Path
) -> None:
    (tmp_path / "two.scn").write_text(PROGRAM + PROGRAM.replace("cold_bread", "cold_bread_too"))
    programs = read_programs(program_files(tmp_path), environment)
    assert [program.name for program in programs] == ["cold_bread", "cold_bread_too"]
    assert all(program.text.count("scenario ") == 1 for program in programs)
    assert programs[0].wording == "Bread stands in sight. put a cool in"


@pytest.mark.skipif(not SKILLRL.is_dir(), reason="the shared data are not beside the project")
def test_every_alfworld_skill_finds_a_program_and_hardly_any_webshop_skill_does(
    environment: Environment,
) -> None:
    matcher = ConditionMatcher(shipped_programs(environment), word_encoder())
    household = load_skills(SKILLRL / "alfworld_skills.json")
    assert [skill.id for skill in household if not matcher.matching(skill)] == []
    shopping = load_skills(SKILLRL / "webshop_skills.json")
    assert sum(bool(matcher.matching(skill)) for skill in shopping) <= len(shopping) // 8


def test_a_program_is_built_into_distinct_scenarios_that_can_be_played(stage: InstalledStage) -> None:
    built: list[BuiltScenario] = []
    for seed in range(3):
        scenario = stage.compile(Candidate("cold_bread", PROGRAM, seed), built)
        assert isinstance(scenario, BuiltScenario)
        built.append(scenario)
    assert len({scenario.digest for scenario in built}) == 3
    episode = stage.episode(built[0])
    trajectory = rollout(episode, stage.agent(None, 0), None, stage.step_limit)
    episode.close()
    assert trajectory.success
    assert built[0].instruction in trajectory.steps[0].observation
    found = {check.label: check.satisfied for check in stage.encounters(built[0], trajectory.actions)}
    assert found == {"fridge_reached": True, "fridge_opened": False}


def test_a_sibling_is_not_built_again_under_the_same_seed(stage: InstalledStage) -> None:
    first = stage.compile(Candidate("cold_bread", PROGRAM, 0), [])
    assert isinstance(first, BuiltScenario)
    assert stage.compile(Candidate("cold_bread", PROGRAM, 0), []) == first
    second = stage.compile(Candidate("cold_bread", PROGRAM, 0), [first])
    assert isinstance(second, BuiltScenario)
    assert second.digest != first.digest


def learned_in(environment: str, values: dict[str, tuple[str, ...]]) -> Source:
    return Source(environment, "t", "put a bread", values, True, "d", "solved", "m", 0)


def test_a_scenario_differs_from_the_task_that_the_skill_was_learned_in(stage: InstalledStage) -> None:
    candidate = Candidate("cold_bread", PROGRAM, 0)
    usual = stage.compile(candidate, [])
    assert isinstance(usual, BuiltScenario)
    scene = str(stage._scenario(usual).binding.context)
    values = {"Scene": (scene,), "ObjectType": ("Mug",), "ReceptacleType": ()}
    elsewhere = stage.compile(candidate, [], learned_in("alfworld", values))
    assert isinstance(elsewhere, BuiltScenario)
    assert stage._scenario(elsewhere).binding.context != scene
    assert stage.compile(candidate, [], learned_in("webshop", values)) == usual
    everywhere = learned_in("alfworld", {"Scene": domain.SCENES})
    refusal = stage.compile(candidate, [], everywhere)
    assert isinstance(refusal, Refusal)
    assert [one["code"] for one in stage.faults(candidate, [], everywhere)] == [
        complaint.partition(":")[0] for complaint in refusal.complaints
    ]


def test_a_faulty_program_is_refused_with_the_codes_of_its_diagnostics(stage: InstalledStage) -> None:
    refusal = stage.compile(Candidate("cold_bread", PROGRAM.replace("== Bread", "== Bred"), 0), [])
    assert isinstance(refusal, Refusal)
    assert all(complaint.startswith("SCN") for complaint in refusal.complaints)
    several = stage.compile(Candidate("a", PROGRAM + PROGRAM.replace("cold_bread", "b"), 0), [])
    assert several == Refusal(("expected one scenario in the program, found 2",))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before = Path.cwd()
    os.chdir(tmp_path)
    (tmp_path / "skills.json").write_text(json.dumps(SKILLS))
    (tmp_path / "bread.scn").write_text(PROGRAM)
    yield tmp_path
    os.chdir(before)


def verify(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_a_skill_file_is_verified_end_to_end_and_again_from_its_journal(folder: Path) -> None:
    result = verify("skills.json", "--programs", "bread.scn")
    assert result.exit_code == 0, result.output
    assert "ready" in result.output
    assert "shop: No program of the library matches" in result.output.replace("\n", " ")
    run = next((folder / "verified").iterdir())
    page = (run / "report.html").read_bytes()
    journal = (run / "journal.jsonl").read_bytes()
    (run / "report.html").unlink()
    assert verify("skills.json", "--programs", "bread.scn").exit_code == 0
    assert (run / "report.html").read_bytes() == page
    assert (run / "journal.jsonl").read_bytes() == journal
    data = json.loads(verify("skills.json", "--programs", "bread.scn", "--json", "--gamma", "0.5").stdout)
    assert data["gamma"] == 0.5
    assert [skill["verdict"] for skill in data["skills"]] == ["reject", "no program matches"]
    assert len({scenario["digest"] for scenario in data["skills"][0]["scenarios"]}) == 5
    assert len(list((folder / "verified").iterdir())) == 1


def test_misuse_and_bad_input_are_answered_without_a_traceback(folder: Path) -> None:
    (folder / "bad.json").write_text("{")
    (folder / "bad.scn").write_text(PROGRAM.replace("== Bread", "== Bred"))
    (folder / "none").mkdir()
    for arguments, code, said in (
        (["bad.json"], 1, "this is not JSON"),
        (["absent.json"], 2, "does not exist"),
        (["skills.json", "--gamma", "1.5"], 2, "not a number above 0"),
        (["skills.json", "--gamma", "x"], 2, "not a number above 0"),
        (["skills.json", "--environment", "moon"], 2, "there is no environment 'moon'"),
        (["skills.json", "--programs", "bad.scn"], 1, "SCN"),
        (["skills.json", "--programs", "none"], 2, "none has no program"),
        (["skills.json", "--programs", "bread.scn", "-o", "movable"], 2, "choose another folder"),
    ):
        result = verify(*arguments)
        assert result.exit_code == code, (arguments, result.output)
        assert said in result.output.replace("\n", " ")
        assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_folder_that_holds_another_run_is_not_continued(folder: Path) -> None:
    assert verify("skills.json", "--programs", "bread.scn", "-o", "run").exit_code == 0
    result = verify("skills.json", "--programs", "bread.scn", "-o", "run", "--seed", "1")
    assert result.exit_code == 1
    assert "another run" in result.output
