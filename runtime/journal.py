"""An append-only record of finished units of work, so that a run killed at any instant can be continued.

The file is JSON Lines: a header that names the run's inputs by hash, then one line for each finished
unit, `{"key": […], "data": …}`. A line is on the disk before the unit counts as finished. A line that
the end of a process tore is dropped when the file is opened again; the unit is then done anew.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

import attrs

FORMAT = 2
HEADER_START = b'{"format":'
Key = tuple[str, ...]


class JournalError(Exception):
    """A journal cannot be used; the text says why and what to do."""


@attrs.define(eq=False)
class Journal:
    """The finished units of one run by key; several threads can share it. See `open_journal`."""

    _file: FileIO
    _data: dict[Key, Any]
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    _failure: OSError | None = attrs.field(default=None, init=False)

    def __contains__(self, key: Key) -> bool:
        return key in self._data

    def __getitem__(self, key: Key) -> Any:
        return self._data[key]

    def __len__(self) -> int:
        return len(self._data)

    def __iter__(self) -> Iterator[Key]:
        return iter(tuple(self._data))

    def record(self, key: Key, data: Any) -> None:
        """Write a finished unit to the disk; `data` is JSON data. A unit is finished once.

        Raises:
            OSError: the disk does not take it, or did not take an earlier one.
        """
        with self._lock:
            if key in self._data:
                raise ValueError(f"{key} is recorded already")
            self._write({"key": list(key), "data": data})
            self._data[key] = data

    def _write(self, line: Any) -> None:
        """Write a line, unless one has failed: after half a line, no other could be read."""
        if self._failure is not None:
            raise self._failure
        try:
            _write_line(self._file, line)
        except OSError as error:
            self._failure = error
            raise


@contextmanager
def open_journal(path: Path, inputs: Mapping[str, str]) -> Iterator[Journal]:
    """Open a run's journal, or start one; `inputs` maps what determines the run to its value or hash.

    Raises `JournalError` where the file belongs to a run with other inputs, is in use by another
    process, or is damaged elsewhere than in its last line.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Opened without truncation and locked before anything is read: another process may be writing.
    with open(path, "a+b", buffering=0) as file:
        _lock(path, file)
        lines = _whole_lines(path, file)
        if lines:
            _check_header(path, lines[0], inputs)
        else:
            _write_line(file, {"format": FORMAT, "inputs": dict(inputs)})
            _sync_folder(path.parent)
        yield Journal(file, {tuple(line["key"]): line["data"] for line in lines[1:]})


def _lock(path: Path, file: FileIO) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JournalError(
            f"{path}: another process is writing to this run. Wait for it, or use another folder."
        ) from error


def _whole_lines(path: Path, file: FileIO) -> list[dict[str, Any]]:
    """Return the parsed lines, and cut a torn last line off the file."""
    file.seek(0)
    raw = file.read()
    lines: list[dict[str, Any]] = []
    good = 0
    for number, line in enumerate(raw.splitlines(keepends=True), 1):
        parsed = _parsed(line, is_header=number == 1)
        if parsed is None:
            if good + len(line) < len(raw) or not (lines or _may_be_a_torn_header(line)):
                raise JournalError(
                    f"{path}, line {number}: this is not a line of a run's journal. "
                    "Use another folder, or delete this one to start anew."
                )
            file.truncate(good)
            break
        lines.append(parsed)
        good += len(line)
    return lines


def _parsed(line: bytes, *, is_header: bool) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        data: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    match data:
        case {"format": int(), "inputs": dict()}:
            return data if is_header else None
        case {"key": list(), "data": _}:
            return None if is_header else data
        case _:
            return None


def _may_be_a_torn_header(line: bytes) -> bool:
    """Tell what a killed start left from somebody else's file, which must not be cut off."""
    return line.startswith(HEADER_START[: len(line)])


def _check_header(path: Path, header: Mapping[str, Any], inputs: Mapping[str, str]) -> None:
    if header["format"] != FORMAT:
        raise JournalError(
            f"{path}: this run was written in format {header['format']}, not {FORMAT}, and cannot be "
            "continued. Use another folder."
        )
    then: Mapping[str, str] = header["inputs"]
    changes = [
        f"{name} was {then.get(name, 'not given')}, now {inputs.get(name, 'not given')}"
        for name in sorted({*then, *inputs})
        if then.get(name) != inputs.get(name)
    ]
    if changes:
        raise JournalError(
            f"{path}: this folder holds another run, which cannot be continued: {'; '.join(changes)}. "
            "Use another folder, or delete this one to start anew."
        )


def _write_line(file: FileIO, data: Any) -> None:
    line = json.dumps(data, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"
    written = 0
    while written < len(line):
        written += file.write(line[written:])
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
