"""The renderings of a diagnostic: for a terminal, as data for a repair turn, as SARIF; and fixes applied."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import attrs
from wcwidth import iter_graphemes, wcswidth

from skillsandbox.compiler.diagnostics import Diagnostic, Edit, Fix, Source, Span

_TAB = 4
_MOST_LINES = 5
_LEAST_ROOM = 20
_REACH = 8
_JOINERS = "\u200c\u200d"
_STYLES = {"error": "1;31", "warning": "1;33", "strong": "1", "frame": "1;34", "label": "1;36"}


def to_terminal(diagnostic: Diagnostic, source: Source, *, colour: bool = False, width: int = 100) -> str:
    """Return a diagnostic as lines of text with excerpts of the source, each line ended by a line break.

    Excerpts are at most `width` columns wide. Characters that a terminal would act on or hide are shown as
    `<U+001B>`; with `colour`, the only control sequences are ours (ECMA-48 SGR).
    """
    spans = [diagnostic.span, *(note.span for note in diagnostic.notes)]
    digits = max(len(str(_lines(source, span)[-1].number)) for span in spans)
    page = _Page(source, digits, colour, width)
    lines = [
        page.title(f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.message, diagnostic.severity),
        *page.excerpt(diagnostic.span, "^", diagnostic.severity),
        *(line for label, text in _facts(diagnostic) for line in page.fact(label, text)),
    ]
    for note in diagnostic.notes:
        lines += [page.title("note", note.text, "label"), *page.excerpt(note.span, "-", "frame")]
    return "".join(f"{line}\n" for line in lines)


def to_data(diagnostic: Diagnostic, source: Source) -> dict[str, Any]:
    """Return a diagnostic as JSON data.

    Lines and columns count from 1, offsets from 0, both in code points; an end is the place behind the last
    character. What a diagnostic does not say is None.
    """
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        **_place(source, diagnostic.span),
        "expected": diagnostic.expected,
        "found": diagnostic.found,
        "help": diagnostic.help,
        "notes": [{"message": note.text, **_place(source, note.span)} for note in diagnostic.notes],
        "fix": _fix_data(source, diagnostic.fix) if diagnostic.fix else None,
    }


def to_sarif(
    found: Mapping[Source, Sequence[Diagnostic]], rules: Iterable[type[Diagnostic]], version: str
) -> dict[str, Any]:
    """Return diagnostics as one run of a SARIF 2.1.0 log (OASIS standard), columns in code points.

    `rules` are the kinds of diagnostics that exist, among them all that were found; `version` is the tool's.
    """
    kinds = sorted(rules, key=lambda kind: kind.code)
    index = {kind.code: position for position, kind in enumerate(kinds)}
    driver = {"name": "skillsandbox", "version": version, "rules": [_rule(kind) for kind in kinds]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(source)}} for source in found],
        "results": [
            _result(diagnostic, source, index[diagnostic.code])
            for source, diagnostics in found.items()
            for diagnostic in diagnostics
        ],
    }
    return {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def apply_fixes(text: str, diagnostics: Iterable[Diagnostic]) -> str:
    """Return a text with the fixes of its diagnostics applied, each whole or not at all.

    Where two fixes touch the same characters or insert at the same place, the first is applied and the other
    left for the next round; the same fix given twice counts once.
    """
    taken: list[Edit] = []
    for fix in dict.fromkeys(diagnostic.fix for diagnostic in diagnostics):
        if fix and not any(_overlap(edit.span, other.span) for edit in fix.edits for other in taken):
            taken += fix.edits
    for edit in sorted(taken, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text


def _overlap(one: Span, other: Span) -> bool:
    return one == other or (one.start < other.end and other.start < one.end)


@attrs.frozen
class _Cell:
    """What a terminal shows as one: the characters `start` to `end` of a line, from a column (from 0) on."""

    start: int
    end: int
    shown: str
    column: int
    width: int


def _cells(line: str) -> list[_Cell]:
    cells: list[_Cell] = []
    start = column = 0
    for unit in _units(line):
        shown = _visible(unit, column)
        width = max(wcswidth(shown), 0)
        cells.append(_Cell(start, start + len(unit), shown, column, width))
        start, column = start + len(unit), column + width
    return cells


def _units(line: str) -> Iterator[str]:
    for grapheme in iter_graphemes(line):
        if _is_plain(grapheme):
            yield grapheme
        else:
            yield from grapheme


def _is_plain(grapheme: str) -> bool:
    dangling = grapheme[-1] in _JOINERS
    return not dangling and all(char.isprintable() or char in _JOINERS for char in grapheme)


def _visible(unit: str, column: int) -> str:
    if unit == "\t":
        return " " * (_TAB - column % _TAB)
    return unit if len(unit) > 1 or unit.isprintable() else f"<U+{ord(unit):04X}>"


def _printable(text: str) -> str:
    return "".join(cell.shown for cell in _cells(text))


@attrs.frozen
class _Line:
    number: int
    offset: int
    text: str


def _lines(source: Source, span: Span) -> list[_Line]:
    """Return the lines that a span covers, one at least."""
    number, column = source.position(span.start)
    offset = span.start - column + 1
    end = source.text.find("\n", max(span.start, span.end - 1))
    found = []
    for text in source.text[offset : end if end >= 0 else None].split("\n"):
        found.append(_Line(number, offset, text.rstrip("\r")))
        number, offset = number + 1, offset + len(text) + 1
    return found


def _abridged(lines: list[_Line]) -> list[_Line | None]:
    """Return the lines to show, with None for those left out."""
    if len(lines) <= _MOST_LINES:
        return [*lines]
    return [*lines[: _MOST_LINES - 2], None, lines[-1]]


def _facts(diagnostic: Diagnostic) -> list[tuple[str, str]]:
    facts = {
        "expected": diagnostic.expected,
        "found": diagnostic.found,
        "help": diagnostic.help,
        "fix": diagnostic.fix and diagnostic.fix.title,
    }
    return [(label, text) for label, text in facts.items() if text]


@attrs.frozen
class _Page:
    """How a report is set: the digits of its line numbers, with or without colour, and the columns it has."""

    source: Source
    digits: int
    colour: bool
    width: int

    @property
    def _room(self) -> int:
        return max(self.width - self.digits - 3, _LEAST_ROOM)

    def title(self, label: str, text: str, style: str) -> str:
        return self._paint(label, style) + self._paint(f": {_printable(text)}", "strong")

    def fact(self, label: str, text: str) -> list[str]:
        margin = " " * (self.digits + 1)
        head, *rest = text.split("\n")
        first = f"{margin}{self._paint('=', 'frame')} {self._paint(f'{label}:', 'label')} {_printable(head)}"
        return [first, *(f"{margin}  {' ' * len(label)}  {_printable(line)}" for line in rest)]

    def excerpt(self, span: Span, mark: str, style: str) -> list[str]:
        line, column = self.source.position(span.start)
        place = f"{_printable(self.source.name)}:{line}:{column}"
        return [
            f"{' ' * self.digits}{self._paint('-->', 'frame')} {place}",
            self._margin(""),
            *self._rows(span, mark, style),
        ]

    def _rows(self, span: Span, mark: str, style: str) -> Iterator[str]:
        lines = _lines(self.source, span)
        for line in _abridged(lines):
            if line is None:
                yield self._paint("...", "frame")
                continue
            indentation = 0 if line is lines[0] else len(line.text) - len(line.text.lstrip())
            start = min(max(span.start - line.offset, indentation), len(line.text))
            end = min(span.end - line.offset, len(line.text))
            shown, underline = self._window(line.text, start, end, mark)
            yield self._margin(str(line.number), shown)
            if start < end or len(lines) == 1:
                yield self._margin("", self._paint(underline, style))

    def _window(self, text: str, start: int, end: int, mark: str) -> tuple[str, str]:
        """Return the part of a line around a span that has room, and the underline below it."""
        # Only characters that can come to stand on the page are measured: a line may be as long as a program.
        first = max(0, start - _REACH * self._room)
        last = min(len(text), start + _REACH * self._room)
        cells = _cells(text[first:last])
        left = sum(cell.width for cell in cells if cell.end <= start - first)
        right = sum(cell.width for cell in cells if cell.start < end - first)
        kept = self._kept(cells, left)
        if not kept:
            return "", mark
        head = "" if first == 0 and kept[0] is cells[0] else "…"
        tail = "" if last == len(text) and kept[-1] is cells[-1] else "…"
        shift = kept[0].column - len(head)
        edge = kept[-1].column + kept[-1].width
        shown = head + "".join(cell.shown for cell in kept) + tail
        return shown, " " * (left - shift) + mark * max(min(right, edge) - left, 1)

    def _kept(self, cells: list[_Cell], left: int) -> list[_Cell]:
        total = sum(cell.width for cell in cells)
        if total < self._room:
            return cells
        inner = self._room - 3  # both ellipses, and a mark behind the last character
        begin = max(0, min(left - inner // 4, total - inner))
        return [cell for cell in cells if begin <= cell.column and cell.column + cell.width <= begin + inner]

    def _margin(self, number: str, text: str = "") -> str:
        return f"{self._paint(f'{number:>{self.digits}} |', 'frame')} {text}".rstrip(" ")

    def _paint(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour else text


def _place(source: Source, span: Span) -> dict[str, Any]:
    return {
        "start": _point(source, span.start),
        "end": _point(source, span.end),
        "text": source.text[span.start : span.end],
    }


def _point(source: Source, offset: int) -> dict[str, int]:
    line, column = source.position(offset)
    return {"line": line, "column": column, "offset": offset}


def _fix_data(source: Source, fix: Fix) -> dict[str, Any]:
    edits = [{**_place(source, edit.span), "replacement": edit.replacement} for edit in fix.edits]
    return {"title": fix.title, "edits": edits}


def _rule(kind: type[Diagnostic]) -> dict[str, Any]:
    text = inspect.getdoc(kind) or ""
    return {
        "id": kind.code,
        "name": kind.__name__,
        "shortDescription": {"text": " ".join(text.partition("\n\n")[0].split())},
        "fullDescription": {"text": text},
        "defaultConfiguration": {"level": str(kind.severity)},
    }


def _result(diagnostic: Diagnostic, source: Source, rule: int) -> dict[str, Any]:
    facts = [f"{label}: {text}" for label, text in _facts(diagnostic)]
    result = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": str(diagnostic.severity),
        "message": {"text": "\n".join([diagnostic.message, *facts])},
        "locations": [_location(source, diagnostic.span)],
    }
    if diagnostic.notes:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": note.text}, **_location(source, note.span)}
            for number, note in enumerate(diagnostic.notes)
        ]
    if diagnostic.fix:
        result["fixes"] = [_sarif_fix(source, diagnostic.fix)]
    return result


def _location(source: Source, span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(source)}, "region": _region(source, span)}}


def _region(source: Source, span: Span) -> dict[str, int]:
    start_line, start_column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def _sarif_fix(source: Source, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.replacement}}
        for edit in fix.edits
    ]
    change = {"artifactLocation": {"uri": _uri(source)}, "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _uri(source: Source) -> str:
    path = PurePath(source.name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")
