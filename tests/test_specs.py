"""The library of scenario programs: what each promises, and what together they cover."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.diagnostics import Source, Span
from skillsandbox.compiler.driver import analyse, compile_source, format_source
from skillsandbox.compiler.interface import Role
from skillsandbox.compiler.lowerer import lower, replay
from skillsandbox.compiler.resolver import actions, checks, operations
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.alfworld import domain, environment
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.library import library
from skillsandbox.runtime.matching import ConditionMatcher, word_encoder
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.proposer import LibraryProposer
from skillsandbox.runtime.results import Settings
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.scoring import Verdict
from skillsandbox.runtime.skills import load_skills
from skillsandbox.runtime.verification import run_inputs, verify

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "specs" / "alfworld"
TEMPLATE = FOLDER / "template.scn"
PROGRAMS = {path.stem: path for path in sorted(FOLDER.glob("*.scn")) if path != TEMPLATE}
SKILLS = ROOT / "specs" / "skills"
SKILLRL = ROOT / ".." / "shared" / "data" / "skillrl" / "alfworld_skills.json"

ENVIRONMENTS = {"alfworld": environment}
SEEDS = 3
MECHANISMS = {
    "add search distractors",
    "constrain object access",
    "increase target count",
    "require state changes",
    "seed interaction history",
    "set inspection cues",
    "set transfer layout only",
}
"""The paper's mechanisms."""

FITTING = {
    "gen_004": "two_of_a_kind",
    "gen_005": "change_state_before_placement",
    "gen_008": "searched_half_the_room",
    "gen_009": "landmarks_seen_before",
    "gen_010": "ordered_subgoals",
    "gen_011": "object_far_from_reference",
    "gen_012": "looks_done_already",
    "pic_001": "unopened_candidates",
    "pic_003": "change_state_before_placement",
    "pic_004": "one_of_two_in_hand",
    "loo_001": "lamp_task_begins",
    "loo_002": "at_unlit_lamp",
    "loo_003": "lit_lamp_elsewhere",
    "cle_002": "dirty_in_plain_sight",
    "cle_003": "dirty_in_hand",
    "cle_006": "usual_places_layout",
    "hea_003": "food_held_at_microwave",
    "hea_004": "empty_handed_at_appliance",
    "hea_005": "heated_and_in_hand",
    "coo_003": "fridge_in_view",
    "coo_004": "uncooled_at_destination",
    "coo_005": "cooled_and_in_hand",
    "exa_001": "target_beside_lamp",
    "exa_005": "usual_place_empty",
    "exa_006": "spotted_while_scanning",
}
"""For each of SkillRL's skills the program that a person finds most fitting."""

LOWERED = """
import hashlib, sys
from pathlib import Path
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import compile_source
from skillsandbox.compiler.lowerer import lower
from skillsandbox.envs.alfworld import environment

for path in sorted(Path(sys.argv[1]).glob("*.scn")):
    program = Source(path.name, path.read_text("utf-8"))
    for scenario in compile_source(program, {"alfworld": environment}, 7).scenarios:
        for name, text in lower(scenario, environment()).items():
            print(name, hashlib.sha256(text.encode()).hexdigest())
"""


def source(path: Path) -> Source:
    return Source(path.name, path.read_text("utf-8"))


@cache
def scenario_of(path: Path) -> s.Scenario:
    (resolved,) = analyse(source(path), ENVIRONMENTS).scenarios
    return resolved.scenario


@cache
def compiled(path: Path) -> tuple[Scenario, ...]:
    """Compile a program under several seeds, each scenario novel against those before it."""
    found: list[Scenario] = []
    for seed in range(SEEDS):
        siblings = tuple(tuple(value for _, value in one.novelty) for one in found)
        result = compile_source(source(path), ENVIRONMENTS, seed, Novelty(siblings=siblings))
        assert result.diagnostics == ()
        found += result.scenarios
    return tuple(found)


