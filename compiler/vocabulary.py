"""Vocabulary: the texts of a checked scenario that must be words of the data store, and are not."""

from __future__ import annotations

from collections.abc import Iterator

from skillsandbox.compiler import errors
from skillsandbox.compiler.checker import words
from skillsandbox.compiler.diagnostics import Diagnostic
from skillsandbox.compiler.environment import Store
from skillsandbox.compiler.interface import Interface, Table
from skillsandbox.compiler.resolver import Resolved
from skillsandbox.compiler.suggestion import closest, nearest


def unknown_words(resolved: Resolved, interface: Interface, store: Store) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each text that stands where a word is wanted, and is none that the store has.

    Where the operations have been applied, the words that they bring in are words too.
    """
    found = words(resolved, interface)
    for word in found.used:
        table, text = word.type.words, word.text.value
        assert table is not None
        coined = found.coined.get(word.type.name, frozenset()) if word.altered else frozenset()
        if text in coined or store.query(f"SELECT 1 FROM {table.name} WHERE {table.key} = ? LIMIT 1", [text]):
            continue
        known = sorted({*_known(store, table), *coined})
        suggestion = closest(text, known)
        yield errors.UnknownWord(
            word.text.span, text, word.type.name, suggestion, () if suggestion else nearest(text, known)
        )


def _known(store: Store, table: Table) -> list[str]:
    return [str(row[0]) for row in store.query(f"SELECT DISTINCT {table.key} FROM {table.name}")]
