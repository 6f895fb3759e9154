"""Where what can be made again is kept."""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "SKILLSANDBOX_CACHE"
"""The environment variable that names the cache folder in place of the user's own."""


def cache_folder() -> Path:
    """Return the folder that `$SKILLSANDBOX_CACHE` names, or the user's own for this program."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("skillsandbox")
