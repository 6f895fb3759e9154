"""ALFWorld: households in text, as the official benchmark plays them."""

from __future__ import annotations

from functools import cache

from skillsandbox.envs.alfworld.environment import Alfworld


@cache
def environment() -> Alfworld:
    """Return the environment; the entry point that the rest of the project finds it by."""
    return Alfworld()
