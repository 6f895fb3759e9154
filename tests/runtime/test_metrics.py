"""The figures of solved tasks: the definitions, on runs made up for the purpose."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.runtime.metrics import (
    SkillEffect,
    arm_figures,
    library_effect,
    skill_effects,
    verdict_quality,
)
from skillsandbox.runtime.rollout import Step, Trajectory
from skillsandbox.runtime.scoring import Verdict
from skillsandbox.runtime.skill_library import Evidence
from skillsandbox.runtime.solving import Given, TaskResult
from skillsandbox.runtime.statistics import Agreement, mcnemar, wilson

OUTCOMES = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.sets(st.sampled_from("abc"))), min_size=1, max_size=12
)


def run(success: bool, steps: int = 2, reward: float | None = None, rationale: str = "") -> Trajectory:
    taken = tuple(Step("seen", "act", "act", rationale, True, False) for _ in range(steps))
    return Trajectory(taken, success, "end", float(success) if reward is None else reward)


def result(without: bool, with_library: bool, given_ids: str = "", rationale: str = "") -> TaskResult:
    found = tuple(Given(id, 0.5) for id in given_ids)
    return TaskResult("t", "do", run(without), found, run(with_library, rationale=rationale))


def evidence(verdict: Verdict, r: float) -> Evidence:
    return Evidence(verdict, r, {}, (), 1, {}, 0, 0.95)


def test_success_score_and_steps_are_over_all_episodes() -> None:
    figures = arm_figures([run(True, 4), run(False, 30, 0.5), run(False, 8, 0.0), run(True, 2)])
    assert figures.success_rate.value == 0.5
    assert figures.success_rate.interval == wilson(2, 4)
    assert figures.score.value == 62.5
    assert figures.steps.value == 11
    assert figures.score.interval is not None
    assert figures.score.interval.high == 100


def test_figures_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one run"):
        arm_figures([])


def test_recovery_and_regression_are_shares_of_all_tasks() -> None:
    results = (
        [result(False, True)] * 3
        + [result(True, False)]
        + [result(True, True)] * 4
        + [result(False, False)] * 2
    )
    effect = library_effect(results)
    assert (effect.recovered, effect.regressed) == (3, 1)
    assert (effect.recovery.value, effect.regression.value) == (0.3, 0.1)
    assert effect.recovery.interval == wilson(3, 10)
    assert effect.p == mcnemar(3, 1) == Fraction(5, 8)


def test_a_skill_has_its_effect_on_the_tasks_that_it_was_given_for() -> None:
    results = [
        result(False, True, "ab", "By a and then b."),
        result(False, True, "a", "Looking."),
        result(True, False, "a", "By a."),
        result(True, False, "b"),
        result(False, True, ""),
        result(True, True, "ac", "By c."),
    ]
    a, b, c, d = skill_effects("abcd", results)
    assert a == SkillEffect("a", given=4, cited=2, helped=2, harmed=1)
    assert a.effect == Fraction(1, 4)
    assert (a.helpful, b.helpful, c.helpful, d.helpful) == (True, None, None, None)
    assert (b.effect, c.effect, d.effect) == (0, 0, None)


def test_keep_is_compared_with_helpful_and_ties_are_dropped() -> None:
    effects = [
        SkillEffect("kept and helpful", 4, 0, 2, 0),
        SkillEffect("kept and harmful", 4, 0, 0, 1),
        SkillEffect("rejected and helpful", 4, 0, 1, 0),
        SkillEffect("rejected and harmful", 4, 0, 0, 2),
        SkillEffect("kept and neither", 4, 0, 1, 1),
        SkillEffect("never given", 0, 0, 0, 0),
        SkillEffect("never judged", 4, 0, 4, 0),
    ]
    verdicts = {
        "kept and helpful": evidence(Verdict.KEEP, 0.4),
        "kept and harmful": evidence(Verdict.KEEP, 0.1),
        "rejected and helpful": evidence(Verdict.REJECT, -0.1),
        "rejected and harmful": evidence(Verdict.REJECT, -0.4),
        "kept and neither": evidence(Verdict.KEEP, 0.2),
        "never given": evidence(Verdict.KEEP, 0.3),
    }
    found = verdict_quality(effects, verdicts)
    assert found is not None
    assert found.keep == Agreement(1, 1, 1, 1)
    assert found.judged == 5
    # R ranks 5 3 2 1 4; E = 1/2 -1/4 1/4 -1/2 0 ranks 5 2 4 1 3: squared differences 1 4 1.
    assert found.spearman == pytest.approx(1 - 6 * 6 / (5 * 24))
    assert found.pearson is not None
    assert 0 < found.pearson < 1


def test_without_verdicts_there_is_nothing_to_compare() -> None:
    assert verdict_quality([SkillEffect("a", 4, 0, 2, 0)], {}) is None
    assert verdict_quality([SkillEffect("a", 0, 0, 0, 0)], {"a": evidence(Verdict.KEEP, 0.1)}) is None


@given(OUTCOMES)
def test_success_rates_differ_by_recovery_less_regression(
    outcomes: list[tuple[bool, bool, set[str]]],
) -> None:
    results = [result(without, after, "".join(sorted(ids))) for without, after, ids in outcomes]
    effect = library_effect(results)
    without = arm_figures([one.without for one in results])
    after = arm_figures([one.with_library for one in results if one.with_library])
    assert after.success_rate.value - without.success_rate.value == pytest.approx(
        effect.recovery.value - effect.regression.value
    )


@given(OUTCOMES)
def test_where_one_skill_is_given_for_a_task_helps_add_up_to_recoveries(
    outcomes: list[tuple[bool, bool, set[str]]],
) -> None:
    results = [result(without, after, min(ids, default="a")) for without, after, ids in outcomes]
    effects = skill_effects("abc", results)
    effect = library_effect(results)
    assert sum(one.helped for one in effects) == effect.recovered
    assert sum(one.harmed for one in effects) == effect.regressed
    assert sum(one.given for one in effects) == len(results)
