"""The library of WebShop programs: what each promises, what together they cover, how the shopper fares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import analyse, compile_source, format_source
from skillsandbox.compiler.environment import Guidance
from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.interface import Role
from skillsandbox.compiler.resolver import actions, checks, operations
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.webshop import environment
from skillsandbox.runtime.encounters import encountered
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.library import library
from skillsandbox.runtime.matching import ConditionMatcher, word_encoder
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.proposer import LibraryProposer
from skillsandbox.runtime.results import Settings, SkillResult
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.rollout import Trajectory, rollout
from skillsandbox.runtime.scoring import Verdict
from skillsandbox.runtime.skills import load_skills
from skillsandbox.runtime.verification import run_inputs, verify

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "specs" / "webshop"
PROGRAMS = {path.stem: path for path in sorted(FOLDER.glob("*.scn")) if path.stem != "template"}
SKILLS = ROOT / "specs" / "skills" / "shopping.jsonl"
SKILLRL = ROOT / ".." / "shared" / "data" / "skillrl" / "webshop_skills.json"
ENVIRONMENTS = {"webshop": environment}
SEEDS = 2
TOLERANCE = 5

MECHANISMS = {
    "add similar distractors": {"add_distractor", "add_distractors"},
    "edit target attributes": {
        *("alter_add", "alter_remove", "alter_set", "alter_price", "alter_rating", "alter_category"),
        *("alter_kind", "add_attribute", "remove_attribute"),
    },
    "rank the target": {"rank_for_query", "rank_everywhere"},
    "change target options": {
        *("add_option", "add_priced_option", "remove_option", "rename_option", "reprice_option"),
        "withdraw_option",
    },
    "edit other candidates": {
        *("alter_add", "alter_set", "alter_price", "alter_price_range", "remove_attribute", "add_option"),
        "remove_option",
    },
    "move or reword information": {"move_words", "alter_replace"},
    "remove products": {"remove"},
    "change nothing": {"change_nothing"},
}
"""The paper's mechanisms, each with the operations that bring it about."""

FITTING = {
    "gen_004": "other_kind_ranks_first",
    "gen_005": "option_must_be_chosen",
    "gen_008": "variants_tried_in_vain",
    "gen_010": "preferred_extra_breaks_the_limit",
    "gen_012": "unsuitable_product_seen_before",
    "gen_013": "ready_to_buy",
    "gen_014": "keyword_for_the_search_engine",
    "gen_015": "nothing_meets_every_wish",
    "app_002": "garment_of_another_type",
    "app_003": "several_options_to_set",
    "app_005": "claim_in_one_section_only",
    "foo_001": "filters_for_footwear",
    "foo_002": "function_told_in_description",
    "foo_003": "option_must_be_chosen",
    "hom_003": "several_options_to_set",
    "hom_004": "claim_moved_to_description",
    "hom_006": "button_within_reach",
    "ele_003": "dear_twin_above_the_bound",
    "ele_004": "page_stays_wrong",
    "ele_005": "partial_match_ranks_first",
    "acc_001": "constraints_belong_in_the_query",
    "acc_002": "variant_named_in_title",
    "acc_005": "wanted_option_is_gone",
    "bea_001": "constraints_belong_in_the_query",
    "bea_002": "headline_says_the_feature",
    "bea_004": "price_range_reaches_above_the_bound",
    "oth_003": "several_options_to_set",
    "oth_004": "care_label_in_features",
    "oth_006": "nothing_is_changed",
}
"""For each of SkillRL's skills a program that a person finds fitting."""


def source(path: Path) -> Source:
    return Source(path.name, path.read_text("utf-8"))


@cache
def scenario_of(name: str) -> s.Scenario:
    (resolved,) = analyse(source(PROGRAMS[name]), ENVIRONMENTS).scenarios
    return resolved.scenario


