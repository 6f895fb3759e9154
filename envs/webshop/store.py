"""The data store: a catalogue as one SQLite database on disk, which the binder queries and the site reads.

`tables.SCHEMA` documents each table and column. The database is built once, streamed, and kept as a file in
the cache; opening it reads next to nothing of it.
"""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeAlias

import attrs

from skillsandbox.compiler.environment import TooCostly
from skillsandbox.envs.webshop.building import CONTENT_VERSION, Contents, build_database, official_contents
from skillsandbox.envs.webshop.catalogue import Product, UnknownProductError
from skillsandbox.envs.webshop.generator import DEFAULT_SIZE, generate
from skillsandbox.envs.webshop.loading import Finding, LoadError, OfficialFiles
from skillsandbox.envs.webshop.tables import ROWS_OF, WITH_HUMAN, WITH_SYNTHETIC, Row, products_from
from skillsandbox.grammar.cache import CACHE_VARIABLE, cache_folder

Value: TypeAlias = str | int | float | None
Parameters: TypeAlias = Sequence[Value] | Mapping[str, Value]

TICK = 1_000_000
MOST_TICKS = 200
"""A query may take TICK * MOST_TICKS steps: steps rather than seconds, so that all machines agree."""

BATCH = 500
"""How many products are read at once when all are read."""

REMEMBERED = 1000
"""How many products a store keeps in memory."""

CHECKSUM_FIELD = slice(60, 64)
"""Where an SQLite file keeps the user version, which it leaves to its users: here, a CRC-32 of the rest."""

BLOCK = 1 << 16
MOST_BLOCKS = 256
"""The checksum covers up to so many blocks, spread evenly, and the file's size: all of a file of 16 MB."""


class StoreError(Exception):
    """The data store cannot be had."""


class _Database:
    """A connection that several threads can share: one statement at a time, and a bound on some.

    Beside SQLite's functions there is `fold(text)`: a text in lower case, in all of Unicode.
    """

    def __init__(self, path: Path) -> None:
        # Nobody writes to a file that has its final name, so that SQLite needs no locks.
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._connection.create_function("fold", 1, str.lower, deterministic=True)
        self._lock = threading.Lock()

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Return all rows that a statement yields."""
        with self._lock:
            return self._connection.execute(sql, parameters).fetchall()

    def bounded_rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Return all rows that a statement yields, or raise `TooCostly`."""
        ticks = iter(range(MOST_TICKS))
        with self._lock:
            self._connection.set_progress_handler(lambda: next(ticks, None) is None, TICK)
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.OperationalError as error:
                if next(ticks, None) is None:
                    raise TooCostly from error
                raise
            finally:
                self._connection.set_progress_handler(None, TICK)

    def close(self) -> None:
        self._connection.close()


