"""Places among the results, brought about by what a search engine indexes of the products that have them.

Our site puts a product in its place after the search. Lucene knows no places: what can be done is to index
another text of the product, in which the words of the query stand more or less often among more or fewer
others.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice, product, zip_longest

import attrs

from skillsandbox.compiler.environment import Refused
from skillsandbox.envs.webshop.analysis import terms
from skillsandbox.envs.webshop.index import MOST_HITS, Index
from skillsandbox.envs.webshop.word_break import words

LONGEST = 1024
"""How many words are added to a text at most."""

MOST_ASTRAY = 6
"""How many documents get another text that have no place of their own."""

_TIMES = (0, 1, 2, 4)
"""How often a word of a query may stand in a text."""

_FEW = 3
"""Up to so many words are counted each for itself; of more, the first ones stand there equally often."""

Results = Mapping[str, tuple[str, ...]]
"""What queries find, best first: all of it, or the beginning."""

Texts = Callable[[str], str]
"""Gives the text of a document by its id."""


class _NoText(Exception):  # noqa: N818 - it is an answer
    """No text that was tried gives this document its place and leaves the others in theirs.

    With the best of those that give it its place, `astray` are elsewhere.
    """

    def __init__(self, document: str, astray: tuple[str, ...]) -> None:
        super().__init__(document)
        self.document = document
        self.astray = astray


def placing_texts(index: Index, wanted: Results, placed: Iterable[str], own: Texts) -> dict[str, str]:
    """Return new texts of some documents, with which queries find first what is wanted, in that order.

    Where a document has to stand between others of the same score, those that follow it get its text too; and
    where it puts few others out of their places, these get texts as well.

    Args:
        index: what is searched.
        wanted: what each query has to find first.
        placed: the documents that have places.
        own: the texts of documents as they are.

    Raises:
        Refused: no text that was tried brings a document to its place; the message says which.
    """
    # There is room for scores above those that are there, so the best comes last.
    order = sorted(placed, key=lambda each: -min(_place(found, each) for found in wanted.values()))
    groups: dict[str, tuple[str, ...]] = {each: (each,) for each in order}
    most = len(groups) + MOST_ASTRAY
    while True:
        try:
            return _texts(index, wanted, groups, own)
        except _NoText as failure:
            group = (failure.document, *_tied(index, wanted, failure.document))
            more = {each: (each,) for each in failure.astray if each not in groups}
            if group != groups[failure.document]:
                groups[failure.document] = group
            elif more and len(groups) + len(more) <= most:
                groups |= more
            else:
                raise Refused(_refusal(failure.document, wanted)) from failure


def _texts(
    index: Index, wanted: Results, groups: Mapping[str, tuple[str, ...]], own: Texts
) -> dict[str, str]:
    """Give each group a text in turn; those whose turn has not come are left out of account."""
    texts: dict[str, str] = {}

    def current(document: str) -> str:
        return texts.get(document) or own(document)

    order = list(groups)
    for number, document in enumerate(order):
        waiting = frozenset(each for later in order[number + 1 :] for each in groups[later])
        goal = {query: _without(found, waiting) for query, found in wanted.items()}
        text, astray = _Placing(index.edited(texts), goal, groups[document], waiting).attempt(current)
        if text is None:
            raise _NoText(document, astray)
        texts |= {each: text for each in groups[document] if text != own(each)}
    return texts


def _tied(index: Index, wanted: Results, document: str) -> Iterator[str]:
    """Yield what follows a document, and has the same score as what stands in front of it."""
    for query, found in wanted.items():
        place = _place(found, document)
        scores = {hit.id: hit.score for hit in index.search(query)}
        if 0 < place < len(found):
            before = scores.get(found[place - 1])
            yield from (each for each in found[place + 1 :] if scores.get(each) == before)


def _refusal(document: str, wanted: Results) -> str:
    places = ", ".join(
        f"{_place(found, document) + 1} for {query!r}" for query, found in wanted.items() if document in found
    )
    return f"no text that was tried puts {document} in its place among the results of a text search: {places}"


def _place(found: Sequence[str], document: str) -> int:
    """Return a document's place from 0, one behind the last where it is not found."""
    return found.index(document) if document in found else len(found)


