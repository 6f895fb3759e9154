"""Reading JSON lists and objects of any size item by item, and past items that are no JSON.

The standard decoder does the reading, in a window over the file that never grows beyond the longest item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import attrs

CHUNK = 1 << 20
LONGEST_ITEM = 1 << 24
"""How many characters an item may have; what is longer is passed over."""

_SPACE = re.compile(r"[ \t\n\r]*")
_DELIMITERS = frozenset(" \t\n\r,]}")
_LOOK_BACK = 16


class StreamError(Exception):
    """A file is not of the shape that was asked for; nothing of it can be read."""


@attrs.frozen
class Item:
    """A value of a list, or of an object under a key; `number` counts from 0."""

    number: int
    value: Any
    key: str = ""


@attrs.frozen
class Damage:
    """Why the item of this number, or what stands before it, cannot be read."""

    number: int
    reason: str


class _EndOfFileError(Exception):
    """The file ended inside a value."""


class _NoJsonError(Exception):
    """What stands here is no JSON, or no value that anybody could want."""


def stream_list(path: Path, is_item: _IsItem) -> Iterator[Item | Damage]:
    """Yield the items of a file that holds one JSON list, and what is wrong between them.

    After damage, reading goes on at the next value for which `is_item` holds.

    Raises:
        StreamError: the file holds no list.
        OSError: the file cannot be read.
    """
    return _stream(path, ("[", "]"), _Window.value_alone, re.compile(r"\{"), is_item)


def stream_object(path: Path, is_item: _IsItem) -> Iterator[Item | Damage]:
    """Yield the values of a file that holds one JSON object, with their keys, as `stream_list` does.

    Raises:
        StreamError: the file holds no object.
        OSError: the file cannot be read.
    """
    return _stream(path, ("{", "}"), _Window.value_with_key, re.compile(r'"'), is_item)


class _Window:
    """A part of a file that moves forward: `text` from `at` on is still to be read."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._decoder = json.JSONDecoder(strict=False)
        self.text = ""
        self.at = 0

    def more(self) -> bool:
        """Add more of the file, and drop what was read; return whether there was more."""
        # Doubling bounds how often a long item is tried in vain.
        added = self._stream.read(max(CHUNK, len(self.text) - self.at))
        self.text = self.text[self.at :] + added
        self.at = 0
        return bool(added)

    def peek(self) -> str:
        """Return the next character that is no white space, without reading it; empty at the end."""
        while True:
            match = _SPACE.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def value_alone(self) -> tuple[str, Any]:
        """Read a value; its key is empty."""
        return "", self.value()

    def value_with_key(self) -> tuple[str, Any]:
        """Read a key, a colon and a value."""
        key = self.value()
        if not isinstance(key, str) or self.peek() != ":":
            raise _NoJsonError("a key and a colon are expected")
        self.at += 1
        return key, self.value()

    def value(self) -> Any:
        """Read a value.

        Raises:
            _NoJsonError: there is none, or it is too long; nothing was read.
            _EndOfFileError: the file ends inside it.
        """
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self.text, self.at)
            except (ValueError, RecursionError) as error:
                if not self._may_be_cut(error):
                    raise _NoJsonError(_reason(error)) from None
            else:
                # A number at the end of the window may go on behind it.
                if isinstance(value, str | dict | list) or self.text[end : end + 1] in _DELIMITERS:
                    self.at = end
                    return value
            if len(self.text) - self.at > LONGEST_ITEM:
                raise _NoJsonError(f"it is longer than {LONGEST_ITEM} characters")
            if not self.more():
                raise _EndOfFileError

    def _may_be_cut(self, error: Exception) -> bool:
        if not isinstance(error, json.JSONDecodeError):
            return False
        return error.msg.startswith("Unterminated string") or error.pos >= len(self.text) - _LOOK_BACK

    def seek(self, start: re.Pattern[str], read: _Read, is_item: _IsItem) -> tuple[str, Any] | None:
        """Read the next item that stands anywhere ahead; return None if there is none."""
        while True:
            match = start.search(self.text, self.at)
            if match is None:
                self.at = len(self.text)
                if not self.more():
                    return None
                continue
            self.at = match.start()
            try:
                found = read(self)
            except (_NoJsonError, _EndOfFileError):
                self.at += 1
                continue
            if is_item(found[1]):
                return found


_Read: TypeAlias = Callable[[_Window], tuple[str, Any]]
_IsItem: TypeAlias = Callable[[Any], bool]


def _stream(
    path: Path, brackets: tuple[str, str], read: _Read, start: re.Pattern[str], is_item: _IsItem
) -> Iterator[Item | Damage]:
    opening, closing = brackets
    # What is no UTF-8 becomes a lone surrogate, as from an escape that was cut in half.
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        window = _Window(stream)
        if window.peek() != opening:
            raise StreamError(f"{path.name} does not begin with `{opening}`")
        window.at += 1
        number = 0
        if window.peek() == closing:
            yield from _behind(window, number)
            return
        while True:
            try:
                key, value = read(window)
            except _EndOfFileError:
                yield Damage(number, "the file ends inside it")
                return
            except _NoJsonError as error:
                yield Damage(number, str(error))
                number += 1
                found = window.seek(start, read, is_item)
                if found is None:
                    return
                key, value = found
            yield Item(number, value, key)
            number += 1
            match window.peek():
                case ",":
                    window.at += 1
                case "":
                    yield Damage(number, f"the file ends without `{closing}`")
                    return
                case bracket if bracket == closing:
                    yield from _behind(window, number)
                    return
                case _:
                    yield Damage(number, "a comma is missing before it")


def _behind(window: _Window, number: int) -> Iterator[Damage]:
    """Yield what is wrong behind the closing bracket that comes next."""
    bracket = window.peek()
    window.at += 1
    if window.peek():
        yield Damage(number, f"more stands behind the closing `{bracket}`")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON: {error.msg}"
    return f"it cannot be read: {error}"
