"""Indexing a stream of documents in bounded memory: segments of a few thousand, merged on disk."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, BinaryIO, Final

import attrs
import numpy as np
from numpy.lib.format import dtype_to_descr, write_array_header_1_0

from skillsandbox.envs.webshop.segment import (
    NUMBER_BITS,
    Array,
    Document,
    Strings,
    array_file,
    offsets_of,
    read_segment,
    reject_duplicates,
    segment_of,
    write_arrays,
    write_segment,
)

BATCH: Final = 1 << 23
"""About how many characters of text make a segment."""

CHUNK: Final = 1 << 22
"""About how many postings are merged at a time."""


def index_documents(folder: Path, documents: Iterable[Document], workspace: Path, processes: int) -> None:
    """Write a segment of all documents into an existing folder, using another for work in progress.

    Raises:
        DuplicateDocumentError: two documents have the same id.
    """
    _Merge.of(list(_write_segments(workspace, documents, processes))).write(folder)


def _write_segments(workspace: Path, documents: Iterable[Document], processes: int) -> Iterator[Path]:
    tasks = ((workspace / str(number), batch) for number, batch in enumerate(_batches(documents)))
    if processes == 1:
        yield from (_write_batch(folder, batch) for folder, batch in tasks)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        # A batch is read only when a process is about to be free, so that batches do not pile up.
        pending: deque[Future[Path]] = deque()
        for folder, batch in tasks:
            pending.append(pool.submit(_write_batch, folder, batch))
            if len(pending) > processes:
                yield pending.popleft().result()
        yield from (each.result() for each in pending)


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Cut the stream where enough text has come together; there is at least one batch."""
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document[1])
        if characters >= BATCH:
            yield batch
            batch, characters = [], 0
    yield batch


def _write_batch(folder: Path, documents: Sequence[Document]) -> Path:
    folder.mkdir()
    write_segment(folder, segment_of(documents))
    return folder


@attrs.frozen(eq=False)
class _Merge:
    """Segments on disk, and where their documents and terms come to stand when merged.

    Attributes:
        parts: the folders of the segments.
        ids: all documents' ids, ascending.
        numbers: for each segment the new numbers of its documents, ascending.
        vocabulary: all terms, ascending.
        places: for each segment the new places of its terms, ascending.
        offsets: where the postings of each term begin, and where the last one's end.
    """

    parts: Sequence[Path]
    ids: Sequence[str]
    numbers: Sequence[Array]
    vocabulary: Sequence[str]
    places: Sequence[Array]
    offsets: Array

    @classmethod
    def of(cls, parts: Sequence[Path]) -> _Merge:
        ids = sorted(document_id for part in parts for document_id in read_segment(part).ids)
        reject_duplicates(ids)
        vocabulary = sorted({term for part in parts for term in read_segment(part).vocabulary})
        number_of = {document_id: number for number, document_id in enumerate(ids)}
        place_of = {term: place for place, term in enumerate(vocabulary)}
        numbers = [np.array([number_of[i] for i in read_segment(part).ids], np.uint64) for part in parts]
        places = [np.array([place_of[t] for t in read_segment(part).vocabulary], np.uint64) for part in parts]
        counts = np.zeros(len(vocabulary), np.uint64)
        for part, of_part in zip(parts, places, strict=True):
            counts[of_part] += np.diff(read_segment(part).offsets)
        return cls(parts, ids, numbers, vocabulary, places, offsets_of(counts))

    def write(self, folder: Path) -> None:
        """Write the merged segment into an existing folder, its postings chunk by chunk."""
        ids, vocabulary = Strings.of(self.ids), Strings.of(self.vocabulary)
        write_arrays(
            folder,
            {
                "ids.encoded": ids.encoded,
                "ids.offsets": ids.offsets,
                "lengths": self._by_document("lengths"),
                "norms": self._by_document("norms"),
                "vocabulary.encoded": vocabulary.encoded,
                "vocabulary.offsets": vocabulary.offsets,
                "offsets": self.offsets,
            },
        )
        of_frequencies = np.result_type(*(read_segment(part).frequencies.dtype for part in self.parts))
        with (
            array_file(folder, "documents").open("wb") as documents,
            array_file(folder, "frequencies").open("wb") as frequencies,
        ):
            self._start(documents, np.dtype(np.uint32))
            self._start(frequencies, of_frequencies)
            for first, last in self._chunks():
                of_chunk = self._postings(first, last)
                of_chunk[0].tofile(documents)
                of_chunk[1].astype(of_frequencies).tofile(frequencies)

    def _by_document(self, name: str) -> Array:
        parts = [getattr(read_segment(part), name) for part in self.parts]
        merged = np.empty(len(self.ids), parts[0].dtype)
        merged[np.concatenate(self.numbers).astype(np.int64)] = np.concatenate(parts)
        return merged

    def _start(self, file: BinaryIO, of: np.dtype[Any]) -> None:
        shape = (int(self.offsets[-1]),)
        header = {"descr": dtype_to_descr(of), "fortran_order": False, "shape": shape}
        write_array_header_1_0(file, header)

    def _chunks(self) -> Iterator[tuple[int, int]]:
        """Cut the vocabulary where enough postings have come together."""
        first = 0
        while first < len(self.vocabulary):
            enough = np.searchsorted(self.offsets, self.offsets[first] + np.uint64(CHUNK), side="right")
            last = max(first + 1, int(enough) - 1)
            yield first, last
            first = last

    def _postings(self, first: int, last: int) -> tuple[Array, Array]:
        """The documents and frequencies of the terms from `first` to `last`, in order."""
        pairs, frequencies = [], []
        for part, numbers, places in zip(self.parts, self.numbers, self.places, strict=True):
            start, stop = np.searchsorted(places, (first, last))
            segment = read_segment(part)
            of_terms = slice(int(segment.offsets[start]), int(segment.offsets[stop]))
            counts = np.diff(segment.offsets[start : stop + 1]).astype(np.int64)
            of_posting = np.repeat(places[start:stop], counts) << NUMBER_BITS
            pairs.append(of_posting | numbers[segment.documents[of_terms]])
            frequencies.append(segment.frequencies[of_terms])
        merged = np.concatenate(pairs)
        order = np.argsort(merged)
        return merged[order].astype(np.uint32), np.concatenate(frequencies)[order]
