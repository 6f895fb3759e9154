"""What the expressions of a program stand for once its variables are bound."""

from __future__ import annotations

import attrs


@attrs.frozen(order=True)
class Entity:
    """An entity of the data store: the name of its type and its key there."""

    type: str
    key: str


# Enumeration constants, texts, numbers (money in cents) and truth values are plain Python values: the checker
# has made sure that they are never confused.
Value = Entity | str | int | bool | tuple["Value", ...]


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
