"""Which of a scenario's encounter checks came about in a run."""

from __future__ import annotations

from collections.abc import Sequence

from skillsandbox.compiler.environment import Environment
from skillsandbox.compiler.scenario import Scenario


def encountered(scenario: Scenario, environment: Environment, actions: Sequence[str]) -> dict[str, bool]:
    """Return for each encounter check, by label, whether the history and the actions after it satisfy it.

    Actions that were not admissible count as steps in which nothing happens.
    """
    moments = scenario.task(environment).run((*scenario.history, *actions)).moments
    found = {}
    for label, monitor in scenario.encounters(environment).items():
        state = monitor.start(moments[0])
        for moment in moments[1:]:
            state = monitor.advance(state, moment)
        found[label] = monitor.accepts(state)
    return found
