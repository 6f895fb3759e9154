"""One run of an agent on an episode, with or without a skill, and its record."""

from __future__ import annotations

import re
from typing import Any

import attrs
import msgspec

from skillsandbox.compiler.environment import Agent, Episode, Exchange, Guidance, Situation


@attrs.frozen
class Step:
    """One step: what was observed before it, the action that was executed, and what the agent said.

    `raw` is the action as the agent wrote it; `cites` says that the rationale names the supplied skill's id.
    `faults` says of each reply of a model that could not be read what was wrong with it.
    """

    observation: str
    action: str
    raw: str
    rationale: str
    admissible: bool
    cites: bool
    faults: tuple[str, ...] = ()


@attrs.frozen
class Trajectory:
    """A finished run: its steps, whether the task was won, and what came with the last step.

    `reward` is the environment's own, such as WebShop's score between 0 and 1.
    """

    steps: tuple[Step, ...]
    success: bool
    final_observation: str
    reward: float

    def to_data(self) -> Any:
        """Return the trajectory as JSON data."""
        return msgspec.to_builtins(self)

    @classmethod
    def from_data(cls, data: Any) -> Trajectory:
        """Return the trajectory that `to_data` wrote; raise `msgspec.ValidationError` for anything else."""
        return msgspec.convert(data, cls)

    @property
    def actions(self) -> tuple[str, ...]:
        """Return the executed actions in order."""
        return tuple(step.action for step in self.steps)


def cites(rationale: str, skill_id: str) -> bool:
    """Say whether a rationale names a whole id: `gen_12` and `set/gen_1` do not name `gen_1`.

    A hyphen, full stop or slash joins two words into one id; at the end of a word it is punctuation.
    """
    whole = rf"(?<!\w)(?<!\w[-./]){re.escape(skill_id)}(?!\w)(?![-./]\w)"
    return re.search(whole, rationale) is not None


def rollout(episode: Episode, agent: Agent, guidance: Guidance | None, step_limit: int) -> Trajectory:
    """Let an agent play an episode from its start until it is done or `step_limit` actions were taken.

    An action that is not admissible is executed as it stands and costs a step: nothing is snapped to a
    command.
    """
    frame = episode.reset()
    past = list(episode.history)
    steps: list[Step] = []
    while not frame.done and len(steps) < step_limit:
        decision = agent.decide(Situation(frame.observation, frame.admissible, tuple(past), frame.families))
        action = decision.action.strip()
        steps.append(
            Step(
                observation=frame.observation,
                action=action,
                raw=decision.action if decision.raw is None else decision.raw,
                rationale=decision.rationale,
                admissible=frame.admits(action),
                cites=guidance is not None and cites(decision.rationale, guidance.id),
                faults=decision.faults,
            )
        )
        past.append(Exchange(frame.observation, action))
        frame = episode.step(action)
    return Trajectory(tuple(steps), frame.won, frame.observation, frame.reward)
