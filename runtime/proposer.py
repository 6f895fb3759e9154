"""Who proposes scenario programs for a skill; here the library, which needs no model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

import attrs

from skillsandbox.runtime.matching import ConditionMatcher, Match
from skillsandbox.runtime.skills import Skill
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Refusal, Turn


@attrs.frozen
class Attempt:
    """A candidate and what came of it."""

    candidate: Candidate
    result: BuiltScenario | Refusal


@attrs.frozen
class Declined:
    """There is no candidate for a skill; `reason` says why, in a sentence for the skill's author.

    `transcript` is the conversation that led to it, where a model was asked.
    """

    reason: str
    transcript: tuple[Turn, ...] = attrs.field(default=(), repr=False)


class Proposer(Protocol):
    """A source of candidates: a function of the skill and what was tried, so that a run can be continued."""

    @property
    def identity(self) -> str:
        """A hash of all that determines the proposals."""

    def propose(self, skill: Skill, tried: Sequence[Attempt]) -> Candidate | Declined:
        """Return the next candidate; the scenarios among `tried` are what it must differ from."""


def derived_seed(*parts: str) -> int:
    """Return a seed that depends on each of the parts and on nothing else."""
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:4], "big")


@attrs.frozen
class LibraryProposer:
    """Proposes the library programs nearest to a skill's condition in turn, each time under another seed."""

    _matcher: ConditionMatcher
    _seed: int

    @property
    def identity(self) -> str:
        """A hash of the library's texts, the matching and the seed."""
        programs = (part for program in self._matcher.programs for part in (program.name, program.text))
        parts = "\0".join([self._matcher.identity, str(self._seed), *programs])
        return hashlib.sha256(parts.encode()).hexdigest()

    def number_of_matches(self, skill: Skill) -> int:
        """Return how many programs take turns."""
        return sum(match.program.unsupported is None for match in self._matcher.matching(skill))

    def propose(self, skill: Skill, tried: Sequence[Attempt]) -> Candidate | Declined:
        """Return the next candidate, or say which condition of the library came nearest, and how near."""
        matches = self._matcher.matching(skill)
        if not matches:
            return Declined(self._why_none(skill))
        if matches[0].program.unsupported is not None:
            return Declined(_why_unsupported(matches[0]))
        matches = tuple(match for match in matches if match.program.unsupported is None)
        number = len(tried)
        program = matches[number % len(matches)].program
        seed = derived_seed(str(self._seed), program.name, str(number // len(matches)))
        return Candidate(program.name, program.text, seed)

    def _why_none(self, skill: Skill) -> str:
        nearest = self._matcher.ranked(skill)[0]
        return (
            f"No program of the library matches: the nearest condition is “{nearest.program.condition}” "
            f"({nearest.program.name}), with a similarity of {nearest.similarity:.2f}; "
            f"at least {self._matcher.threshold:.2f} is needed."
        )


def _why_unsupported(match: Match) -> str:
    return (
        f"No program of the library matches: the nearest condition is “{match.program.condition}” "
        f"({match.program.name}), which the environment cannot bring about: {match.program.unsupported}"
    )
