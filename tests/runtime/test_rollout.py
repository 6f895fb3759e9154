"""A run of an agent on an episode, and its record."""

from __future__ import annotations

import json

import attrs
import msgspec
import pytest
from corridor import Corridor, Seeker
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.compiler.environment import Decision, Exchange, Family, Frame, Guidance, Situation
from skillsandbox.runtime.rollout import Step, Trajectory, cites, rollout

GUIDANCE = Guidance("c/right", "The lamp is to the right.", "Go right first.")


def test_a_run_records_what_was_seen_before_each_action_and_ends_when_the_task_is_won() -> None:
    trajectory = rollout(Corridor(4, 3), Seeker(GUIDANCE), GUIDANCE, 12)
    assert trajectory == Trajectory(
        (
            Step("You are in room 2.", "right", "right", "By c/right, right first.", True, True),
            Step("You are in  room 3.", "take lamp", " take lamp ", "The lamp is here.", True, False),
        ),
        True,
        "You have the lamp.",
        1.0,
    )


def test_a_run_ends_at_the_step_limit_unwon() -> None:
    trajectory = rollout(Corridor(4, 4), Seeker(None), None, 3)
    assert len(trajectory.steps) == 3
    assert not trajectory.success


class Mistaken:
    def decide(self, situation: Situation) -> Decision:
        return Decision("", "fly" if len(situation.past) == 0 else "right")


def test_an_action_that_is_not_admissible_is_executed_as_it_stands_and_costs_a_step() -> None:
    trajectory = rollout(Corridor(4, 4), Mistaken(), None, 2)
    assert [(step.action, step.admissible) for step in trajectory.steps] == [("fly", False), ("right", True)]
    assert trajectory.steps[1].observation == "Nothing happens."
    assert trajectory.actions == ("fly", "right")


class Unreadable:
    def decide(self, situation: Situation) -> Decision:
        return Decision("", "", "go right, then left", ("is not one JSON object",))


def test_what_a_model_wrote_is_kept_beside_the_action_that_was_executed() -> None:
    (step,) = rollout(Corridor(4, 4), Unreadable(), None, 1).steps
    assert (step.action, step.raw, step.admissible) == ("", "go right, then left", False)
    assert step.faults == ("is not one JSON object",)


CALLS = Family("call <a name>", r"call [a-z]+")


@pytest.mark.parametrize(
    ("command", "admitted"),
    [
        ("right", True),
        ("call anna", True),
        ("call <a name>", False),
        ("call anna!", False),
        ("please call anna", False),
        ("fly", False),
    ],
)
def test_a_command_is_admissible_if_it_is_listed_or_of_a_family_but_a_form_is_no_command(
    command: str, admitted: bool
) -> None:
    frame = Frame("", ("right", CALLS.form), won=False, done=False, reward=0.0, families=(CALLS,))
    assert frame.admits(command) is admitted


class Telephone(Corridor):
    def _frame(self, observation: str) -> Frame:
        return attrs.evolve(super()._frame(observation), families=(CALLS,))


class Caller:
    def __init__(self) -> None:
        self.families: list[tuple[Family, ...]] = []

    def decide(self, situation: Situation) -> Decision:
        self.families.append(situation.families)
        return Decision("", "call anna" if len(situation.past) == 0 else "call <a name>")


def test_the_agent_is_shown_families_and_what_it_writes_in_one_is_admissible() -> None:
    caller = Caller()
    trajectory = rollout(Telephone(4, 4), caller, None, 2)
    assert caller.families == [(CALLS,), (CALLS,)]
    assert [step.admissible for step in trajectory.steps] == [True, False]


def test_a_run_without_a_skill_cites_none() -> None:
    trajectory = rollout(Corridor(4, 3), Seeker(GUIDANCE), None, 12)
    assert not any(step.cites for step in trajectory.steps)


class Started(Corridor):
    history = (Exchange("The door opens.", "open door"),)


class Recorder:
    def __init__(self) -> None:
        self.pasts: list[tuple[Exchange, ...]] = []

    def decide(self, situation: Situation) -> Decision:
        self.pasts.append(situation.past)
        return Decision("", "left")


def test_the_agent_is_shown_the_history_and_what_it_did() -> None:
    recorder = Recorder()
    rollout(Started(4, 4), recorder, None, 2)
    assert recorder.pasts == [
        (Exchange("The door opens.", "open door"),),
        (Exchange("The door opens.", "open door"), Exchange("You are in room 2.", "left")),
    ]


class Over(Corridor):
    def reset(self) -> Frame:
        return Frame("Done.", (), won=False, done=True, reward=0.0)


def test_an_episode_that_is_over_at_its_start_has_no_steps() -> None:
    assert rollout(Over(4, 4), Mistaken(), None, 5) == Trajectory((), False, "Done.", 0.0)


@pytest.mark.parametrize(
    "rationale",
    [
        "By gen_1, left.",
        "gen_1",
        "I use gen_1.",
        "(gen_1)",
        "gen_1: go",
        "`gen_1`",
        "Left - gen_1 - now",
        "“gen_1”",
    ],
)
def test_a_rationale_that_names_the_id_cites_it(rationale: str) -> None:
    assert cites(rationale, "gen_1")


@pytest.mark.parametrize(
    "rationale",
    [
        "By gen_12, left.",
        "gen",
        "xgen_1",
        "alfworld/gen_1",
        "gen_1/a",
        "gen_1-b",
        "v.gen_1",
        "GEN_1",
        "gen 1",
        "",
    ],
)
def test_a_rationale_that_names_another_id_does_not(rationale: str) -> None:
    assert not cites(rationale, "gen_1")


def test_an_id_is_matched_letter_by_letter_not_as_a_pattern() -> None:
    assert cites("by a.b/(c)+ now", "a.b/(c)+")
    assert not cites("by aXb now", "a.b")


texts = st.text(max_size=8)
trajectories = st.builds(
    Trajectory,
    st.lists(st.builds(Step, texts, texts, texts, texts, st.booleans(), st.booleans()), max_size=3).map(
        tuple
    ),
    st.booleans(),
    texts,
    st.floats(0, 1),
)


@given(trajectories)
def test_a_trajectory_survives_json(trajectory: Trajectory) -> None:
    assert Trajectory.from_data(json.loads(json.dumps(trajectory.to_data()))) == trajectory


def test_other_data_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        Trajectory.from_data({"steps": [{"observation": 1}]})
