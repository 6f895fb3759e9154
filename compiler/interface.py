"""An environment's construction interface as one table: types, fields, and the signatures of its vocabulary.

The table and the environment's grammar say the same, one row for one alternative; a test holds them together.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property

import attrs


class Role(StrEnum):
    """Where a symbol may stand in a program."""

    BASE = "base"
    GOAL = "goal"
    OPERATION = "operation"
    ACTION = "action"
    FUNCTION = "function"
    EVENT = "event"
    DIMENSION = "dimension"
    CLAUSE = "clause"


@attrs.frozen
class Table:
    """The relation of the data store that lists the entities of a type: its name, key, and the shared context
    column.
    """

    name: str
    key: str
    context: str | None = None


@attrs.frozen
class Type:
    """A type of the language: an entity type (with a table), an enumeration (with values), words, or a
    primitive.

    Words are texts that the data store knows: those in the column `key` of the relation `words`.
    """

    name: str
    table: Table | None = None
    values: tuple[str, ...] = ()
    words: Table | None = None


@attrs.frozen
class Coinage:
    """A text that an operation makes a word: of which type, and how the configuration has it."""

    type: str
    written: Callable[[str], str]


@attrs.frozen
class Parameter:
    """A parameter of a symbol; `many` takes all remaining arguments, none included.

    Several arguments are written with the `separator` between them. A number has a range of what is allowed,
    ends included, and `why`. What is `coined` is a word once the operations have been applied.
    """

    name: str
    type: str
    many: bool = False
    range: tuple[int, int] | None = None
    why: str = ""
    separator: str = ", "
    coined: Coinage | None = None


@attrs.frozen
class Need:
    """What the data must satisfy for a call to make sense, as an SQL condition.

    `{name}` stands for the argument of that name, `{context}` for the shared context. `reason` completes the
    sentence "`place ?food on ?start` needs …".
    """

    sql: str
    reason: str


@attrs.frozen
class Signature:
    """One row of the table: a symbol, how it is written, its parameters and what it yields.

    `syntax` is the concrete syntax with `{parameter}` holes; a part in square brackets is written only where
    its parameter is given. `sql` is set for functions and dimensions of the data alone, with holes as in
    `Need`; without it a function reads the configuration. What is `alterable` the data say before the
    operations, and the configuration after them. A clause stands inside another call, as one of its
    arguments; its result is the type of the parameter that takes it.
    """

    symbol: str
    role: Role
    syntax: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    result: str = "Bool"
    needs: tuple[Need, ...] = ()
    sql: str | None = None
    alterable: bool = False


@attrs.frozen
class FieldSignature:
    """A field of an entity type; `column` is set where the data store knows it, otherwise the configuration
    does.

    A column is a name, or an SQL expression in which `{}` stands for the entity's row. A result type `[T]` is
    a list of T; its column is a query of one column. What is `alterable` the data say before the operations,
    and the configuration after them.
    """

    name: str
    subject: str
    result: str
    summary: str
    column: str | None = None
    alterable: bool = False


@attrs.define(frozen=True, slots=False)
class Interface:
    """Everything that the compiler must know of an environment to check and bind a program."""

    types: tuple[Type, ...]
    fields: tuple[FieldSignature, ...]
    signatures: tuple[Signature, ...]
    context: str | None = None
    """The entity type that all entities of a scenario share, such as the scene; its table lists the contexts.
    """

    @cached_property
    def type_named(self) -> dict[str, Type]:
        """Return the types by name."""
        return {type.name: type for type in self.types}

    @cached_property
    def signature_of(self) -> dict[str, Signature]:
        """Return the signatures by symbol."""
        return {signature.symbol: signature for signature in self.signatures}

    @cached_property
    def fields_of(self) -> dict[tuple[str, str], FieldSignature]:
        """Return the fields by subject type and name."""
        return {(field.subject, field.name): field for field in self.fields}

    @cached_property
    def enumerations_with(self) -> dict[str, tuple[str, ...]]:
        """Return for each constant the names of the enumerations that have it."""
        found: dict[str, tuple[str, ...]] = {}
        for type in self.types:
            for value in type.values:
                found[value] = (*found.get(value, ()), type.name)
        return found
