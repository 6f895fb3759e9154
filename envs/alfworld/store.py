"""The data store: the default arrangements of all scenes as one SQLite database, which the binder queries.

`tables.SCHEMA` documents each table and column. The database is built once, cached as a file, and read from
then on. SQLite rather than DuckDB, because opening it is part of every start-up: see `benchmarks/store.py`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import tempfile
import threading
import zlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import attrs

from skillsandbox.compiler.environment import TooCostly, Unavailable
from skillsandbox.compiler.values import fold
from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.arrangement import arrange
from skillsandbox.envs.alfworld.household import Configuration
from skillsandbox.envs.alfworld.layouts import read_layouts
from skillsandbox.envs.alfworld.tables import SCHEMA, Row, default_configuration, scene_rows, type_rows
from skillsandbox.grammar.cache import CACHE_VARIABLE, cache_folder

CONTENT_VERSION = 1
"""To be raised with every change of the schema, and of the code that decides what stands in the tables."""

Value: TypeAlias = str | int | None

TICK = 100_000
MOST_TICKS = 100
"""A query may take TICK * MOST_TICKS steps: steps rather than seconds, so that all machines agree."""

CHECKSUM_FIELD = slice(60, 64)
"""Where an SQLite file keeps the user version, which it leaves to its users: here, a CRC-32 of the rest."""


class StoreError(Unavailable):
    """The data store cannot be had, or does not have what was asked of it."""


@attrs.frozen(eq=False)
class AlfworldStore:
    """A read-only database with the tables of `tables.SCHEMA`; `data_version` is a hash of its content."""

    data_version: str
    _connection: sqlite3.Connection
    _added: Mapping[str, Configuration]
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def query(self, sql: str, parameters: Sequence[Value] | Mapping[str, Value] = ()) -> list[Row]:
        """Return all rows that a SELECT statement yields.

        Raises:
            TooCostly: it takes more than `MOST_TICKS` times `TICK` steps of SQLite's virtual machine.
            sqlite3.Error: the statement is malformed, or would write.
        """
        ticks = iter(range(MOST_TICKS))
        # A connection has one handler: a query is not to be counted by that of another thread's.
        with self._lock:
            self._connection.set_progress_handler(lambda: next(ticks, None) is None, TICK)
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.OperationalError as error:
                if next(ticks, None) is None:
                    raise TooCostly from error
                raise

    def configuration(self, scene: str) -> Configuration:
        """Return what stands under a key of the table `scene`: a default arrangement or the start of a game.

        Raises:
            StoreError: the table has no such key.
        """
        if scene in self._added:
            return self._added[scene]
        found = self.query("SELECT floor_plan, start FROM scene WHERE scene = ?", (scene,))
        if not found:
            raise StoreError(f"the data store has no scene {scene!r}")
        receptacles = "SELECT id, type, location, openable FROM receptacle WHERE scene = ? ORDER BY id"
        things = "SELECT id, type, pickupable, receptacle FROM thing WHERE scene = ? ORDER BY id"
        floor_plan, start = found[0]
        return default_configuration(
            floor_plan, start, self.query(receptacles, (scene,)), self.query(things, (scene,))
        )

    def with_game(self, name: str) -> AlfworldStore:
        """Return a store in which the start of an official game is one more scene, `game:<name>`.

        Raises:
            GameError: the game cannot be read (see `games.read_game`).
        """
        from skillsandbox.envs.alfworld.games import read_game

        return self.with_configuration(f"game:{name}", read_game(name).configuration)

    def with_configuration(self, key: str, configuration: Configuration) -> AlfworldStore:
        """Return a store in which a configuration is one more scene.

        Raises:
            StoreError: the key is taken.
            ValueError: the household is in none of ALFRED's scenes.
        """
        if self.query("SELECT 1 FROM scene WHERE scene = ?", (key,)):
            raise StoreError(f"the data store already has a scene {key!r}")
        rows = scene_rows(key, configuration)
        memory = _connect(":memory:")
        with self._lock:
            self._connection.backup(memory)
        with memory:
            _insert(memory, rows)
        memory.execute("PRAGMA query_only = ON")
        added = {**self._added, key: configuration}
        return AlfworldStore(_hash([self.data_version, rows]), memory, added)

    def close(self) -> None:
        """Release the database; no query can follow."""
        self._connection.close()


def open_store(arrangement_seed: int = 0) -> AlfworldStore:
    """Open the store of all 120 scenes in the default arrangement that a seed gives.

    The database comes from the cache; where it is missing or damaged, it is built there first. Several
    processes may do so at once: each writes a file of its own and renames it.

    Raises:
        StoreError: the cache folder cannot be written.
    """
    path = cache_folder() / f"alfworld-{_package_version()}-{CONTENT_VERSION}-{arrangement_seed}.sqlite3"
    try:
        if not _is_intact(path):
            _build(path, arrangement_seed)
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreError(
            f"the data store cannot be kept in {path.parent}: {error}; set {CACHE_VARIABLE} to another folder"
        ) from error
    # Nobody writes to a file that has its final name, so that no locks are needed.
    connection = _connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1")
    (data_version,) = connection.execute("SELECT data_version FROM about").fetchone()
    return AlfworldStore(data_version, connection, added={})


def _package_version() -> str:
    """Return alfworld's version; to import importlib.metadata would take longer than to open the store."""
    text = (domain.package_folder() / "info.py").read_text(encoding="utf-8")
    match = re.search(r"__version__ = ['\"]([^'\"]+)", text)
    if match is None:
        raise StoreError("the installed alfworld package does not tell its version")
    return match[1]


def _connect(name: str) -> sqlite3.Connection:
    # A store serves several threads, one query at a time.
    connection = sqlite3.connect(name, uri=True, check_same_thread=False)
    connection.create_function("fold", 1, fold, deterministic=True)
    return connection


def _is_intact(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return False
    return content[CHECKSUM_FIELD] == _checksum(content)


def _checksum(content: bytes) -> bytes:
    view = memoryview(content)
    before, after = view[: CHECKSUM_FIELD.start], view[CHECKSUM_FIELD.stop :]
    return zlib.crc32(after, zlib.crc32(before)).to_bytes(4, "big")


def _build(path: Path, seed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.") as folder:
        draft = Path(folder) / path.name
        with closing(sqlite3.connect(draft)) as connection, connection:
            _fill(connection, seed)
        _seal(draft)
        draft.replace(path)


def _seal(path: Path) -> None:
    content = path.read_bytes()
    with path.open("r+b") as stream:
        stream.seek(CHECKSUM_FIELD.start)
        stream.write(_checksum(content))


def _fill(connection: sqlite3.Connection, seed: int) -> None:
    content = [type_rows()]
    content += [scene_rows(layout.scene, arrange(layout, seed)) for layout in read_layouts()]
    connection.executescript(SCHEMA)
    for rows in content:
        _insert(connection, rows)
    connection.execute("INSERT INTO about VALUES (?)", (_hash(content),))


def _insert(connection: sqlite3.Connection, rows_of: Mapping[str, Sequence[Row]]) -> None:
    for table, rows in rows_of.items():
        for row in rows:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def _hash(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
