"""The search engine: an index of documents on disk, and views of it with edits.

An index is one segment. Edits of it are another, in memory, with the changed and new documents, and the
numbers of those to pass over in the first, which is shared, not copied.
"""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from skillsandbox.envs.webshop.indexing import index_documents
from skillsandbox.envs.webshop.search import Hit, Part, rank
from skillsandbox.envs.webshop.segment import ARRAYS, Document, array_file, read_segment, segment_of

FORMAT: Final = 1
"""To be raised with every change of what the arrays mean, and of the analysis of text."""

MOST_HITS: Final = 50
"""How many results a search of the official site has at most."""

_MANIFEST: Final = "manifest.json"
_BLOCK: Final = 1 << 12
_MOST_BLOCKS: Final = 64


class IndexUnusableError(Exception):
    """There is no index, or it is damaged, or of another version of this program: it must be built."""


class UnknownDocumentError(ValueError):
    """A document that is to be removed is not there."""


@attrs.frozen(eq=False)
class Index:
    """Documents that can be searched; it never changes, and threads may share it."""

    _parts: tuple[Part, ...]

    @classmethod
    def build(cls, folder: Path, documents: Iterable[Document], processes: int = 1) -> Index:
        """Index a stream of documents into `folder`, and open the index.

        The folder appears, or replaces an older one, when all is written. The order of the documents
        does not matter. With `processes` above 1 texts are analysed in that many new processes.

        Raises:
            DuplicateDocumentError: two documents have the same id.
        """
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as name:
            draft, parts, replaced = (Path(name, each) for each in ("draft", "parts", "replaced"))
            draft.mkdir()
            parts.mkdir()
            index_documents(draft, documents, parts, processes)
            _write_manifest(draft)
            if folder.exists():
                folder.rename(replaced)
            draft.rename(folder)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Index:
        """Open an index that was built; its files are mapped, not read.

        Raises:
            IndexUnusableError: it is missing, damaged, or has another format.
        """
        _check_manifest(folder)
        return cls((Part.of(read_segment(folder)),))

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Index:
        """Index documents in memory, on no disk.

        Raises:
            DuplicateDocumentError: two documents have the same id.
        """
        return cls((Part.of(segment_of(documents)),))

    def edited(self, changed: Mapping[str, str], removed: Iterable[str] = ()) -> Index:
        """Return the index as it would be after edits, at a cost that only they determine.

        Args:
            changed: the new texts of documents by id, whether they were there or not.
            removed: the ids of documents that go.

        Raises:
            UnknownDocumentError: a document that is to be removed is not there.
            ValueError: a document is to be both changed and removed.
        """
        gone = sorted(set(removed))
        for each in gone:
            if each in changed:
                raise ValueError(f"document {each!r} is both changed and removed")
            if not any(part.has(each) for part in self._parts):
                raise UnknownDocumentError(f"no document {each!r} to remove")
        replaced = (*gone, *changed)
        remaining = [part.without(replaced) for part in self._parts]
        return Index((*remaining, Part.of(segment_of(changed.items()))))

    def search(self, query: str, k: int = MOST_HITS) -> tuple[Hit, ...]:
        """Return the `k` documents that match `query` best, best first, ties in the order of their ids.

        Raises:
            ValueError: `k` is not positive.
        """
        if k < 1:
            raise ValueError(f"k is {k}: at least one result must be asked for")
        return rank(self._parts, query, k)


def _write_manifest(folder: Path) -> None:
    manifest = {"format": FORMAT, "files": _fingerprints(folder)}
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _check_manifest(folder: Path) -> None:
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            raise IndexUnusableError(f"{folder}: format {manifest['format']}, where {FORMAT} is expected")
        if manifest["files"] != _fingerprints(folder):
            raise IndexUnusableError(f"{folder}: files are not as they were written")
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise IndexUnusableError(f"{folder}: no index, or a damaged one: {error}") from error


def _fingerprints(folder: Path) -> dict[str, Any]:
    return {name: _fingerprint(array_file(folder, name)) for name in ARRAYS}


def _fingerprint(path: Path) -> list[int]:
    """The size of a file and a CRC-32 of blocks spread evenly over it: of all of it if it is small."""
    size = path.stat().st_size
    step = max(_BLOCK, -(-size // _MOST_BLOCKS))
    checksum = 0
    with path.open("rb") as file:
        for start in range(0, size, step):
            file.seek(start)
            checksum = zlib.crc32(file.read(_BLOCK), checksum)
    return [size, checksum]
