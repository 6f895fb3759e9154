"""Did you mean …: the known word that an unknown one was most likely meant to be."""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate nearest to a word, the first in sorted order of equals; None if none is near.

    Near means an optimal string alignment distance, case and underscores aside, of at most a third of the
    word's length: the measure and limit of the Rust compiler.
    """
    from rapidfuzz.distance import OSA

    limit = max(len(_folded(word)), 3) // 3
    distances = {name: OSA.distance(_folded(word), _folded(name)) for name in sorted(set(candidates))}
    near = [name for name, distance in distances.items() if distance <= limit]
    return min(near, key=distances.__getitem__, default=None)


def nearest(word: str, candidates: Iterable[str], most: int = 10) -> tuple[str, ...]:
    """Return the candidates that resemble a word most, the best first; equals in sorted order."""
    from rapidfuzz.distance import OSA

    folded = _folded(word)
    names = sorted(set(candidates))
    return tuple(sorted(names, key=lambda name: OSA.normalized_distance(folded, _folded(name)))[:most])


def _folded(name: str) -> str:
    return name.casefold().replace("_", "")