def mechanisms(scenario: s.Scenario) -> list[str]:
    lines = [
        line.removeprefix("mechanism: ") for line in scenario.comments.above if line.startswith("mechanism: ")
    ]
    assert len(lines) == 1
    return lines[0].split(", ")


def expressions(scenario: s.Scenario) -> Iterator[s.Expression]:
    """Return all expressions of a scenario, with those inside them."""
    assert scenario.goal is not None
    tops = [scenario.goal.call, *(let.where for let in scenario.lets if let.where is not None)]
    tops += [item.call for item in (*operations(scenario), *actions(scenario))]
    tops += [check.condition for block in (scenario.require, scenario.encounter) for check in checks(block)]
    tops += scenario.novel.dimensions if scenario.novel else ()
    for top in tops:
        yield from s.walk(top)


@pytest.mark.parametrize("path", [*PROGRAMS.values(), TEMPLATE], ids=lambda path: path.stem)
def test_a_program_is_canonical_and_free_of_warnings(path: Path) -> None:
    assert analyse(source(path), ENVIRONMENTS).diagnostics == ()
    assert format_source(source(path), ENVIRONMENTS) == source(path).text


@pytest.mark.parametrize("path", [*PROGRAMS.values(), TEMPLATE], ids=lambda path: path.stem)
def test_a_program_gives_distinct_solvable_scenarios(path: Path) -> None:
    scenarios = compiled(path)
    assert len({scenario.digest for scenario in scenarios}) == SEEDS
    for scenario in scenarios:
        assert 0 < len(scenario.plan) <= environment().step_limit
        run = scenario.task(environment()).run((*scenario.history, *scenario.plan))
        assert not run.refused
        assert run.won[-1]
        assert not any(run.won[:-1])


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_s_comment_says_what_it_tests_how_and_why(name: str) -> None:
    scenario = scenario_of(PROGRAMS[name])
    assert scenario.name == name
    first, *rest = scenario.comments.above
    assert first.startswith("Tests skills ")
    assert len(rest) >= 3
    assert set(mechanisms(scenario)) <= MECHANISMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_uses_the_mechanisms_that_it_names(name: str) -> None:
    scenario = scenario_of(PROGRAMS[name])
    named = mechanisms(scenario)
    symbols = {item.call.symbol for item in operations(scenario)}
    assert ("set transfer layout only" in named) == (not symbols)
    assert ("seed interaction history" in named) == (scenario.condition.mode == "history")
    assert scenario.goal is not None
    assert ("increase target count" in named) == (scenario.goal.call.symbol == "put_two")
    assert ("add search distractors" in named) <= bool(symbols & {"add", "add_on", "add_except", "place_on"})
    assert ("constrain object access" in named) <= bool(
        symbols & {"place_on", "place_in", "start_at", "start_holding", "close"}
    )


def test_the_library_covers_the_paper_s_mechanisms() -> None:
    assert len(PROGRAMS) >= 24
    assert {name for path in PROGRAMS.values() for name in mechanisms(scenario_of(path))} == MECHANISMS


@pytest.mark.parametrize(
    "role", [Role.GOAL, Role.OPERATION, Role.ACTION, Role.EVENT, Role.FUNCTION, Role.DIMENSION]
)
def test_the_library_shows_the_whole_vocabulary(role: Role) -> None:
    calls = (part for path in PROGRAMS.values() for part in expressions(scenario_of(path)))
    used = {call.symbol for call in calls if isinstance(call, s.Call)}
    assert {one.symbol for one in environment().interface().signatures if one.role is role} <= used


def test_the_library_shows_every_temporal_operator_and_every_mode() -> None:
    parts = {type(part) for path in PROGRAMS.values() for part in expressions(scenario_of(path))}
    assert {s.Eventually, s.Always, s.Never, s.Before, s.Then, s.Within, s.AtStart} <= parts
    modes = {scenario_of(path).condition.mode for path in PROGRAMS.values()}
    assert modes == {"initial", "history", "rollout"}
    assert all(scenario_of(path).novel for path in PROGRAMS.values())


