"""What the expressions of a program stand for once its variables are bound."""

from __future__ import annotations

from typing import Union

import attrs


@attrs.frozen(order=True)
class Entity:
    """An entity of the data store: the name of its type and its key there."""

    type: str
    key: str


# Enumeration constants, texts, numbers (money in cents) and truth values are plain Python values: the checker
# has made sure that they are never confused. Clauses are calls whose arguments are values.
Value = Union[Entity, str, int, bool, "GroundCall", tuple["Value", ...]]


@attrs.frozen
class GroundCall:
    """A call whose arguments are values."""

    symbol: str
    arguments: tuple[Value, ...]


@attrs.frozen
class Binding:
    """One answer of the binder: the context (such as the scene) that all entities share, and each variable's
    entity.
    """

    context: str | None
    entities: tuple[tuple[str, Entity], ...]

    def __getitem__(self, variable: str) -> Entity:
        return dict(self.entities)[variable]


def fold(text: str) -> str:
    """Return a text as `contains` compares it, in lower case; stores have it as the SQL function `fold`."""
    return text.lower()
