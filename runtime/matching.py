"""Which programs of the library speak of a skill's condition: similarity of texts, offline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import attrs
import numpy as np
from numpy.typing import NDArray

from skillsandbox.runtime.skills import Skill

Embeddings = NDArray[np.float32]
Encoder = Callable[[Sequence[str]], Embeddings]

THRESHOLD = 0.35
MARGIN = 0.05
MOST = 3
CONDITION_WEIGHT = 0.25


@attrs.frozen
class LibraryProgram:
    """A program of the library: its text, its condition, and what else it says in words.

    `unsupported` is the program's reason why its environment cannot bring the condition about, if it says so.
    """

    name: str
    text: str
    condition: str
    wording: str
    unsupported: str | None = None


@attrs.frozen
class Match:
    """A library program and its similarity to a skill, at most 1."""

    program: LibraryProgram
    similarity: float


@attrs.define(frozen=True, slots=False, eq=False)
class ConditionMatcher:
    """Ranks library programs by how near their texts are to a skill's.

    The similarity is a weighted mean of two cosines: of the two conditions, and of the skill's
    condition and principle with the program's condition and wording. It is rounded to three places,
    so that rankings do not hang on the last bits of a machine's arithmetic; ties go by name.
    """

    programs: tuple[LibraryProgram, ...] = attrs.field(validator=attrs.validators.min_len(1))
    encoder: Encoder
    threshold: float = THRESHOLD

    @property
    def identity(self) -> str:
        """Return what determines the ranking besides the programs."""
        return f"{self.threshold} {MARGIN} {MOST} {CONDITION_WEIGHT}"

    def ranked(self, skill: Skill) -> tuple[Match, ...]:
        """Return all programs, the nearest first."""
        conditions, wholes = self._program_embeddings
        condition, whole = self.encoder([skill.condition, f"{skill.condition} {skill.principle}"])
        similarities = CONDITION_WEIGHT * (conditions @ condition) + (1 - CONDITION_WEIGHT) * (wholes @ whole)
        matches = (
            Match(program, round(float(similarity), 3))
            for program, similarity in zip(self.programs, similarities, strict=True)
        )
        return tuple(sorted(matches, key=lambda match: (-match.similarity, match.program.name)))

    def matching(self, skill: Skill) -> tuple[Match, ...]:
        """Return the nearest program and those about as near, if they reach the threshold; else none."""
        ranked = self.ranked(skill)
        least = max(self.threshold, ranked[0].similarity - MARGIN)
        return tuple(match for match in ranked if match.similarity >= least)[:MOST]

    @cached_property
    def _program_embeddings(self) -> tuple[Embeddings, Embeddings]:
        conditions = self.encoder([program.condition for program in self.programs])
        wholes = self.encoder([f"{program.condition} {program.wording}" for program in self.programs])
        return conditions, wholes


def word_encoder() -> Encoder:
    """Return an encoder of 256 dimensions whose word embeddings its package ships; loads in 0.5 s.

    A text without known words has the vector 0.
    """
    import wordllama

    shipped = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load(cache_dir=shipped, disable_download=True)

    def encode(texts: Sequence[str]) -> Embeddings:
        with np.errstate(invalid="ignore"):
            vectors = model.embed(list(texts), norm=True)
        return np.nan_to_num(np.asarray(vectors, dtype=np.float32))

    return encode
