"""Skills by the names that a person types."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from skillsandbox.runtime.skills import Skill


def named_skill(skills: Sequence[Skill], name: str, path: Path) -> Skill:
    """Return the skill of an id among those of a file; ends the command where there is none."""
    chosen = next((skill for skill in skills if skill.id == name), None)
    if chosen is None:
        from skillsandbox.compiler.suggestion import closest

        nearest = closest(name, [skill.id for skill in skills])
        hint = f"; did you mean {nearest!r}?" if nearest else ""
        raise click.BadParameter(f"{path} has no skill {name!r}{hint}", param_hint="--skill")
    return chosen
