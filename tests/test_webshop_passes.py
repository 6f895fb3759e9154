"""From a program to a shop: what building, verifying and lowering guarantee on WebShop."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillsandbox.compiler import errors
from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.diagnostics import Severity, Source
from skillsandbox.compiler.driver import Compiled, compile_source
from skillsandbox.compiler.environment import Refused, SourceTask
from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.lowerer import lower, save
from skillsandbox.compiler.manifest import load
from skillsandbox.compiler.resolver import checks
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.webshop import environment as webshop

ENVIRONMENTS = {"webshop": webshop}
QUERY = "hairdressing backpack easy to clean"
BACKPACK = """
scenario easy_clean_backpack for webshop {{
  condition "A product must be checked for an easy-to-clean requirement."
    arises in {mode}

  let ?target: Product where {where}
  let ?rival:  Product where ?rival.category == ?target.category and ?rival.price > $50 and ?rival != ?target

  goal buy ?target {{ {goal} }}
  say  "{say}"

  build {{ {build} }}
  {history}
  require {{ {require} }}
  encounter {{ {encounter} }}
  novel in ?target.category, ?target.query, ?rival
}}
"""
PARTS = {
    "mode": "rollout",
    "where": '?target.title contains "backpack" and ?target.price < $50',
    "goal": 'attribute "easy clean"  price < $50',
    "say": "I want a {?target.kind} that is easy to clean, under $50",
    "build": """
    alter ?target.features add "Easy clean: wipe with a damp cloth"   for claimed_once
    alter ?target.description remove "easy clean"                     for claimed_once
    add distractor like ?target { price $79  without attribute "easy clean" }
    rank ?target 3 for query "hairdressing backpack easy to clean"    for third
    """,
    "history": "",
    "require": """
    claimed_once: ?target.features contains "easy clean" and not ?target.description contains "easy clean"
    third:        rank(?target, "hairdressing backpack easy to clean") == 3
    """,
    "encounter": """
    section_read: eventually viewed(?target, features)
    bought_after: viewed(?target, features) before clicked("buy now")
    """,
}


def compiled(seed: int = 0, novelty: Novelty | None = None, **changes: str) -> Compiled:
    text = BACKPACK.format(**{**PARTS, **changes})
    return compile_source(Source("test", text), ENVIRONMENTS, seed, novelty or Novelty())


def wrong(outcome: Compiled) -> list[type[errors.Diagnostic]]:
    return [type(one) for one in outcome.diagnostics if one.severity is Severity.ERROR]


def scenario(seed: int = 0, **changes: str) -> Scenario:
    outcome = compiled(seed, **changes)
    assert wrong(outcome) == []
    return outcome.scenarios[0]


@pytest.mark.parametrize("seed", range(8))
def test_a_scenario_meets_its_requirements_and_its_plan_scores_one(seed: int) -> None:
    made = scenario(seed)
    moment = webshop().moment(made.configuration)
    for check in checks(made.syntax(webshop()).require):
        assert evaluate(check.condition, made.binding, moment) is True
    run = made.task(webshop()).run(made.plan)
    assert run.won[0] is False
    assert run.won[-1] is True
    assert run.refused == ()
    assert len(made.plan) <= webshop().step_limit
    episode = made.task(webshop()).episode(made.history, webshop().step_limit)
    episode.reset()
    frames = [episode.step(command) for command in made.plan]
    assert [frame.reward for frame in frames] == [*[0.0] * (len(frames) - 1), 1.0]
    assert (frames[-1].won, frames[-1].done) == (True, True)


def test_the_same_seed_gives_the_same_scenario_and_other_seeds_others() -> None:
    assert scenario(3) == scenario(3)
    assert len({scenario(seed).digest for seed in range(6)}) == 6


def test_the_wording_speaks_of_what_is_bound() -> None:
    made = scenario(say="{?target.title} for less than {?target.price}")
    product = made.configuration.catalogue.product(made.binding["target"].key)
    assert made.instruction == f"{product.title} for less than ${product.price / 100:.2f}"


def test_the_agent_finds_the_target_where_it_was_ranked() -> None:
    made = scenario()
    episode = made.task(webshop()).episode((), webshop().step_limit)
    episode.reset()
    frame = episode.step(f"search[{QUERY}]")
    links = [action for action in frame.admissible if action.startswith("click[b0")]
    assert links[2] == f"click[{made.binding['target'].key.lower()}]"


def test_a_saved_scenario_is_loaded_as_it_was_and_its_overlay_is_small(tmp_path: Path) -> None:
    made = scenario()
    folder = save(lower(made, webshop()), tmp_path)
    assert load(folder, ENVIRONMENTS) == made
    assert sorted(path.name for path in folder.iterdir()) == ["overlay.json", "scenario.json"]
    assert (folder / "overlay.json").stat().st_size < 8_000
    assert webshop().source_task(folder).values["Product"] == {made.binding["target"].key}


def test_options_of_the_goal_are_chosen_before_the_purchase() -> None:
    made = scenario(
        where='?target.title contains "backpack" and offers(?target, "color", "black")',
        goal='option "color" "black"',
        build='reprice option "color" "black" of ?target to $12',
        require='price: price(?target, "color", "black") == $12',
        encounter='chosen_black: chose(?target, "black") before buys',
    )
    assert made.plan[-2:] == ("click[black]", "click[buy now]")


NEW_COLOUR = {
    "where": 'offers(?target, "color", "black")',
    "goal": "price < $200",
    "build": 'add option "Color" "Storm/Teal" to ?target',
    "require": 'offered: offers(?target, "color", "storm | teal")',
    "encounter": 'chosen: eventually chose(?target, "storm | teal")',
}


@pytest.mark.parametrize(
    "changes",
    [
        {"goal": 'option "color" "storm | teal"'},
        {"build": 'add option "color" "storm | teal" to ?target price $12'},
        {"build": 'rename option "color" "black" of ?target to "Storm/Teal"'},
        {
            "build": 'add option "Thickness" "2 cm" to ?target',
            "require": 'offered: offers(?target, "thickness", "2 cm")',
            "encounter": 'chosen: eventually chose(?target, "2 cm")',
        },
        {
            "build": NEW_COLOUR["build"] + ' withdraw option "color" "storm | teal" of ?target',
            "require": 'listed: offers(?target, "color", "storm | teal") '
            'and not available(?target, "color", "storm | teal")',
        },
        {
            "build": 'rename option "color" "black" of ?target to "storm | teal" '
            'reprice option "color" "storm | teal" of ?target to $12',
            "require": 'priced: price(?target, "color", "storm | teal") == $12',
        },
    ],
)
def test_an_option_that_the_program_brings_in_can_be_spoken_of(changes: dict[str, str]) -> None:
    assert scenario(**{**NEW_COLOUR, **changes}).plan


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"where": 'offers(?target, "color", "storm | teal")'}, errors.UnknownWord),
        ({"require": 'offered: offers(?target, "color", "storm | tael")'}, errors.UnknownWord),
        ({"require": 'offered: offers(?target, "color", "Storm/Teal")'}, errors.UnknownWord),
        ({"build": 'reprice option "color" "storm | teal" of ?target to $12'}, errors.UnknownWord),
        (
            {
                "build": NEW_COLOUR["build"] + ' withdraw option "color" "storm | teal" of ?rival',
                "require": "dear: ?rival.price > $50",
            },
            errors.Impossible,
        ),
    ],
)
def test_an_option_that_the_program_does_not_bring_in_there_is_unknown(
    changes: dict[str, str], kind: type[errors.Diagnostic]
) -> None:
    assert kind in wrong(compiled(**{**NEW_COLOUR, **changes}))


def test_a_word_that_the_program_brings_in_is_offered_as_what_was_meant() -> None:
    found = compiled(**{**NEW_COLOUR, "require": 'offered: offers(?target, "color", "storm | tael")'})
    (unknown,) = [one for one in found.diagnostics if isinstance(one, errors.UnknownWord)]
    assert unknown.suggestion == "storm | teal"


def test_the_history_is_executed_before_the_first_step() -> None:
    made = scenario(
        mode="history", history=f'history {{ search "{QUERY}" open ?target view ?target features }}'
    )
    episode = made.task(webshop()).episode(made.history, webshop().step_limit)
    frame = episode.reset()
    assert len(episode.history) == 3
    assert "Easy clean: wipe with a damp cloth" in frame.observation
    assert made.plan == ("click[< prev]", "click[buy now]")


@pytest.mark.parametrize(
    "encounter",
    [
        'eventually searched("hairdressing backpack easy to clean")',
        "eventually (listed(?target, 3) and sees price(?target, within))",
        "eventually (on page(?target) and reading(?target, reviews))",
        'eventually opened(?target) then clicked("back to search") then buys',
        "eventually nothing happens or nothing bought",
        "bought(?target) and never nothing happens or eventually searches",
    ],
)
def test_what_can_happen_in_a_shop_can_be_demanded(encounter: str) -> None:
    assert scenario(encounter=f"it: {encounter}").plan


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"goal": 'attribute "easy claen"'}, errors.UnknownWord),
        ({"goal": 'option "color" "blak"'}, errors.UnknownWord),
        ({"where": '?target.kind == "bags and cases"'}, errors.UnknownWord),
        ({"goal": 'attribute "easy clean" price < $1'}, errors.Unsolvable),
        ({"build": "change nothing"}, errors.RequirementFails),
        ({"build": "remove ?target", "require": "gone: not ?rival.price < $50"}, errors.TaskRefused),
        ({"build": 'alter ?target.title replace "no such words" with "x"'}, errors.OperationRefused),
        ({"build": 'rank ?target 50 for query "backpack"'}, errors.OperationRefused),
        ({"encounter": "it: eventually (bought(?target) and on page(?rival))"}, errors.EncounterUnreachable),
        ({"mode": "initial"}, errors.NotInitially),
        ({"mode": "history", "history": "history { open ?target }"}, errors.HistoryInadmissible),
        ({"say": "one [SEP] two"}, errors.WordingRefused),
        ({"say": "one\\ntwo"}, errors.WordingRefused),
        ({"where": "?target.price < $1"}, errors.Unsatisfiable),
    ],
)
def test_a_scenario_that_is_none_is_refused_with_the_reason(
    changes: dict[str, str], kind: type[errors.Diagnostic]
) -> None:
    outcome = compiled(**changes)
    assert outcome.scenarios == ()
    assert kind in wrong(outcome)


def test_markup_in_a_product_s_text_is_text() -> None:
    made = scenario(build=PARTS["build"] + 'alter ?target.features add "<b>bold</b> \\{\\{ 1 + 1 \\}\\}"')
    task = made.task(webshop())
    page = task.run((*made.plan[:-1], "click[features]")).moments[-1]
    assert "<b>bold</b> {{ 1 + 1 }}" in str(page.field(made.binding["target"], "features"))


def test_siblings_differ_in_the_novel_dimensions() -> None:
    values: list[tuple[object, ...]] = []
    for seed in range(5):
        outcome = compiled(seed, Novelty(siblings=tuple(values)))  # type: ignore[arg-type]
        values.append(tuple(value for _, value in outcome.scenarios[0].novelty))
    assert len(set(values)) == 5


def test_a_scenario_differs_from_the_source_task() -> None:
    source = SourceTask({"Category": frozenset({"beauty"})})
    where = "?target.price < $50"
    for seed in range(3):
        (made,) = compiled(seed, Novelty(source=source), where=where).scenarios
        assert dict(made.novelty)["?target.category"] != "beauty"


def test_an_official_catalogue_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEBSHOP_DATA", raising=False)
    text = BACKPACK.format(**PARTS).replace("  let ?target", '  from catalogue "small"\n  let ?target', 1)
    outcome = compile_source(Source("test", text), ENVIRONMENTS, 0)
    assert wrong(outcome) == [errors.BaseNotFound]


def test_the_official_engine_is_not_to_be_had() -> None:
    from skillsandbox.compiler.environment import Unavailable

    with pytest.raises(Unavailable):
        scenario().task(webshop()).replay(())


def test_a_source_task_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused):
        webshop().source_task(tmp_path / "nowhere.json")
    (tmp_path / "goal.json").write_text('{"asin": "B000000000"}')
    with pytest.raises(Refused):
        webshop().source_task(tmp_path / "goal.json")
