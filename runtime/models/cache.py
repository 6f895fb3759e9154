"""Replies on disk, so that what was asked once is never asked again.

A SQLite database in WAL mode: a reply is in it whole or not at all, whenever a process is killed, and
several processes may use it at once. It holds replies under hashes of requests; no request, and no key.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from skillsandbox.runtime.models.request import ModelFault

FILE = "replies-1.sqlite"
_LOCKS = "locks"
_PATIENCE = 60.0
_TABLE = "CREATE TABLE IF NOT EXISTS reply (key TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID"

Data = Mapping[str, Any]


def cache_key(**parts: Any) -> str:
    """Return the hash of JSON data, whatever the order of its keys."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@attrs.define(eq=False)
class ReplyCache:
    """Replies by key; several threads may use it. See `open_cache`."""

    _folder: Path
    _database: sqlite3.Connection
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def get(self, key: str) -> Data | None:
        """Return what is kept under a key."""
        with self._lock, self._faults():
            row = self._database.execute("SELECT data FROM reply WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def put(self, key: str, data: Data) -> None:
        """Keep data under a key, in place of what was there."""
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        with self._lock, self._faults():
            self._database.execute("INSERT OR REPLACE INTO reply VALUES (?, ?)", (key, text))

    @contextmanager
    def asking(self, key: str) -> Iterator[None]:
        """Keep all others who ask for the same key waiting, threads and processes, while the context is open.

        Keys share 4096 locks: now and then a thread waits for another key's reply. A process that is killed
        keeps nobody waiting.
        """
        with self._faults():
            handle = os.open(self._folder / _LOCKS / key[:3], os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise _unusable(self._folder, error) from error


@contextmanager
def open_cache(folder: Path) -> Iterator[ReplyCache]:
    """Open the replies of a folder, or start them. Raises `ModelFault` where the folder cannot be used."""
    try:
        (folder / _LOCKS).mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(
            folder / FILE, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
    except (OSError, sqlite3.Error) as error:
        raise _unusable(folder, error) from error
    try:
        _prepare(database, folder)
        yield ReplyCache(folder, database)
    finally:
        database.close()


def _prepare(database: sqlite3.Connection, folder: Path) -> None:
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(_TABLE)
    except sqlite3.Error as error:
        raise _unusable(folder, error) from error


def _unusable(folder: Path, error: Exception) -> ModelFault:
    return ModelFault(
        f"{folder}: the replies of language models cannot be kept here: {error}. "
        "Give another folder with --model-cache."
    )
