"""The built-in executor for ALFWorld, which needs no model: a search-then-act household agent.

It is an honest stand-in for a language model; docs/household-agent.md says what it can do and what it cannot.
"""

from __future__ import annotations

import attrs

from skillsandbox.compiler.environment import Agent, Decision, Guidance, Situation
from skillsandbox.envs.alfworld.agent_belief import Belief, belief_of
from skillsandbox.envs.alfworld.agent_directives import (
    Circumstances,
    Directive,
    circumstances_of,
    directives_of,
)
from skillsandbox.envs.alfworld.agent_policy import Mind, choose
from skillsandbox.envs.alfworld.agent_priors import CATEGORIES, ROOM_MARKS
from skillsandbox.envs.alfworld.agent_text import Errand, type_of

__all__ = ["Directive", "directives_of", "household_agent"]


@attrs.frozen
class _HouseholdAgent:
    guidance: Guidance | None
    seed: int

    def decide(self, situation: Situation) -> Decision:
        """Return the next action; the rationale cites the skill where the skill changes the action."""
        belief = belief_of(situation)
        usual = choose(Mind(belief, seed=self.seed))
        if self.guidance is None or not applies(circumstances_of(self.guidance.condition), belief):
            return usual
        guided = choose(Mind(belief, directives_of(self.guidance.principle), self.seed))
        if guided.action == usual.action:
            return usual
        return Decision(f"Following {self.guidance.id}: {guided.rationale}", guided.action)


def household_agent(guidance: Guidance | None, seed: int) -> Agent:
    """Return the agent, with or without a skill; the seed decides only between places of the same type."""
    return _HouseholdAgent(guidance, seed)


def applies(circumstances: Circumstances, belief: Belief) -> bool:
    """Say whether the circumstances that a skill asks for hold now."""
    hands = "full" if belief.is_target(belief.holding) else "empty"
    return (
        _task_fits(circumstances, belief)
        and circumstances.hands in ("", hands)
        and _any_or_none(circumstances.rooms, _rooms(belief))
        and _any_or_none(circumstances.categories, _categories(belief))
    )


def _task_fits(circumstances: Circumstances, belief: Belief) -> bool:
    errand = belief.errand or Errand(target="")
    kind = "look" if errand.lamp else errand.state
    several_fits = not circumstances.several or errand.count > 1
    return several_fits and _any_or_none(circumstances.tasks, frozenset({kind, "tool"} if kind else ()))


def _any_or_none(asked: frozenset[str], given: frozenset[str]) -> bool:
    return not asked or not asked.isdisjoint(given)


def _rooms(belief: Belief) -> frozenset[str]:
    kinds = {type_of(place) for place in belief.places}
    return frozenset(room for room, marks in ROOM_MARKS.items() if kinds & marks)


def _categories(belief: Belief) -> frozenset[str]:
    target = belief.errand.target if belief.errand else ""
    return frozenset(category for category, members in CATEGORIES.items() if target in members)
