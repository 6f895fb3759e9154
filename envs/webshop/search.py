"""Ranked search as Lucene does it, over segments of which some documents may be passed over.

All statistics that BM25 needs are those of the documents that remain, so that scores and order are those
of a fresh index of these documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from skillsandbox.envs.webshop import bm25
from skillsandbox.envs.webshop.analysis import terms
from skillsandbox.envs.webshop.segment import Segment


@attrs.frozen
class Hit:
    """A document that a query found, and its score in single precision."""

    id: str
    score: float


@attrs.frozen(eq=False)
class Part:
    """A segment without some of its documents.

    Attributes:
        passed_over: the numbers of those documents, ascending, int64.
        documents: how many of the others have any term.
        total_length: how many terms the others have together, repetitions included.
    """

    segment: Segment
    passed_over: NDArray[np.int64]
    documents: int
    total_length: int

    @classmethod
    def of(cls, segment: Segment) -> Part:
        """Return the whole of a segment."""
        none = np.empty(0, np.int64)
        return cls(segment, none, int(np.count_nonzero(segment.lengths)), _sum(segment.lengths))

    def has(self, document_id: str) -> bool:
        """Tell whether a document is here, and not passed over."""
        return self._number(document_id) is not None

    def without(self, ids: Iterable[str]) -> Part:
        """Pass over those of `ids` that are here."""
        found = np.array([n for each in ids if (n := self._number(each)) is not None], np.int64)
        lengths = self.segment.lengths[found]
        return Part(
            self.segment,
            np.sort(np.concatenate((self.passed_over, found))),
            self.documents - int(np.count_nonzero(lengths)),
            self.total_length - _sum(lengths),
        )

    def document_frequency(self, postings: slice) -> int:
        """Count the documents of a term's postings that are not passed over."""
        documents = self.segment.documents[postings]
        if not len(documents) or not len(self.passed_over):
            return len(documents)
        places = np.minimum(np.searchsorted(documents, self.passed_over), len(documents) - 1)
        return len(documents) - int(np.count_nonzero(documents[places] == self.passed_over))

    def _number(self, document_id: str) -> int | None:
        number = self.segment.ids.find(document_id)
        return None if number is None or number in self.passed_over else number


@attrs.frozen(eq=False)
class _Term:
    """A term of a query: its postings in each part, and its weight: idf times occurrences in the query."""

    postings: tuple[slice, ...]
    weight: np.float32


def rank(parts: Sequence[Part], query: str, k: int) -> tuple[Hit, ...]:
    """Return the `k` best documents of all parts for a query, ties in the order of their ids."""
    documents = sum(part.documents for part in parts)
    found = list(_found(parts, query, documents))
    if not found:
        return ()
    inverse_norms = bm25.inverse_norms(documents, sum(part.total_length for part in parts))
    weights = np.array([term.weight for term in found], np.float32)
    hits = [
        hit
        for part, postings in zip(parts, zip(*(term.postings for term in found), strict=True), strict=True)
        for hit in _best(part, postings, weights, inverse_norms, k)
    ]
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k])


def _found(parts: Sequence[Part], query: str, documents: int) -> Iterator[_Term]:
    """Look up the terms of a query; those that no document has are left out."""
    for term, times in Counter(terms(query)).items():
        postings = tuple(part.segment.postings(term) for part in parts)
        with_term = sum(map(Part.document_frequency, parts, postings))
        if with_term:
            yield _Term(postings, np.float32(times) * bm25.idf(documents, with_term))


def _best(
    part: Part,
    postings: Sequence[slice],
    weights: NDArray[np.float32],
    inverse_norms: NDArray[Any],
    k: int,
) -> Iterator[Hit]:
    if all(each.start == each.stop for each in postings):
        return
    from skillsandbox.envs.webshop.scoring import best  # numba: not before something is found

    segment = part.segment
    starts = np.array([each.start for each in postings], np.int64)
    stops = np.array([each.stop for each in postings], np.int64)
    scored = best(
        segment.documents,
        segment.frequencies,
        segment.norms,
        starts,
        stops,
        weights,
        inverse_norms,
        part.passed_over,
        k,
    )
    for score, negated_number in scored:
        yield Hit(segment.ids[-int(negated_number)], float(score))


def _sum(lengths: NDArray[Any]) -> int:
    return int(lengths.sum(dtype=np.uint64))