@attrs.frozen(eq=False)
class WebshopStore:
    """A catalogue in a read-only database with the tables of `tables.SCHEMA`.

    Queries can use `fold(text)`, which is a text in lower case.
    """

    data_version: str
    _size: int
    _database: _Database
    _product: Callable[[str], Product]

    def query(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Return all rows that a SELECT statement yields.

        Raises:
            TooCostly: it takes more than `MOST_TICKS` times `TICK` steps of SQLite's virtual machine.
            sqlite3.Error: the statement is malformed, or would write.
        """
        return self._database.bounded_rows(sql, parameters)

    def product(self, asin: str) -> Product:
        """Return a product; raise `UnknownProductError` where there is none."""
        return self._product(asin)

    def asins(self) -> Iterator[str]:
        """Yield the ASINs of all products in the order of the product file."""
        for first in range(0, self._size, BATCH):
            sql = "SELECT asin FROM item WHERE number BETWEEN ? AND ? ORDER BY number"
            yield from (asin for (asin,) in self._database.rows(sql, (first, first + BATCH - 1)))

    def products(self) -> Iterator[Product]:
        """Yield all products in the order of the product file, with one batch of them in memory."""
        for first in range(0, self._size, BATCH):
            yield from _read(self._database, first, first + BATCH - 1)

    def products_with_instructions(self, *, human: bool) -> Iterator[Product]:
        """Yield the products that have instructions, worded by people or synthetic, in the same order."""
        sql = WITH_HUMAN if human else WITH_SYNTHETIC
        for (number,) in self._database.rows(sql):
            yield from _read(self._database, number, number)

    def findings(self) -> Iterator[Finding]:
        """Yield what was wrong with the official files."""
        rows = self._database.rows("SELECT file, row, asin, text, skipped FROM finding ORDER BY rowid")
        return (Finding(file, row, asin, text, bool(skipped)) for file, row, asin, text, skipped in rows)

    def __contains__(self, asin: object) -> bool:
        """Say whether there is a product with this ASIN."""
        sql = "SELECT 1 FROM item WHERE asin = ?"
        return isinstance(asin, str) and bool(self._database.rows(sql, (asin,)))

    def __len__(self) -> int:
        """Return the number of products."""
        return self._size

    def close(self) -> None:
        """Release the database; no query can follow."""
        self._database.close()


def open_store(seed: int = 0, size: int = DEFAULT_SIZE) -> WebshopStore:
    """Open the store of the generated catalogue that a seed gives.

    The database comes from the cache; where it is missing or damaged, it is built there first. Several
    processes may do so at once: each writes a file of its own and renames it.

    Raises:
        StoreError: the cache folder cannot be written.
    """
    return _open(f"generated-{seed}-{size}", lambda folder, connection: generate(seed, size))


def open_official(files: OfficialFiles) -> WebshopStore:
    """Open the store of the catalogue in official files; what was wrong with them is in its `findings`.

    The database comes from the cache as in `open_store`, where it is found again by the names, sizes, times
    and both ends of the files.

    Raises:
        StoreError: the files are not of their official kind or have no product, or the cache folder cannot be
            written.
    """
    try:
        key = _key(files)
    except OSError as error:
        raise StoreError(f"{error.filename} cannot be read: {error.strerror}") from error
    return _open(key, lambda folder, connection: official_contents(files, folder / "annotations", connection))


def _open(key: str, contents: Callable[[Path, sqlite3.Connection], Contents]) -> WebshopStore:
    path = cache_folder() / f"webshop-{CONTENT_VERSION}-{key}.sqlite3"
    try:
        if not _is_intact(path):
            _build(path, contents)
    except LoadError as error:
        raise StoreError(str(error)) from error
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreError(
            f"the data store cannot be kept in {path.parent}: {error}; set {CACHE_VARIABLE} to another folder"
        ) from error
    database = _Database(path)
    ((data_version, size),) = database.rows("SELECT data_version, products FROM about")
    product = lru_cache(REMEMBERED)(partial(_read_one, database))
    return WebshopStore(data_version, size, database, product)


def _build(path: Path, contents: Callable[[Path, sqlite3.Connection], Contents]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.") as name:
        folder = Path(name)
        draft = folder / path.name
        build_database(draft, partial(contents, folder))
        _seal(draft)
        draft.replace(path)


def _read_one(database: _Database, asin: str) -> Product:
    found = database.rows("SELECT number FROM item WHERE asin = ?", (asin,))
    if not found:
        raise UnknownProductError(asin)
    return _read(database, found[0][0], found[0][0])[0]


def _read(database: _Database, first: int, last: int) -> list[Product]:
    """Return the products with these numbers, ends included."""
    return list(products_from({table: database.rows(sql, (first, last)) for table, sql in ROWS_OF.items()}))


def _key(files: OfficialFiles) -> str:
    digest = hashlib.sha256()
    for path in (files.products, files.attributes, files.human):
        if path is None:
            digest.update(b"none\n")
            continue
        status = path.stat()
        digest.update(f"{path.name}\n{status.st_size} {status.st_mtime_ns}\n".encode())
        with path.open("rb") as stream:
            digest.update(stream.read(BLOCK))
            stream.seek(max(0, status.st_size - BLOCK))
            digest.update(stream.read(BLOCK))
    return f"official-{digest.hexdigest()[:16]}"


def _is_intact(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            stream.seek(CHECKSUM_FIELD.start)
            return stream.read(4) == _checksum(path)
    except FileNotFoundError:
        return False


def _checksum(path: Path) -> bytes:
    size = path.stat().st_size
    step = max(BLOCK, -(-size // MOST_BLOCKS))
    checksum = zlib.crc32(str(size).encode())
    with path.open("rb") as stream:
        for start in range(0, size, step):
            stream.seek(start)
            block = stream.read(BLOCK)
            if start == 0:
                block = block[: CHECKSUM_FIELD.start] + block[CHECKSUM_FIELD.stop :]
            checksum = zlib.crc32(block, checksum)
    return checksum.to_bytes(4, "big")


def _seal(path: Path) -> None:
    checksum = _checksum(path)
    with path.open("r+b") as stream:
        stream.seek(CHECKSUM_FIELD.start)
        stream.write(checksum)
