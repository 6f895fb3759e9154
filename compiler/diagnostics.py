"""What the compiler says about a program: spans in a source text, and diagnostics that carry them."""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum
from functools import cached_property
from typing import ClassVar

import attrs


@attrs.frozen(order=True)
class Span:
    """A half-open range of character offsets into a source text."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """Return the smallest span that covers both."""
        return Span(min(self.start, other.start), max(self.end, other.end))


@attrs.define(frozen=True, slots=False)
class Source:
    """A program text and the name under which messages speak of it."""

    name: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(i + 1 for i, char in enumerate(self.text) if char == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column, both from 1, of a character offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line, numbered from 1, without its line break."""
        return self.text.split("\n")[number - 1].rstrip("\r")


@attrs.frozen
class Note:
    """A second place that a diagnostic speaks of, and what is to be seen there."""

    span: Span
    text: str


@attrs.frozen
class Edit:
    """Replace the characters of a span by a text."""

    span: Span
    replacement: str


@attrs.frozen
class Fix:
    """A change that removes the diagnostic and is safe to apply without asking."""

    title: str
    edits: tuple[Edit, ...]


class Severity(StrEnum):
    """How much a diagnostic weighs: an error stops the compilation, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@attrs.frozen
class Diagnostic:
    """One complaint about a program; each kind is a subclass with a stable code.

    The docstring of a subclass is the long text that `skillsandbox explain CODE` prints: what is wrong, an
    example that is refused, and what to write instead.
    """

    code: ClassVar[str] = ""
    severity: ClassVar[Severity] = Severity.ERROR

    span: Span

    @property
    def message(self) -> str:
        """Say what is wrong, in one line."""
        raise NotImplementedError

    @property
    def expected(self) -> str | None:
        """Say what would have been right at this place, if that is one thing."""
        return None

    @property
    def found(self) -> str | None:
        """Say what stands there instead."""
        return None

    @property
    def help(self) -> str | None:
        """Say what to do."""
        return None

    @property
    def notes(self) -> tuple[Note, ...]:
        """Return the other places that this diagnostic speaks of."""
        return ()

    @property
    def fix(self) -> Fix | None:
        """Return a change that may be applied by a machine, where one is safe."""
        return None
