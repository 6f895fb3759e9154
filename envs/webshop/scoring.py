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
) -> list[tuple[np.float32, np.int64]]:
    """Return score and negated number of the `k` best documents, in no order; ties go to lower numbers.

    Term `t` has the postings from `starts[t]` to `stops[t]`; `passed_over` are documents to leave out,
    ascending.
    """
    one = np.float32(1)
    nothing = -1.0
    heap = [(np.float32(0), np.int64(0)) for _ in range(0)]
    least = 0.0
    scores = np.empty(WINDOW, np.float64)
    cursors = starts.copy()
    first_passed_over = 0
    for base in range(0, len(norms), WINDOW):
        size = min(WINDOW, len(norms) - base)
        scores[:size] = nothing
        for term in range(len(cursors)):
            weight = weights[term]
            cursor = cursors[term]
            while cursor < stops[term]:
                # A number below `base`, in a damaged index, is huge when unsigned, and ends the loop.
                offset = np.uint32(documents[cursor] - np.uint32(base))
                if offset >= size:
                    break
                inverse_norm = inverse_norms[norms[base + offset]]
                score = weight - weight / (one + np.float32(frequencies[cursor]) * inverse_norm)
                scores[offset] = np.float64(score) + max(scores[offset], 0.0)
                cursor += 1
            cursors[term] = cursor
        while first_passed_over < len(passed_over) and passed_over[first_passed_over] < base + size:
            scores[passed_over[first_passed_over] - base] = nothing
            first_passed_over += 1
        for place in range(size):
            if scores[place] >= least:
                found = (np.float32(scores[place]), -np.int64(base + place))
                if len(heap) < k:
                    heappush(heap, found)
                elif heap[0] < found:
                    heapreplace(heap, found)
                    # A little less, for scores are rounded before they are compared.
                    least = np.float64(heap[0][0]) * 0.999999
    return heap
