"""From a program to a scenario: what building, verifying and lowering guarantee."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillsandbox.compiler import errors
from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import Compiled, compile_source
from skillsandbox.compiler.environment import SourceTask
from skillsandbox.compiler.evaluator import evaluate
from skillsandbox.compiler.lowerer import lower, save
from skillsandbox.compiler.manifest import ManifestError, load
from skillsandbox.compiler.resolver import checks
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.alfworld import environment as alfworld

ENVIRONMENTS = {"alfworld": alfworld}
BREAD = """
scenario cool_bread for alfworld {{
  condition "The task needs a stationary appliance on a movable object that is somewhere else."
    arises in {mode}
  let ?food: Object where ?food.type in [Bread, Apple, Tomato]
  let ?start: Receptacle where ?start.type in [DiningTable, CounterTop]
  let ?tool: Receptacle where ?tool.type == Fridge and distance(?start, ?tool) >= 4
  let ?dest: Receptacle where ?dest.type == CounterTop and ?dest != ?start
  goal {goal}
  say "{say}"
  build {{ {build} }}
  {history}
  require {{ within_reach: ?food on ?start  shut: not ?tool.open }}
  encounter {{ {encounter} }}
  novel in scene, ?food.type
}}
"""
PARTS = {
    "mode": "rollout",
    "goal": "put cool ?food.type in ?dest.type",
    "say": "put a cool {?food.type} in {?dest.type}",
    "build": "place ?food on ?start for within_reach close ?tool for shut add 2 ?food.type except on ?start "
    "agent at ?start",
    "history": "",
    "encounter": "tool_needed: eventually (agent at ?tool and agent holds ?food)",
}


def compiled(seed: int = 0, novelty: Novelty | None = None, **changes: str) -> Compiled:
    text = BREAD.format(**{**PARTS, **changes})
    return compile_source(Source("test", text), ENVIRONMENTS, seed, novelty or Novelty())


def scenario(seed: int = 0, **changes: str) -> Scenario:
    outcome = compiled(seed, **changes)
    assert outcome.diagnostics == ()
    return outcome.scenarios[0]


@pytest.mark.parametrize("seed", range(5))
def test_a_scenario_meets_its_requirements_leaves_its_goal_open_and_is_won_by_its_plan(seed: int) -> None:
    made = scenario(seed)
    moment = alfworld().moment(made.configuration)
    for check in checks(made.syntax(alfworld()).require):
        assert evaluate(check.condition, made.binding, moment) is True
    run = made.task(alfworld()).run(made.plan)
    assert run.won[0] is False
    assert run.won[-1] is True
    assert run.refused == ()
    assert len(made.plan) <= alfworld().step_limit


def test_the_same_seed_gives_the_same_scenario_and_another_seed_another() -> None:
    assert scenario(3) == scenario(3)
    assert len({scenario(seed).digest for seed in range(6)}) == 6


def test_the_wording_speaks_of_what_is_bound() -> None:
    made = scenario()
    food, dest = (made.binding[name].key.split("|")[0].lower() for name in ("food", "dest"))
    assert made.instruction == f"put a cool {food} in {dest}"


def test_a_saved_scenario_is_loaded_as_it_was(tmp_path: Path) -> None:
    made = scenario()
    folder = save(lower(made, alfworld()), tmp_path)
    assert load(folder, ENVIRONMENTS) == made
    assert load(folder / "scenario.json", ENVIRONMENTS) == made
    assert sorted(path.name for path in folder.iterdir()) == [
        "game.tw-pddl",
        "initial_state.pddl",
        "scenario.json",
        "traj_data.json",
    ]


@pytest.mark.parametrize("content", ["", "{}", "[]", "not json", '{"environment": "mars"}'])
def test_a_broken_manifest_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "scenario.json").write_text(content)
    with pytest.raises(ManifestError, match=r"scenario\.json"):
        load(tmp_path, ENVIRONMENTS)


def test_a_manifest_lists_what_a_person_asks_of_it(tmp_path: Path) -> None:
    folder = save(lower(scenario(), alfworld()), tmp_path)
    manifest = json.loads((folder / "scenario.json").read_text())
    asked = {
        "program",
        "binding",
        "seed",
        "data_version",
        "require",
        "encounter",
        "instruction",
        "plan",
        "digest",
    }
    assert asked <= set(manifest)


def test_siblings_differ_in_the_novel_dimensions() -> None:
    values: list[tuple[object, ...]] = []
    for seed in range(8):
        outcome = compiled(seed, Novelty(siblings=tuple(values)))  # type: ignore[arg-type]
        values.append(tuple(value for _, value in outcome.scenarios[0].novelty))
    assert len(set(values)) == 8


def test_a_scenario_differs_from_the_source_task_in_every_novel_dimension() -> None:
    source = SourceTask({"ObjectType": frozenset({"Bread", "Apple"})})
    for seed in range(4):
        made = compiled(seed, Novelty(source=source)).scenarios[0]
        assert made.binding["food"].key.startswith("Tomato")


def test_where_nothing_novel_is_left_the_program_is_told_so() -> None:
    source = SourceTask({"ObjectType": frozenset({"Bread", "Apple", "Tomato"})})
    assert [type(one) for one in compiled(0, Novelty(source=source)).diagnostics] == [errors.NothingNovel]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"build": "place ?food on ?start remove ?food agent at ?start"}, errors.RequirementFails),
        ({"build": "remove ?food place ?food on ?start"}, errors.OperationRefused),
        ({"build": "place ?food on ?start open ?tool"}, errors.RequirementFails),
        ({"goal": "put ?food.type in ?start.type"}, errors.GoalAlreadyTrue),
        ({"encounter": "never_so: eventually (?tool.open and not ?tool.open)"}, errors.EncounterUnreachable),
        ({"mode": "initial"}, errors.NotInitially),
        ({"mode": "history", "history": "history { open ?tool }"}, errors.HistoryInadmissible),
        (
            {
                "mode": "history",
                "history": "history { take ?food from ?start  go to ?tool  cool ?food with ?tool "
                "go to ?dest  move ?food to ?dest }",
            },
            errors.GoalAlreadyTrue,
        ),
        ({"say": 'put it \\"there\\"'}, errors.WordingRefused),
        ({"say": "put it | there"}, errors.WordingRefused),
        ({"say": "put it # there"}, errors.WordingRefused),
        ({"say": "put it \\{1+1\\} there"}, errors.WordingRefused),
        ({"say": "put it\\nthere"}, errors.WordingRefused),
    ],
)
def test_a_scenario_that_is_none_is_refused_with_the_reason(
    changes: dict[str, str], kind: type[errors.Diagnostic]
) -> None:
    outcome = compiled(**changes)
    assert outcome.scenarios == ()
    assert kind in [type(one) for one in outcome.diagnostics]


def test_a_check_of_what_has_been_removed_can_never_come_about() -> None:
    text = BREAD.format(
        **{**PARTS, "build": f"{PARTS['build']} remove ?gone", "encounter": "x: eventually ?gone.clean"}
    )
    text = text.replace("  goal", "  let ?gone: Object where ?gone.type == Mug\n  goal", 1)
    (found,) = compile_source(Source("test", text), ENVIRONMENTS, 0).diagnostics
    assert isinstance(found, errors.EncounterUnreachable)
    assert found.message.endswith("`x`: the Mug has been removed")


def test_the_history_is_executed_before_the_first_step() -> None:
    made = scenario(mode="history", history="history { go to ?tool  open ?tool }")
    episode = made.task(alfworld()).episode(made.history, alfworld().step_limit)
    frame = episode.reset()
    assert [exchange.action for exchange in episode.history] == list(made.history)
    assert frame.observation.startswith("You open the fridge 1.")
    for command in made.plan:
        frame = episode.step(command)
    assert frame.won


def test_an_unsupported_condition_gives_a_warning_and_no_scenario() -> None:
    text = 'scenario dented for alfworld { condition "The box is dented." unsupported "no such property" }'
    outcome = compile_source(Source("test", text), ENVIRONMENTS, 0)
    assert [type(one) for one in outcome.diagnostics] == [errors.ConditionUnsupported]
    assert not outcome.failed
    assert outcome.scenarios == ()


def test_a_faulty_scenario_does_not_keep_the_others_of_its_file_from_being_built() -> None:
    good = BREAD.format(**PARTS)
    bad = good.replace("cool_bread", "other").replace("Fridge", "Frige")
    outcome = compile_source(Source("test", bad + good), ENVIRONMENTS, 0)
    assert [made.name for made in outcome.scenarios] == ["cool_bread"]
    assert outcome.failed
