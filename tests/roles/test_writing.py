"""A language model as Proposer: programs are written, sent back with what the compiler says, or declined."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from endpoint import Endpoint, blocks, endpoint, schema_of, text_of
from scripted import Answer, Say, ScriptedServer

from skillsandbox.envs.alfworld import environment
from skillsandbox.runtime.builder import build_scenarios
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.library import shipped_programs
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.proposer import Attempt, Declined
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.skills import Skill, Source
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Refusal
from skillsandbox.runtime.writing import REPAIRS, ModelProposer, model_proposer

SKILL = Skill("set/1", "The object is in a closed drawer.", "Open drawers first.", "Drawers", "a test")
PROGRAM = """scenario in_a_drawer for alfworld {
  condition "The object is in a closed drawer." arises in rollout

  let ?thing: Object where ?thing.type in [Book, Pen, Pencil]
  let ?hide: Receptacle where ?hide.type == Drawer
  let ?dest: Receptacle where ?dest.type in [Desk, Bed]

  goal put ?thing.type in ?dest.type
  say "put a {?thing.type} in {?dest.type}"

  build {
    remove every ?thing.type except ?thing
    place ?thing in ?hide for hidden
    close ?hide for hidden
  }
  require {
    hidden: ?thing in ?hide and not ?hide.open
  }
  encounter {
    found: agent opens ?hide then agent takes ?thing
  }
  novel in scene, ?thing.type
}
"""
MISSPELT = PROGRAM.replace("== Drawer", "== Drawr")
UNBUILDABLE = PROGRAM.replace("agent opens ?hide then agent takes ?thing", "at start agent holds ?thing")
UNSUPPORTED = (
    'scenario dented for alfworld {\n  condition "The box is dented." unsupported "nothing is dented here"\n}'
)


def interpretation(arises: str = "rollout", reason: str = "A drawer is there.") -> str:
    return json.dumps({"reason": reason, "arises": arises, "plan": "Hide it."})


@pytest.fixture
def stage(tmp_path: Path) -> InstalledStage:
    return InstalledStage(environment(), tmp_path / "scenarios", "native")


def proposer(scripted: Endpoint, stage: InstalledStage, seed: int = 0) -> ModelProposer:
    return model_proposer(scripted.model, stage, shipped_programs(stage.environment), seed, compact=True)


def proposed(
    scripted: Endpoint, stage: InstalledStage, *replies: str | Answer, tried: tuple[Attempt, ...] = ()
) -> Candidate:
    scripted.will_reply(interpretation(), *replies)
    candidate = proposer(scripted, stage).propose(SKILL, tried)
    assert isinstance(candidate, Candidate)
    return candidate


def faults(prompt: str) -> Any:
    (shown,) = blocks(prompt, "diagnostics")
    return json.loads(shown)


def test_a_condition_is_interpreted_and_a_program_written(scripted: Endpoint, stage: InstalledStage) -> None:
    candidate = proposed(scripted, stage, PROGRAM)
    assert (candidate.name, candidate.text) == ("in_a_drawer", PROGRAM)
    assert isinstance(stage.compile(candidate, ()), BuiltScenario)
    first, second = scripted.asked
    assert schema_of(first)["properties"]["arises"]["enum"][-1] == "unsupported"
    assert list(blocks(text_of(first), "skill")) == [
        "condition: The object is in a closed drawer.\nprinciple: Open drawers first."
    ]
    assert second.body["messages"][:2] == first.body["messages"]
    assert "%llguidance" in second.body["grammar"]


@pytest.mark.parametrize(
    "reply",
    [
        f"```scn\n{PROGRAM}```",
        f"Here is the program:\n\n{PROGRAM}\nIt hides the object.",
        f"# A scenario\n\nscenario programs are fun\n\n{PROGRAM}\n## Why\nIt hides the object.",
        f"<program>\n{PROGRAM}</program>",
        " ".join(PROGRAM.split("\n")),
    ],
)
def test_fences_and_words_around_a_program_are_left_out(
    scripted: Endpoint, stage: InstalledStage, reply: str
) -> None:
    assert proposed(scripted, stage, reply).text == PROGRAM


def test_what_the_compiler_says_goes_back_with_its_fix_until_the_program_is_right(
    scripted: Endpoint, stage: InstalledStage
) -> None:
    on_one_line = " ".join(UNBUILDABLE.split("\n"))
    candidate = proposed(scripted, stage, MISSPELT, on_one_line, PROGRAM)
    assert candidate.text == PROGRAM
    (misspelt,) = faults(scripted.prompts[2])
    assert (misspelt["code"], misspelt["line"], misspelt["text"]) == ("SCN104", 5, "Drawr")
    assert misspelt["fix"] == {
        "title": "replace by `Drawer`",
        "edits": [{"line": 5, "column": 45, "text": "Drawr", "replacement": "Drawer"}],
    }
    assert None not in misspelt.values()
    (unreachable,) = faults(scripted.prompts[3])
    assert unreachable["code"].startswith("SCN4")
    assert scripted.asked[3].body["messages"][-2]["content"] == UNBUILDABLE.strip()
    assert len(scripted.asked[3].body["messages"]) == len(scripted.asked[2].body["messages"])


def test_after_three_repairs_a_program_is_given_up_and_counts_as_tried(
    scripted: Endpoint, stage: InstalledStage
) -> None:
    candidate = proposed(scripted, stage, *[MISSPELT] * (1 + REPAIRS))
    assert len(scripted.asked) == 1 + 1 + REPAIRS
    refusal = stage.compile(candidate, ())
    assert isinstance(refusal, Refusal)
    assert refusal.complaints == ("SCN104: `Drawr` is not a ReceptacleType",)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "The reply is empty."),
        (Say("I cannot do that.", finish="content_filter"), "The reply was withheld by the provider."),
        (
            Say(PROGRAM[:300], finish="length"),
            "The reply was cut off before its end; a shorter one is needed.",
        ),
        (PROGRAM + PROGRAM.replace("in_a_drawer", "again"), "expected one scenario in the program, found 2"),
        ("I'm sorry, but I can't write this.", None),
        (PROGRAM.replace("alfworld", "webshop"), None),
    ],
)
def test_a_reply_that_is_not_one_program_is_a_fault_to_repair(
    scripted: Endpoint, stage: InstalledStage, reply: str | Answer, fault: str | None
) -> None:
    assert proposed(scripted, stage, reply, PROGRAM).text == PROGRAM
    found = faults(scripted.prompts[2])
    assert found
    assert fault is None or found == [{"message": fault}]


def test_unsupported_is_an_answer_of_the_interpretation(scripted: Endpoint, stage: InstalledStage) -> None:
    scripted.will_reply(interpretation("unsupported", "Nothing can be dented."))
    declined = proposer(scripted, stage).propose(SKILL, ())
    assert isinstance(declined, Declined)
    assert declined.reason == "Nothing can be dented."
    assert [turn.role for turn in declined.transcript] == ["system", "user", "assistant"]


def test_unsupported_is_an_answer_of_a_program(scripted: Endpoint, stage: InstalledStage) -> None:
    scripted.will_reply(interpretation(), MISSPELT, UNSUPPORTED)
    declined = proposer(scripted, stage).propose(SKILL, ())
    assert isinstance(declined, Declined)
    assert declined.reason == "nothing is dented here"
    assert declined.transcript[-1].text == UNSUPPORTED


def test_an_interpretation_that_cannot_be_read_does_not_keep_a_program_from_being_written(
    scripted: Endpoint, stage: InstalledStage
) -> None:
    scripted.will_reply("In the rollout, I think.", "Rollout!", PROGRAM)
    candidate = proposer(scripted, stage).propose(SKILL, ())
    assert isinstance(candidate, Candidate)
    assert candidate.text == PROGRAM


def test_a_proposal_is_kept_with_its_prompts_replies_and_repairs(
    scripted: Endpoint, stage: InstalledStage, tmp_path: Path
) -> None:
    scripted.will_reply(interpretation(), MISSPELT, *[PROGRAM] * 5)
    with open_journal(tmp_path / "journal.jsonl", {}) as journal:
        roles = Roles(proposer(scripted, stage))
        building = build_scenarios(SKILL, roles, stage, journal, lambda attempt: None)
    assert building.complete
    transcript = building.attempts[0].candidate.transcript
    roles_of_turns = [turn.role for turn in transcript]
    assert roles_of_turns == ["system", *["user", "assistant"] * 3]
    assert [turn.text for turn in transcript if turn.role == "assistant"] == [
        interpretation(),
        MISSPELT,
        PROGRAM,
    ]
    with open_journal(tmp_path / "journal.jsonl", {}) as journal:
        again = build_scenarios(SKILL, Roles(proposer(scripted, stage)), stage, journal, lambda attempt: None)
    assert again == building


def test_five_programs_of_one_condition_are_interpreted_once_and_told_of_those_before(
    scripted: Endpoint, stage: InstalledStage, tmp_path: Path
) -> None:
    scripted.will_reply(interpretation(), *[PROGRAM] * 5)
    with open_journal(tmp_path / "journal.jsonl", {}) as journal:
        building = build_scenarios(
            SKILL, Roles(proposer(scripted, stage)), stage, journal, lambda attempt: None
        )
    assert building.complete
    assert len(scripted.asked) == 6
    assert len({scenario.digest for _, scenario in building.scenarios}) == 5
    (earlier,) = blocks(scripted.prompts[-1], "scenarios")
    assert earlier.split("\n") == [
        f"in_a_drawer: {scenario.instruction}" for _, scenario in building.scenarios[:4]
    ]
    assert len({request.body["seed"] for request in scripted.asked}) == 6


def test_refusals_are_told(scripted: Endpoint, stage: InstalledStage) -> None:
    refused = Attempt(Candidate("dull", "", 0), Refusal(("the builder's judge: it is dull", "and more")))
    proposed(scripted, stage, PROGRAM, tried=(refused,))
    assert list(blocks(scripted.prompts[-1], "refusals")) == ["dull: the builder's judge: it is dull"]


def test_the_source_of_a_skill_is_told_where_it_is_known(scripted: Endpoint, stage: InstalledStage) -> None:
    source = Source("alfworld", "t1", "put a pen in desk", {}, True, "0", "1 step: look", "a model", 0)
    scripted.will_reply(interpretation("unsupported"))
    skill = Skill("set/2", SKILL.condition, SKILL.principle, "", "a test", source)
    proposer(scripted, stage).propose(skill, ())
    assert list(blocks(scripted.prompts[0], "source_task")) == ["put a pen in desk"]
    assert list(blocks(scripted.prompts[0], "source_run")) == ["1 step: look"]
    assert "which was solved" in scripted.prompts[0]


def test_proposals_are_a_function_of_skill_seed_and_what_was_tried(
    server: ScriptedServer, stage: InstalledStage, tmp_path: Path
) -> None:
    asked = []
    for cache, seed in (("a", 0), ("b", 0), ("c", 1)):
        with endpoint(server, tmp_path / cache) as scripted:
            before = len(scripted.asked)
            scripted.will_reply(interpretation(), MISSPELT, PROGRAM)
            proposer(scripted, stage, seed).propose(SKILL, ())
            asked.append([request.body for request in scripted.asked[before:]])
    assert asked[0] == asked[1]
    assert asked[0][0]["messages"] == asked[2][0]["messages"]
    assert asked[0][0]["seed"] != asked[2][0]["seed"]


def test_proposers_differ_in_all_that_determines_their_proposals(
    scripted: Endpoint, stage: InstalledStage
) -> None:
    programs = shipped_programs(stage.environment)
    identities = [
        model_proposer(scripted.model, stage, programs, 0, compact=True).identity,
        model_proposer(scripted.model, stage, programs, 1, compact=True).identity,
        model_proposer(scripted.model, stage, programs, 0, compact=False).identity,
        ModelProposer(scripted.model, stage.environment, stage, (), 0).identity,
    ]
    assert len(set(identities)) == len(identities)
    assert model_proposer(scripted.model, stage, programs, 0, compact=True).identity == identities[0]
