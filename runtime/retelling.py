"""A run told in few words, for prompts that have to stay within a model's context."""

from __future__ import annotations

from collections.abc import Iterator

from skillsandbox.runtime.rollout import Step, Trajectory

MOST_CHARACTERS = 6000
"""About 1,500 tokens of English."""

_LONGEST_START = 1500
_LONGEST_RATIONALE = 160
_SHORTEST = 60


def shortened(text: str, most: int) -> str:
    """Return a text on one line, cut to so many characters with an ellipsis where it is longer."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def told(trajectory: Trajectory, most: int = MOST_CHARACTERS) -> str:
    """Return a run as numbered lines of what was seen, thought and done, in about `most` characters.

    Observations share what room there is; the first, which poses the task, has more of it than the others.
    """
    steps = trajectory.steps
    taken = sum(min(len(step.rationale), _LONGEST_RATIONALE) + len(step.action) + 30 for step in steps)
    room = max((most - _LONGEST_START - taken) // max(len(steps), 1), _SHORTEST)
    lines = [line for number, step in enumerate(steps, 1) for line in _told_step(number, step, room)]
    return "\n".join([*lines, f"in the end saw: {shortened(trajectory.final_observation, room)}"])


def _told_step(number: int, step: Step, room: int) -> Iterator[str]:
    yield f"{number}. saw: {shortened(step.observation, _LONGEST_START if number == 1 else room)}"
    if step.rationale:
        yield f"   thought: {shortened(step.rationale, _LONGEST_RATIONALE)}"
    fault = "" if step.admissible else " (not admissible: nothing was done)"
    yield f"   did: {shortened(step.action, _LONGEST_RATIONALE) or 'nothing'}{fault}"
