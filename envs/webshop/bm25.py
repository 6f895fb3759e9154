"""BM25 as Lucene computes it, in single precision and with document lengths in one byte.

Sources: `BM25Similarity` and `SmallFloat` of Lucene 8.11; parameters of the official WebShop's searcher.
"""

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

K1: Final = np.float32(0.9)
B: Final = np.float32(0.4)

_EXACT_LENGTHS: Final = 24
"""Lengths below it have a byte of their own."""


def _decoded(byte: int) -> int:
    """The length that a byte stands for: beyond the exact ones four significant bits and a shift."""
    if byte < _EXACT_LENGTHS:
        return byte
    shift, bits = divmod(byte - _EXACT_LENGTHS, 8)
    return _EXACT_LENGTHS + (bits if shift == 0 else (bits | 8) << (shift - 1))


LENGTHS: Final = tuple(_decoded(byte) for byte in range(256))


def norms_of(lengths: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the bytes of lengths: each the largest that stands for no greater length."""
    return (np.searchsorted(np.array(LENGTHS), lengths, side="right") - 1).astype(np.uint8)


def idf(documents: int, with_term: int) -> float:
    """Return a term's inverse document frequency, in single precision."""
    return float(np.float32(math.log(1 + (documents - with_term + 0.5) / (with_term + 0.5))))


def inverse_norms(documents: int, total_length: int) -> NDArray[Any]:
    """Return, for every length byte, what a term's frequency is multiplied with, float32 [256]."""
    average = np.float32(total_length / documents)
    lengths = np.array(LENGTHS, np.float32)
    return np.float32(1) / (K1 * ((np.float32(1) - B) + B * lengths / average))