def _without(found: Iterable[str], left_out: Iterable[str]) -> tuple[str, ...]:
    return tuple(one for one in found if one not in set(left_out))


@attrs.frozen
class _Placing:
    """The search for the text of a group of documents; `waiting` are documents whose places come later."""

    index: Index
    wanted: Results
    group: tuple[str, ...]
    waiting: frozenset[str]

    def attempt(self, own: Texts) -> tuple[str | None, tuple[str, ...]]:
        """Return a text with which every query finds what it should, and what is astray.

        The first document's own comes first, then those of its neighbours, then what differs little from it.
        Where none will do, astray are the fewest that are so while the first document has its place.
        """
        fewest: tuple[str, ...] = ()
        for text in self._candidates(own):
            astray = tuple(dict.fromkeys(self._astray(text)))
            if not astray:
                return text, ()
            if self.group[0] not in astray and (not fewest or len(astray) < len(fewest)):
                fewest = astray
        return None, fewest

    def _astray(self, text: str) -> Iterator[str]:
        for query, found in self.wanted.items():
            got = self._found(text, query)
            yield from (each for each, other in zip_longest(found, got[: len(found)]) if each != other)

    def _candidates(self, own: Texts) -> Iterator[str]:
        yield own(self.group[0])
        for found in self.wanted.values():
            place = _place(found, self.group[0])
            yield from (own(found[near]) for near in (place - 1, place + 1) if 0 <= near < len(found))
        queried = dict.fromkeys(term for query in self.wanted for term in terms(query))
        spoken = {term: word for query in self.wanted for word in words(query) for term in terms(word)}
        present = list(words(own(self.group[0]).lower()))
        rest = [word for word in present if not set(terms(word)) & set(queried)] or [self.group[0].lower()]
        for counts in _counts(tuple(queried), Counter(terms(own(self.group[0])))):
            said = [spoken[term] for term, times in counts.items() for _ in range(times)]
            for query in self.wanted:
                yield from self._of_length(said, rest, len(present), query)

    def _of_length(self, said: Sequence[str], rest: Sequence[str], length: int, query: str) -> Iterator[str]:
        """Yield the text of these words with which the group has its place for a query, if there is one.

        Its length is as near as can be to the given one, since lengths bear upon all scores.
        """

        def text(added: int) -> str:
            return " ".join((*said, *islice(cycle(rest), added)))

        def place(added: int) -> int:
            return _place(self._found(text(added), query), self.group[0])

        target = _place(self.wanted[query], self.group[0])
        added = max(0, length - len(said))
        now = place(added)
        if now < target:
            added = bisect_left(range(LONGEST), target, added, key=place)
        elif now > target:
            added = max(0, bisect_right(range(LONGEST), target, 0, added, key=place) - 1)
        if place(added) == target:
            yield text(added)

    def _found(self, text: str, query: str) -> tuple[str, ...]:
        view = self.index.edited(dict.fromkeys(self.group, text))
        hits = (hit.id for hit in view.search(query, MOST_HITS + len(self.waiting)))
        return _without(hits, self.waiting)


def _counts(queried: Sequence[str], now: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Yield how often each term may stand in a text: as it is first, then what differs little from it."""
    yield {term: now[term] for term in queried}
    if len(queried) <= _FEW:
        every = list(product(_TIMES, repeat=len(queried)))
    else:
        every = [
            (times,) * some + (0,) * (len(queried) - some)
            for some in range(len(queried), 0, -1)
            for times in _TIMES[1:]
        ]

    def difference(times: Sequence[int]) -> int:
        return sum(abs(one - now[term]) for one, term in zip(times, queried, strict=True))

    for times in sorted(every, key=difference):
        yield dict(zip(queried, times, strict=True))
