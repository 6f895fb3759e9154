"""Where skills are verified if nobody says so: the environment whose library speaks of most of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from skillsandbox.runtime.matching import ConditionMatcher
from skillsandbox.runtime.skills import Skill


class Undecided(Exception):  # noqa: N818 - it is an answer, not an error of the program
    """There is no saying which environment skills are for; the text says why."""


def nearest_environment(skills: Sequence[Skill], matchers: Mapping[str, ConditionMatcher]) -> tuple[str, int]:
    """Return the environment whose library is nearest to most of the skills, and to how many.

    A skill that no program matches, or that two libraries are equally near to, counts for neither.

    Raises:
        Undecided: no skill counts for any, or two environments have equally many.
    """
    nearest = Counter(name for skill in skills for name in _nearest(skill, matchers))
    if not nearest:
        raise Undecided(f"no skill clearly matches a program of one library ({', '.join(sorted(matchers))})")
    most = max(nearest.values())
    names = sorted(name for name, count in nearest.items() if count == most)
    if len(names) > 1:
        raise Undecided(f"the libraries of {' and '.join(names)} are each nearest to {most} of the skills")
    return names[0], most


def _nearest(skill: Skill, matchers: Mapping[str, ConditionMatcher]) -> tuple[str, ...]:
    """Return the one environment that a skill counts for, or none."""
    matches = {name: matcher.matching(skill) for name, matcher in matchers.items()}
    similarities = {name: found[0].similarity for name, found in matches.items() if found}
    names = [name for name, one in similarities.items() if one == max(similarities.values())]
    return (names[0],) if len(names) == 1 else ()