def test_the_library_poses_all_task_types_in_all_kinds_of_rooms() -> None:
    scenarios = [scenario for path in PROGRAMS.values() for scenario in compiled(path)]
    tasks = {one.task(environment()).game.goal.task_type for one in scenarios}
    assert tasks == set(domain.TASK_TYPES)
    rooms = {domain.scene_kind(one.configuration.household.scene) for one in scenarios}
    assert rooms == set(domain.SCENE_KINDS)


def test_lowered_files_do_not_depend_on_the_process() -> None:
    def listing(hash_seed: str) -> str:
        variables = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", LOWERED, str(FOLDER)]
        return subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout

    first = listing("1")
    assert len(first.splitlines()) == 4 * (len(PROGRAMS) + 1)
    assert listing("2") == first
    (scenario,) = compile_source(source(TEMPLATE), ENVIRONMENTS, 7).scenarios
    for name, text in lower(scenario, environment()).items():
        assert f"{name} {hashlib.sha256(text.encode()).hexdigest()}" in first.splitlines()


@pytest.mark.parametrize(
    "name",
    [
        "cool_food_within_reach",
        "hands_full_of_something_else",
        "landmarks_seen_before",
        "clean_one_among_dirty",
        "subgoal_undone",
        "two_of_a_kind",
    ],
)
def test_the_official_engine_plays_and_wins_a_program_s_scenario(name: str) -> None:
    assert replay(compiled(PROGRAMS[name])[0], environment(), Span(0, 0)) is None


@pytest.mark.skipif(not SKILLRL.exists(), reason="SkillRL's skills are not here (../shared/data/skillrl)")
def test_each_of_skillrl_s_skills_is_matched_by_the_program_that_fits_it() -> None:
    matcher = matcher_of_programs()
    nearest = {
        skill.id.split("/")[-1]: matcher.matching(skill)[0].program.name for skill in load_skills(SKILLRL)
    }
    assert nearest == FITTING


def matcher_of_programs() -> ConditionMatcher:
    return ConditionMatcher(
        library([scenario_of(path) for path in PROGRAMS.values()], environment()), word_encoder()
    )


def test_the_demonstration_s_skills_get_the_verdicts_that_a_person_gives(tmp_path: Path) -> None:
    verdicts = {
        "appliance_first": Verdict.REJECT,
        "object_first": Verdict.KEEP,
        "doors_first": Verdict.KEEP,
        "keep_notes": Verdict.KEEP,
        "deliver_first": Verdict.KEEP,
        "open_microwave": Verdict.REJECT,
        "compare_prices": Verdict.NO_PROGRAM,
    }
    skills = load_skills(SKILLS / "household.jsonl")
    stage = InstalledStage(environment(), tmp_path / "scenarios", "native")
    settings = Settings(0, Fraction("0.95"))
    roles = Roles(LibraryProposer(matcher_of_programs(), settings.seed))
    inputs = run_inputs(skills, stage, roles, settings)
    with open_journal(tmp_path / "journal.jsonl", inputs) as journal:
        found = verify(skills, stage, roles, journal, settings, lambda event: None)
    assert {result.skill.id: result.verdict for result in found.results} == verdicts
    assert not any(result.flips for result in found.results)
    (paper_s,) = [result for result in found.results if result.skill.id == "appliance_first"]
    assert paper_s.exercised == 5
    assert all(len(pair.plus.trajectory.steps) > len(pair.minus.trajectory.steps) for pair in paper_s.pairs)


def test_the_agent_skill_of_the_demonstration_is_found_by_its_description() -> None:
    (skill,) = load_skills(SKILLS)
    assert re.fullmatch(r"[a-z-]+", skill.id)
    assert matcher_of_programs().matching(skill)[0].program.name == "hidden_behind_a_door"
