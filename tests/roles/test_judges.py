"""The judges: what they are shown, what they are not, and what stands where a reply cannot be read."""

from __future__ import annotations

import json

import attrs
import pytest
from endpoint import Endpoint, blocks, schema_of, text_of
from scripted import Say

from skillsandbox.compiler.environment import Exchange
from skillsandbox.envs.alfworld import environment
from skillsandbox.runtime.judges import ModelScenarioJudge, ModelStepJudge
from skillsandbox.runtime.library import shipped_programs
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.rollout import Step
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Candidate

SKILL = Skill("set/doors_1", "Nothing is in sight.", "Open what is closed.", "Doors", "a test")
SCENARIO = BuiltScenario("find the key", "d1", "scenario …", ("go to box",), "there")
PAST = tuple(Exchange(f"Observation {n}.", f"action {n}") for n in range(4))
STEP = Step("You see a box.", "open box", " open box ", "By set/doors_1, since I will win.", True, True)


def said(answer: object, key: str = "carries_out") -> str:
    return json.dumps({"reason": "So it is.", key: answer})


def step_judge(scripted: Endpoint, memory: int = 2) -> ModelStepJudge:
    return ModelStepJudge(scripted.model, memory, 0)


@pytest.mark.parametrize("answer", [True, False])
def test_a_step_carries_the_principle_out_or_not_as_the_model_says(scripted: Endpoint, answer: bool) -> None:
    scripted.will_reply(said(answer))
    judgement = step_judge(scripted).carries_out(SKILL, SCENARIO, PAST, STEP)
    assert (judgement.holds, judgement.reason, judgement.faults) == (answer, "So it is.", ())
    assert scripted.asked[0].body["temperature"] == 0


def test_the_steps_judge_sees_the_principle_and_what_the_agent_saw_before_it_acted(
    scripted: Endpoint,
) -> None:
    scripted.will_reply(said(True))
    step_judge(scripted).carries_out(SKILL, SCENARIO, PAST, STEP)
    (prompt,) = scripted.prompts
    assert list(blocks(prompt, "advice")) == [
        "condition: Nothing is in sight.\nprinciple: Open what is closed."
    ]
    assert list(blocks(prompt, "task")) == ["find the key"]
    assert list(blocks(prompt, "history")) == ["go to box"]
    assert list(blocks(prompt, "observation")) == [
        "Observation 0.",
        "Observation 2.",
        "Observation 3.",
        "You see a box.",
    ]
    assert list(blocks(prompt, "action")) == ["action 2", "action 3", "open box"]


def test_the_steps_judge_sees_neither_outcome_nor_arm_nor_the_agents_reasons(scripted: Endpoint) -> None:
    """Whatever distinguishes the arms and comes of the run changes nothing in what is sent."""
    scripted.will_reply(said(True))
    first = step_judge(scripted).carries_out(SKILL, SCENARIO, PAST, STEP)
    without_arm = attrs.evolve(
        STEP, rationale="No id here.", cites=False, raw="open box", faults=("is empty",)
    )
    assert step_judge(scripted).carries_out(SKILL, SCENARIO, PAST, without_arm) == first
    assert len(scripted.asked) == 1
    for told in ("set/doors_1", "since I will win", "rationale", "success", "reward", "with the skill"):
        assert told not in scripted.everything


def test_of_a_step_the_rule_decides_alone_where_the_judge_cannot_be_read_twice(scripted: Endpoint) -> None:
    scripted.will_reply("Yes, it does.", said("yes"))
    judgement = step_judge(scripted).carries_out(SKILL, SCENARIO, PAST, STEP)
    assert judgement.holds
    assert judgement.reason.endswith("so the rule alone decides")
    assert len(judgement.faults) == 2


def test_one_reply_that_cannot_be_read_is_asked_for_again_and_counted(scripted: Endpoint) -> None:
    scripted.will_reply(Say(said(True), finish="length"), f"```json\n{said(False)}\n```")
    judgement = step_judge(scripted).carries_out(SKILL, SCENARIO, PAST, STEP)
    assert not judgement.holds
    assert len(judgement.faults) == 1


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> InstalledStage:
    return InstalledStage(environment(), tmp_path_factory.mktemp("stage"), "native")


@pytest.fixture(scope="module")
def built(stage: InstalledStage) -> BuiltScenario:
    programs = {program.name: program for program in shipped_programs(stage.environment)}
    scenario = stage.compile(Candidate("drawer", programs["hidden_behind_a_door"].text, 0), ())
    assert isinstance(scenario, BuiltScenario)
    return scenario


def test_the_scenarios_judge_sees_the_specification_and_what_was_built_of_it(
    scripted: Endpoint, stage: InstalledStage, built: BuiltScenario
) -> None:
    scripted.will_reply(said(True, "meets"))
    assert ModelScenarioJudge(scripted.model, stage, 0).meets(SKILL, built).holds
    (prompt,) = scripted.prompts
    assert list(blocks(prompt, "condition")) == ["Nothing is in sight."]
    assert list(blocks(prompt, "program")) == [built.program]
    assert list(blocks(prompt, "task")) == [built.instruction]
    (particulars,) = blocks(prompt, "built")
    assert particulars.startswith("?target is ")
    assert "\n+ " in particulars
    (opening,) = blocks(prompt, "observation")
    assert built.instruction in opening
    assert SKILL.principle not in text_of(scripted.asked[0])
    assert schema_of(scripted.asked[0])["required"] == ["reason", "meets"]


def test_what_was_done_before_the_first_step_is_shown(
    scripted: Endpoint, stage: InstalledStage, built: BuiltScenario
) -> None:
    scripted.will_reply(said(True, "meets"))
    ModelScenarioJudge(scripted.model, stage, 0).meets(SKILL, attrs.evolve(built, history=("look", "go")))
    assert list(blocks(scripted.prompts[0], "history")) == ["look\ngo"]


def test_a_scenario_is_not_taken_where_the_judge_cannot_be_read_twice(
    scripted: Endpoint, stage: InstalledStage, built: BuiltScenario
) -> None:
    scripted.will_reply("Fine.", "")
    judgement = ModelScenarioJudge(scripted.model, stage, 0).meets(SKILL, built)
    assert not judgement.holds
    assert judgement.reason == "its reply is empty"
    assert len(judgement.faults) == 2


def test_judges_differ_in_all_that_determines_their_answers(
    scripted: Endpoint, stage: InstalledStage
) -> None:
    judges = [
        ModelStepJudge(scripted.model, 2, 0),
        ModelStepJudge(scripted.model, 3, 0),
        ModelStepJudge(scripted.model, 2, 1),
        ModelScenarioJudge(scripted.model, stage, 0),
    ]
    assert len({judge.identity for judge in judges}) == len(judges)
