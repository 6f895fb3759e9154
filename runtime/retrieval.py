"""Retrieval: which skills of a library are given to an agent for a task."""

from __future__ import annotations

from functools import cached_property

import attrs
import numpy as np
from numpy.typing import NDArray

from skillsandbox.runtime.models.request import Embedder
from skillsandbox.runtime.skills import Skill

TOP = 3
"""How many skills are retrieved for a task."""

_PLACES = 3


@attrs.frozen
class Retrieved:
    """A skill and its similarity to a task, at most 1."""

    skill: Skill
    similarity: float


@attrs.define(frozen=True, slots=False, eq=False)
class Retriever:
    """Ranks skills by the cosine between the embeddings of their full texts and of a task's.

    The similarity is rounded to three places, so that rankings do not hang on the last bits of a machine's
    arithmetic; ties go by id.
    """

    skills: tuple[Skill, ...]
    embedder: Embedder

    def retrieve(self, task: str, top: int = TOP) -> tuple[Retrieved, ...]:
        """Return the skills that are most like a task, the nearest first, at most `top` of them.

        Raises:
            ModelFault: the embedding model could not be asked.
        """
        if not self.skills:
            return ()
        asked = np.asarray(self.embedder.embed((task,))[0])
        found = (
            Retrieved(skill, round(float(similarity), _PLACES))
            for skill, similarity in zip(self.skills, self._embeddings @ asked, strict=True)
        )
        return tuple(sorted(found, key=lambda one: (-one.similarity, one.skill.id))[:top])

    @cached_property
    def _embeddings(self) -> NDArray[np.float64]:
        return np.asarray(self.embedder.embed(tuple(map(full_text, self.skills))))


def full_text(skill: Skill) -> str:
    """Return all that a skill says: title, condition and principle."""
    return "\n".join(filter(None, (skill.title, skill.condition, skill.principle)))
