"""WebShop: a shop in text, as the official benchmark serves it."""

from __future__ import annotations

from functools import cache

from skillsandbox.envs.webshop.environment import Webshop


@cache
def environment() -> Webshop:
    """Return the environment; the entry point that the rest of the project finds it by."""
    return Webshop()
