"""Building the data store's database: one pass over any number of products, in bounded memory."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import attrs

from skillsandbox.envs.webshop.catalogue import CATEGORY_SEPARATOR, Product
from skillsandbox.envs.webshop.loading import (
    Finding,
    LoadError,
    OfficialFiles,
    stream_attributes,
    stream_instructions,
    stream_products,
)
from skillsandbox.envs.webshop.tables import INDEXES, SCHEMA, Row, encode, product_rows

CONTENT_VERSION = 4
"""To be raised with every change of the schema, of the generator, and of how records are read."""

Contents: TypeAlias = Iterable[Product | Finding]

_SETTINGS = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -131072;
PRAGMA temp_store = FILE;
"""
"""The draft of a database needs no protection: if it is not finished, it is thrown away."""


def build_database(path: Path, contents: Callable[[sqlite3.Connection], Contents]) -> None:
    """Write a database of products; `contents` can look up in the connection what was written so far.

    Raises:
        LoadError: there is no product in the contents, or they cannot be read.
    """
    connection = sqlite3.connect(path)
    try:
        connection.executescript(_SETTINGS + SCHEMA)
        with connection:
            _fill(connection, contents(connection))
        connection.executescript(INDEXES)
    finally:
        connection.close()


def official_contents(
    files: OfficialFiles, staging: Path, connection: sqlite3.Connection
) -> Iterator[Product | Finding]:
    """Yield what stands in official files; their annotations are kept at `staging` meanwhile.

    Raises:
        LoadError: one of the files is not of its official kind, or cannot be read.
    """
    staged = sqlite3.connect(staging)
    try:
        staged.executescript(_SETTINGS)
        annotations = _StagedAnnotations(staged)
        if files.attributes is not None:
            yield from annotations.keep("attributes", stream_attributes(files.attributes))
        if files.human is not None:
            yield from annotations.keep("instructions", stream_instructions(files.human))
        yield from stream_products(files.products, annotations, _Written(connection))
    finally:
        staged.close()


class _StagedAnnotations:
    """The entries of the files of attributes and instructions, in a database of their own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        for table in ("attributes", "instructions"):
            connection.execute(f"CREATE TABLE {table} (asin TEXT PRIMARY KEY, entry BLOB) WITHOUT ROWID")

    def keep(self, table: str, entries: Iterable[tuple[str, object] | Finding]) -> Iterator[Finding]:
        """Keep entries, the last of those with the same key; yield the findings."""
        with self._connection:
            for entry in entries:
                if isinstance(entry, Finding):
                    yield entry
                else:
                    key, value = entry
                    self._connection.execute(
                        f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", (_key(key), encode(value))
                    )

    def attributes(self, asin: str) -> object:
        """Return the entry of the file of attributes."""
        return self._entry("attributes", asin)

    def instructions(self, asin: str) -> object:
        """Return the entry of the file of human instructions."""
        return self._entry("instructions", asin)

    def _entry(self, table: str, asin: str) -> object:
        found = self._connection.execute(f"SELECT entry FROM {table} WHERE asin = ?", (asin,)).fetchone()
        return None if found is None else json.loads(found[0])


def _key(text: str) -> str:
    """Return a key without lone surrogates, with which it can only be of no product."""
    return text.encode("utf-8", "backslashreplace").decode()


@attrs.frozen
class _Written:
    """The ASINs that stand in the database."""

    _connection: sqlite3.Connection

    def __contains__(self, asin: object) -> bool:
        return self._connection.execute("SELECT 1 FROM item WHERE asin = ?", (asin,)).fetchone() is not None


def _fill(connection: sqlite3.Connection, contents: Contents) -> None:
    digest = hashlib.sha256(str(CONTENT_VERSION).encode())
    paths = set[str]()
    number = 0
    for one in contents:
        if isinstance(one, Finding):
            _insert(connection, "finding", [(one.file, one.row, one.asin, one.text, one.skipped)])
            continue
        source = encode(dict(one.source))
        rows = product_rows(number, one, source)
        for table, of_table in rows.items():
            _insert(connection, table, of_table)
        digest.update(encode({**rows, "body": [row[:-1] for row in rows["body"]]}))
        digest.update(source)
        paths.add(one.product_category)
        number += 1
    if not number:
        raise LoadError(_nothing_loaded(connection))
    for path in sorted(paths):
        parts = enumerate(part.strip() for part in path.split(CATEGORY_SEPARATOR))
        _insert(connection, "category", [(path, position, name) for position, name in parts])
    _insert(connection, "about", [(digest.hexdigest(), number)])


def _nothing_loaded(connection: sqlite3.Connection) -> str:
    first = connection.execute("SELECT file, row, asin, text, skipped FROM finding WHERE skipped").fetchone()
    return f"no product could be loaded: {Finding(*first) if first else 'there are none'}"


def _insert(connection: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    if rows:
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