@cache
def compiled(name: str) -> tuple[Scenario, ...]:
    """Compile a program under several seeds, each scenario novel against those before it."""
    found: list[Scenario] = []
    for seed in range(SEEDS):
        siblings = tuple(tuple(value for _, value in one.novelty) for one in found)
        result = compile_source(source(PROGRAMS[name]), ENVIRONMENTS, seed, Novelty(siblings=siblings))
        assert result.diagnostics == ()
        found += result.scenarios
    return tuple(found)


def played(scenario: Scenario, guidance: Guidance | None = None) -> Trajectory:
    shop = environment()
    episode = scenario.task(shop).episode(scenario.history, shop.step_limit)
    return rollout(episode, shop.agent(guidance, 0), guidance, shop.step_limit)


@cache
def usual_runs() -> dict[str, tuple[tuple[Scenario, Trajectory], ...]]:
    """Return the shopper's runs without a skill, by program."""
    return {name: tuple((one, played(one)) for one in compiled(name)) for name in PROGRAMS}


def mechanisms(scenario: s.Scenario) -> list[str]:
    heads = "mechanism: "
    lines = [line.removeprefix(heads) for line in scenario.comments.above if line.startswith(heads)]
    assert len(lines) == 1
    return lines[0].split(", ")


def expressions(scenario: s.Scenario) -> Iterator[s.Expression]:
    """Return all expressions of a scenario, with those inside them."""
    assert scenario.goal is not None
    tops = [scenario.goal.call, *(let.where for let in scenario.lets if let.where is not None)]
    tops += [item.call for item in (*operations(scenario), *actions(scenario))]
    tops += [check.condition for block in (scenario.require, scenario.encounter) for check in checks(block)]
    for top in tops:
        yield from s.walk(top)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_canonical_and_free_of_warnings(name: str) -> None:
    assert analyse(source(PROGRAMS[name]), ENVIRONMENTS).diagnostics == ()
    assert format_source(source(PROGRAMS[name]), ENVIRONMENTS) == source(PROGRAMS[name]).text


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_distinct_scenarios_whose_checks_hold_and_whose_oracle_earns_one(name: str) -> None:
    shop, scenarios = environment(), compiled(name)
    assert len({scenario.digest for scenario in scenarios}) == SEEDS
    for scenario in scenarios:
        moment = shop.moment(scenario.configuration)
        for check in checks(scenario.syntax(shop).require):
            assert evaluate(check.condition, scenario.binding, moment) is True
        episode = scenario.task(shop).episode(scenario.history, shop.step_limit)
        episode.reset()
        frames = [episode.step(command) for command in scenario.plan]
        assert len(frames) <= shop.step_limit
        assert [frame.reward for frame in frames] == [*[0.0] * (len(frames) - 1), 1.0]
        assert frames[-1].won


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_s_comment_says_what_it_tests_how_and_why(name: str) -> None:
    scenario = scenario_of(name)
    assert scenario.name == name
    first, *rest = scenario.comments.above
    assert first.startswith("Tests skills ")
    assert len(rest) >= 3
    assert set(mechanisms(scenario)) <= set(MECHANISMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_uses_the_mechanisms_that_it_names(name: str) -> None:
    scenario = scenario_of(name)
    symbols = {item.call.symbol for item in operations(scenario)}
    for mechanism in mechanisms(scenario):
        assert symbols & MECHANISMS[mechanism]
    assert ("change nothing" in mechanisms(scenario)) == (symbols == {"change_nothing"})


def test_the_library_covers_the_eight_mechanisms_and_every_mode() -> None:
    assert len(PROGRAMS) >= 26
    assert {one for name in PROGRAMS for one in mechanisms(scenario_of(name))} == set(MECHANISMS)
    modes = {scenario_of(name).condition.mode for name in PROGRAMS}
    assert modes == {"initial", "history", "rollout"}
    assert all(scenario_of(name).novel for name in PROGRAMS)


@pytest.mark.parametrize(
    "role", [Role.GOAL, Role.OPERATION, Role.ACTION, Role.EVENT, Role.FUNCTION, Role.CLAUSE]
)
def test_the_library_shows_the_whole_vocabulary(role: Role) -> None:
    calls = (part for name in PROGRAMS for part in expressions(scenario_of(name)))
    used = {call.symbol for call in calls if isinstance(call, s.Call)}
    assert {one.symbol for one in environment().interface().signatures if one.role is role} <= used


# Skills


@pytest.fixture(scope="module")
def matcher() -> ConditionMatcher:
    scenarios = [scenario_of(name) for name in PROGRAMS]
    return ConditionMatcher(library(scenarios, environment()), word_encoder())


@pytest.mark.skipif(not SKILLRL.exists(), reason="SkillRL's skills are not here (../shared/data/skillrl)")
def test_each_of_skillrl_s_skills_is_matched_by_a_program_that_fits_it(matcher: ConditionMatcher) -> None:
    nearest = {
        skill.id.split("/")[-1]: matcher.matching(skill)[0].program.name for skill in load_skills(SKILLRL)
    }
    assert nearest == FITTING


@pytest.fixture(scope="module")
def results(matcher: ConditionMatcher, tmp_path_factory: pytest.TempPathFactory) -> dict[str, SkillResult]:
    folder = tmp_path_factory.mktemp("verified")
    skills = load_skills(SKILLS)
    stage = InstalledStage(environment(), folder / "scenarios", "native")
    settings = Settings(0, Fraction("0.95"))
    roles = Roles(LibraryProposer(matcher, settings.seed))
    with open_journal(folder / "journal.jsonl", run_inputs(skills, stage, roles, settings)) as journal:
        found = verify(skills, stage, roles, journal, settings, lambda event: None)
    return {result.skill.id: result for result in found.results}


def test_the_shopping_skills_get_the_verdicts_that_a_person_gives(results: dict[str, SkillResult]) -> None:
    assert {name: result.verdict for name, result in results.items()} == {
        "claim_in_both": Verdict.REJECT,
        "description_too": Verdict.KEEP,
        "click_the_variant": Verdict.KEEP,
        "all_in_one_query": Verdict.KEEP,
        "cheapest_first": Verdict.REJECT,
        "reviews_first": Verdict.REJECT,
        "all_pages_first": Verdict.REJECT,
        "deliver_first": Verdict.NO_PROGRAM,
    }
    assert not any(result.flips for result in results.values())


def test_a_claim_demanded_in_both_sections_makes_runs_unsuccessful_or_wasteful(
    results: dict[str, SkillResult],
) -> None:
    paper_s = results["claim_in_both"]
    assert {pair.candidate.name for pair in paper_s.pairs} == {"claim_in_one_section_only"}
    assert paper_s.exercised == 5
    for pair in paper_s.pairs:
        with_it, without = pair.plus.trajectory, pair.minus.trajectory
        assert without.success
        assert not with_it.success or len(with_it.steps) > len(without.steps)
        assert "click[description]" in with_it.actions


# The shopper


def test_the_shopper_is_neither_helpless_nor_perfect_and_solves_the_documented_share() -> None:
    runs = [run for of_program in usual_runs().values() for _, run in of_program]
    share = 100 * sum(run.success for run in runs) / len(runs)
    assert 40 <= share <= 80
    page = (ROOT / "docs" / "shopper.md").read_text("utf-8")
    ((scenarios, documented),) = re.findall(r"^\| (\d+) \| (\d+) % \|$", page, re.MULTILINE)
    assert int(scenarios) == len(runs)
    assert share == pytest.approx(int(documented), abs=TOLERANCE)


def test_every_action_of_the_shopper_does_something_and_the_last_one_buys() -> None:
    for of_program in usual_runs().values():
        for _, run in of_program:
            assert all(step.admissible for step in run.steps)
            assert run.actions[-1] == "click[buy now]"


def test_what_the_programs_are_about_comes_about_in_the_shopper_s_runs() -> None:
    met = {
        name: [all(encountered(one, environment(), run.actions).values()) for one, run in of_program]
        for name, of_program in usual_runs().items()
    }
    assert [name for name, runs in met.items() if not any(runs)] == []
    assert sum(map(sum, met.values())) >= 0.9 * SEEDS * len(PROGRAMS)
