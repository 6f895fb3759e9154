"""A segment: the inverted index of some documents, as plain arrays in memory or mapped from files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeAlias, overload

import attrs
import numpy as np
from numpy.typing import NDArray

from skillsandbox.envs.webshop.analysis import terms
from skillsandbox.envs.webshop.bm25 import norms_of

Array: TypeAlias = NDArray[Any]
Document: TypeAlias = tuple[str, str]
"""A document's id and its text."""

ARRAYS: Final = (
    "ids.encoded",
    "ids.offsets",
    "lengths",
    "norms",
    "vocabulary.encoded",
    "vocabulary.offsets",
    "offsets",
    "documents",
    "frequencies",
)
"""What a segment consists of."""

NUMBER_BITS: Final = np.uint64(32)


class DuplicateDocumentError(ValueError):
    """Two documents have the same id."""


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


@attrs.frozen(eq=False)
class Strings(Sequence[str]):
    """Strings stored end to end.

    Attributes:
        encoded: their UTF-8, uint8.
        offsets: where each begins, and where the last one ends, uint64 [strings + 1].
    """

    encoded: Array
    offsets: Array

    @classmethod
    def of(cls, strings: Iterable[str]) -> Strings:
        """Store `strings` in their order."""
        encoded = [string.encode() for string in strings]
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets_of([len(each) for each in encoded]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        start, stop = self.offsets.item(place), self.offsets.item(place + 1)
        return self.encoded[start:stop].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        encoded, offsets = self.encoded.tobytes(), self.offsets.tolist()
        return (encoded[start:stop].decode() for start, stop in pairwise(offsets))

    def find(self, string: str) -> int | None:
        """Return the place of `string`, the strings being in ascending order, or None if it is not there."""
        place = bisect_left(self, string)
        return place if place < len(self) and self[place] == string else None


@attrs.frozen(eq=False)
class Segment:
    """The inverted index of documents that are numbered from 0 in the order of their ids.

    Attributes:
        ids: the documents' ids, ascending.
        lengths: how many terms each document has, repetitions included, uint32 [documents].
        norms: the lengths as BM25 sees them, uint8 [documents].
        vocabulary: the terms, ascending.
        offsets: where the postings of each term begin, and where the last one's end, uint64 [terms + 1].
        documents: of each posting the document's number, ascending within a term, uint32 [postings].
        frequencies: of each posting how often the document has the term, unsigned [postings].
    """

    ids: Strings
    lengths: Array = attrs.field(converter=_read_only)
    norms: Array = attrs.field(converter=_read_only)
    vocabulary: Strings
    offsets: Array = attrs.field(converter=_read_only)
    documents: Array = attrs.field(converter=_read_only)
    frequencies: Array = attrs.field(converter=_read_only)

    def postings(self, term: str) -> slice:
        """Return where the postings of `term` are; the slice is empty if no document has it."""
        place = self.vocabulary.find(term)
        return slice(0, 0) if place is None else slice(int(self.offsets[place]), int(self.offsets[place + 1]))


def offsets_of(sizes: Iterable[int] | Array) -> Array:
    """Return where pieces of these sizes begin when laid end to end, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(np.asarray(sizes, np.uint64)))).astype(np.uint64)


def smallest_type(largest: int) -> np.dtype[Any]:
    """Return the type of frequencies up to `largest`."""
    return np.dtype(np.uint8 if largest <= np.iinfo(np.uint8).max else np.uint32)


def segment_of(documents: Iterable[Document]) -> Segment:
    """Index documents in memory.

    Raises:
        DuplicateDocumentError: two have the same id.
    """
    documents = sorted(documents)
    reject_duplicates([document_id for document_id, _ in documents])
    numbers: dict[str, int] = {}
    found: list[int] = []
    lengths = np.zeros(len(documents), np.uint32)
    for number, (_, text) in enumerate(documents):
        of_document = terms(text)
        lengths[number] = len(of_document)
        found += [numbers.setdefault(term, len(numbers)) for term in of_document]
    vocabulary = sorted(numbers)
    place = np.empty(len(vocabulary), np.uint64)
    place[[numbers[term] for term in vocabulary]] = np.arange(len(vocabulary), dtype=np.uint64)
    pairs = place[found] << NUMBER_BITS | np.repeat(np.arange(len(documents), dtype=np.uint64), lengths)
    postings, frequencies = np.unique(pairs, return_counts=True)
    counts = np.bincount((postings >> NUMBER_BITS).astype(np.int64), minlength=len(vocabulary))
    return Segment(
        ids=Strings.of(document_id for document_id, _ in documents),
        lengths=lengths,
        norms=norms_of(lengths),
        vocabulary=Strings.of(vocabulary),
        offsets=offsets_of(counts),
        documents=postings.astype(np.uint32),
        frequencies=frequencies.astype(smallest_type(int(frequencies.max(initial=0)))),
    )


def reject_duplicates(ids: Sequence[str]) -> None:
    """Raise `DuplicateDocumentError` if two of the ids, which are in order, are the same."""
    for one, next_one in pairwise(ids):
        if one == next_one:
            raise DuplicateDocumentError(f"two documents have the id {one!r}")


def write_segment(folder: Path, segment: Segment) -> None:
    """Write the segment's arrays into an existing folder, a file each."""
    write_arrays(folder, {name: attrgetter(name)(segment) for name in ARRAYS})


def write_arrays(folder: Path, arrays: Mapping[str, Array]) -> None:
    """Write some of a segment's arrays."""
    for name, array in arrays.items():
        np.save(array_file(folder, name), array)


def read_segment(folder: Path) -> Segment:
    """Map the arrays that `write_segment` wrote; nothing is read yet.

    Raises:
        OSError, ValueError: a file is missing, or holds no array.
    """
    arrays = {name: np.asarray(np.load(array_file(folder, name), mmap_mode="r")) for name in ARRAYS}
    return Segment(
        ids=Strings(arrays["ids.encoded"], arrays["ids.offsets"]),
        lengths=arrays["lengths"],
        norms=arrays["norms"],
        vocabulary=Strings(arrays["vocabulary.encoded"], arrays["vocabulary.offsets"]),
        offsets=arrays["offsets"],
        documents=arrays["documents"],
        frequencies=arrays["frequencies"],
    )


def array_file(folder: Path, name: str) -> Path:
    """Return where an array of a segment stands in its folder."""
    return folder / f"{name}.npy"
