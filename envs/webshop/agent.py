"""The built-in executor for WebShop, which needs no model: a shopper.

It is an honest stand-in for a language model; docs/shopper.md says what it can do and what it cannot.
"""

from __future__ import annotations

import attrs

from skillsandbox.compiler.environment import Agent, Decision, Guidance, Situation
from skillsandbox.envs.webshop.agent_belief import Belief, belief_of
from skillsandbox.envs.webshop.agent_directives import Circumstances, circumstances_of, directives_of
from skillsandbox.envs.webshop.agent_policy import Mind, choose
from skillsandbox.envs.webshop.episode import STEP_LIMIT

LATE = 5
"""How many steps are left when a skill for the end of a task begins to apply."""


def shopper(guidance: Guidance | None, seed: int) -> Agent:
    """Return the shopper, with or without a skill; it leaves nothing to chance, so the seed has no part."""
    return _Shopper(guidance)


@attrs.frozen
class _Shopper:
    guidance: Guidance | None

    def decide(self, situation: Situation) -> Decision:
        """Return the next action; the rationale cites the skill where the skill changes the action."""
        belief = belief_of(situation)
        usual = choose(Mind(belief))
        if self.guidance is None or not applies(circumstances_of(self.guidance.condition), belief):
            return usual
        guided = choose(Mind(belief, directives_of(self.guidance.principle)))
        if guided.action == usual.action:
            return usual
        return Decision(f"Following {self.guidance.id}: {guided.rationale}", guided.action)


def applies(circumstances: Circumstances, belief: Belief) -> bool:
    """Say whether the circumstances that a skill asks for hold now."""
    late = STEP_LIMIT - belief.steps <= LATE
    priced = belief.wish.bound < float("inf")
    return (late or not circumstances.late) and (priced or not circumstances.priced)
