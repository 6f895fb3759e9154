"""The inner loop of a search, compiled: score the postings of the query's terms and keep the best.

The compiled code is cached on disk; importing this module costs the import of numba, half a second.
"""

from heapq import heappush, heapreplace
from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

WINDOW: Final = 1 << 15
"""How many documents are scored at a time: as many as leave the scores in the processor's cache."""


@njit(cache=True, nogil=True)
def best(
    documents: NDArray[np.uint32],
    frequencies: NDArray[Any],
    norms: NDArray[np.uint8],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    weights: NDArray[np.float32],
    inverse_norms: NDArray[np.float32],
    passed_over: NDArray[np.int64],
    k: int,
    window: int = WINDOW,
) -> list[tuple[np.float32, np.int64]]:
    """Return score and negated number of the `k` best documents, in no order; ties go to lower numbers.

    Term `t` has the postings from `starts[t]` to `stops[t]`; `passed_over` are documents to leave out,
    ascending; documents are scored so many at a time as `window` says. Terms whose weights together are too
    small to bring a document among the best are looked up for the documents that others found; they tend to
    be those with the most postings. (Turtle and Flood, "Query Evaluation: Strategies and Optimizations",
    Information Processing and Management 31, 1995: MaxScore.)
    """
    order = np.argsort(-weights)
    rest = np.zeros(len(order) + 1, np.float64)
    for rank in range(len(order) - 1, -1, -1):
        rest[rank] = rest[rank + 1] + weights[order[rank]]
    needed = len(order)
    nothing = -1.0
    heap = [(np.float32(0), np.int64(0)) for _ in range(0)]
    least = 0.0
    scores = np.empty(window, np.float64)
    candidates = np.empty(window, np.int64)
    cursors = starts.copy()
    first_passed_over = 0
    for base in range(0, len(norms), window):
        size = min(window, len(norms) - base)
        scores[:size] = nothing
        for term in order[:needed]:
            weight = weights[term]
            cursor = cursors[term]
            while cursor < stops[term]:
                # A number below `base`, in a damaged index, is huge when unsigned, and ends the loop.
                offset = np.uint32(documents[cursor] - np.uint32(base))
                if offset >= size:
                    break
                score = _score(weight, frequencies[cursor], inverse_norms[norms[base + offset]])
                scores[offset] = np.float64(score) + max(scores[offset], 0.0)
                cursor += 1
            cursors[term] = cursor
        while first_passed_over < len(passed_over) and passed_over[first_passed_over] < base + size:
            scores[passed_over[first_passed_over] - base] = nothing
            first_passed_over += 1
        bar = max(least - rest[needed], 0.0)
        found = 0
        for place in range(size):
            if scores[place] >= bar:
                candidates[found] = place
                found += 1
        for rank in range(needed, len(order)):
            term = order[rank]
            weight = weights[term]
            cursor = cursors[term]
            kept = 0
            for place in candidates[:found]:
                cursor = _sought(documents, cursor, stops[term], base + place)
                if cursor < stops[term] and documents[cursor] == base + place:
                    scores[place] += _score(weight, frequencies[cursor], inverse_norms[norms[base + place]])
                if scores[place] + rest[rank + 1] >= least:
                    candidates[kept] = place
                    kept += 1
            found = kept
            cursors[term] = cursor
        for place in candidates[:found]:
            if scores[place] >= least:
                hit = (np.float32(scores[place]), -np.int64(base + place))
                if len(heap) < k:
                    heappush(heap, hit)
                elif heap[0] < hit:
                    heapreplace(heap, hit)
                    # A little less, for scores are rounded before they are compared.
                    least = np.float64(heap[0][0]) * 0.999999
        while needed > 0 and rest[needed - 1] < least:
            needed -= 1
    return heap


@njit(cache=True, nogil=True)
def _score(weight: np.float32, frequency: Any, inverse_norm: np.float32) -> np.float32:
    one = np.float32(1)
    return weight - weight / (one + np.float32(frequency) * inverse_norm)


@njit(cache=True, nogil=True)
def _sought(documents: NDArray[np.uint32], start: int, stop: int, number: int) -> int:
    """Return where the first document from `start` on is that is not below a number."""
    step = 1
    while start + step < stop and documents[start + step] < number:
        start += step
        step *= 2
    low, high = start, min(start + step, stop)
    while low < high:
        middle = (low + high) // 2
        if documents[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low
