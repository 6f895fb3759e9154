"""Keys stay in the environment: whatever is shown or kept is freed of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

import attrs

SHORTEST = 8
LONGEST_TEXT = 500
_SECRET = re.compile(r"(API_?KEY|ACCESS_?KEY(_ID)?|_KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_BEARER = re.compile(r"\b(Bearer|Basic) +[^\s\"']+", re.IGNORECASE)


@attrs.frozen
class Redactor:
    """Replaces the values of environment variables that hold keys by the variables' names."""

    _names: Mapping[str, str]

    def __call__(self, text: str) -> str:
        """Return a text without keys."""
        for value, name in self._names.items():
            text = text.replace(value, f"[{name}]")
        return _BEARER.sub(r"\1 [key]", text)

    def line(self, text: str) -> str:
        """Return a text without keys in one line of at most 500 characters."""
        whole = " ".join(self(text).split())
        return whole if len(whole) <= LONGEST_TEXT else f"{whole[:LONGEST_TEXT]} …"


def redactor(environment: Mapping[str, str]) -> Redactor:
    """Return what hides the keys of an environment: variables named like …_API_KEY, …_TOKEN, …_SECRET.

    Values of fewer than 8 characters stay: they are placeholders, and part of too many words.
    """
    names = {
        form: name
        for name, value in environment.items()
        if _SECRET.search(name) and len(value) >= SHORTEST
        for form in (value, quote(value, safe=""))
    }
    return Redactor(dict(sorted(names.items(), key=lambda item: (-len(item[0]), item[0]))))
