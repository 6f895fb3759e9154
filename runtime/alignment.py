"""Alignment of two runs by what was observed (the Verifier's first step)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def normalised(observation: str) -> str:
    """Return an observation with each run of white space as one blank and none at its ends."""
    return " ".join(observation.split())


def align(plus: Sequence[Hashable], minus: Sequence[Hashable]) -> tuple[tuple[int, int], ...]:
    """Return the largest order-preserving matching of equal items, as pairs of indices.

    Of several largest matchings it is the one whose sequence of index pairs comes first in
    lexicographic order, the index into `plus` before that into `minus`. Time and memory are in the
    order of len(plus) · len(minus).
    """
    length = _suffix_lengths(plus, minus)
    pairs: list[tuple[int, int]] = []
    start = 0
    for i in range(len(plus)):
        wanted = length[i][start]
        for j in range(start, len(minus)):
            if plus[i] == minus[j] and 1 + length[i + 1][j + 1] == wanted:
                pairs.append((i, j))
                start = j + 1
                break
    return tuple(pairs)


def _suffix_lengths(plus: Sequence[Hashable], minus: Sequence[Hashable]) -> list[list[int]]:
    """Return the table of sizes of largest matchings: entry (i, j) for `plus[i:]` and `minus[j:]`."""
    length = [[0] * (len(minus) + 1) for _ in range(len(plus) + 1)]
    for i in reversed(range(len(plus))):
        for j in reversed(range(len(minus))):
            if plus[i] == minus[j]:
                length[i][j] = 1 + length[i + 1][j + 1]
            else:
                length[i][j] = max(length[i + 1][j], length[i][j + 1])
    return length
