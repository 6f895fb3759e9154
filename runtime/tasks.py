"""Playing a benchmark's own tasks: who plays, with which skills, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

from skillsandbox.compiler.environment import (
    Agent,
    Decision,
    Environment,
    Guidance,
    PosedTask,
    Situation,
    Split,
    TaskSet,
)
from skillsandbox.runtime.crew import Crew
from skillsandbox.runtime.proposer import derived_seed
from skillsandbox.runtime.rollout import Trajectory, cites, rollout
from skillsandbox.runtime.skills import Skill


class Player(Protocol):
    """Who plays tasks, with any number of skills; may be asked by several threads at once."""

    @property
    def identity(self) -> str:
        """Return what determines how it plays besides skills, seed and situation."""

    def agent_with(self, skills: Sequence[Guidance], seed: int) -> Agent:
        """Return an agent for one episode."""


@attrs.frozen
class BuiltInPlayer:
    """An environment's built-in agent, which takes one skill: the first that it is given."""

    environment: Environment
    identity: str = "built-in agent"

    def agent_with(self, skills: Sequence[Guidance], seed: int) -> Agent:
        """Return the built-in agent."""
        return self.environment.agent(skills[0] if skills else None, seed)


@attrs.frozen
class TaskTable:
    """Tasks of a split as they are played: where, in which engine, and by whom."""

    environment: Environment
    split: Split
    tasks: TaskSet
    engine: str
    player: Player
    seed: int

    @property
    def identity(self) -> dict[str, str]:
        """Return what determines a run on a task, besides skills."""
        return {
            "environment": self.environment.name,
            "engine": self.engine,
            "split": self.split,
            "tasks": self.tasks.version,
            "step limit": str(self.environment.step_limit),
            "player": self.player.identity,
            "seed": str(self.seed),
        }

    def play(self, posed: PosedTask, skills: Sequence[Skill], crew: Crew) -> Trajectory:
        """Let the player play a task once; a step is marked as citing where it names one of the skills."""
        seed = derived_seed("player", str(self.seed), posed.name)
        guidance = [Guidance(skill.id, skill.condition, skill.principle) for skill in skills]
        agent = _Watched(self.player.agent_with(guidance, seed), crew)
        limit = self.environment.step_limit
        episode = posed.task.episode((), limit, self.engine)
        try:
            trajectory = rollout(episode, agent, None, limit)
        finally:
            episode.close()
        return _marked(trajectory, skills)


@attrs.frozen
class _Watched:
    """An agent that is asked for no further action once the run is called off."""

    _agent: Agent
    _crew: Crew

    def decide(self, situation: Situation) -> Decision:
        self._crew.go_on()
        return self._agent.decide(situation)


def _marked(trajectory: Trajectory, skills: Sequence[Skill]) -> Trajectory:
    steps = tuple(
        attrs.evolve(step, cites=any(cites(step.rationale, skill.id) for skill in skills))
        for step in trajectory.steps
    )
    return attrs.evolve(trajectory, steps=steps)
