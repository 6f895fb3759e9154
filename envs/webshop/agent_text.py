"""The shop's text as the shopper understands it: what an instruction asks for, and what a page shows."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import attrs

_SEPARATOR = " [SEP] "
_WORD = re.compile(r"[a-z0-9]+(?:[-.'][a-z0-9]+)*")
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a also am an and any are as at be below both buy by can cheaper come comes cost costs do dollar
        dollars find for from get give good has have having help i id ideally if im in interested is it
        item items its less like look looking lower made me more most must my need needs no not of on
        one ones or our pair pairs please preferably price priced prices product products purchase
        searching should so some something than that the their them there these they this those to under
        up us want wanted wants we which while will with would you your
        """,
    )
)
_LINKS = frozenset({"of", "per", "to"})
"""Stop words inside a phrase: `easy to clean`."""

_PEOPLE = frozenset({"adult", "boy", "girl", "kid", "man", "men", "unisex", "woman", "women", "youth"})
"""Whom a product is for; pages often do not say it."""

_BOUND = re.compile(
    r"(?:under|below|(?:lower|less|cheaper|no more|not more) than|at most|up to|within|maximum of|not exceed)"
    r" (?:a |the )?(?:budget |price |limit )?(?:of )?\$? ?(?P<amount>\d[\d,]*(?:\.\d+)?)(?: dollars?| usd)?"
)
_END = r"(?= ?(?:[,;]|\.(?: |$)|$|\b(?:and|with|that|which|in|for)\b))"
_VALUE = rf"(?P<value>(?:[^,;.]|\.(?=\d)){{1,40}}?){_END}"
_NAMES = r"(?P<name>colou?r|size|flavou?r|scent|fit type|style)"
_OWN_WORD = r"(?!(?:and|in|the) |color|size)[^\s,;]+"
_OPTION_FORMS = (
    re.compile(rf"\b(?:in|the|an?) (?:the |an? )?(?P<value>(?:{_OWN_WORD} ){{1,3}}?){_NAMES}\b"),
    re.compile(rf"\b(?:in )?(?:the |an? )?{_NAMES}(?: name)?:? (?:is |of )?(?!and |in ){_VALUE}"),
    re.compile(rf"\bin (?!an? |the )(?P<name>){_VALUE}"),
)
_OPTION_WORDS = frozenset({"color", "colour", "flavor", "flavour", "scent", "size"})
"""What every product has of: no use in a search."""

_SIZES_THAT_ARE_NONE = frozenset({"bite", "family", "full", "king", "plus", "queen", "travel", "twin"})
"""`A travel size bottle` is no size to choose."""

_NOUN_ENDS = re.compile(r"\b(?:that|which|with|for|in|and i|and it|it should)\b|[.;(]( |$)")
"""What ends the words for the product itself."""

_SOFT = re.compile(r"\b(?:preferably|ideally|if possible|it would be nice to have)\b(?P<wish>[^,;.]*)")
"""What begins a wish that is no demand."""


@attrs.frozen
class Named:
    """An option that an instruction speaks of (`size`, empty where it does not say), and the wanted value."""

    name: str
    value: str


@attrs.frozen
class Wish:
    """What an instruction asks for.

    `words` are those that matter, in order, options among them. `claims` are phrases, as stems, that a page
    should say, `soft` those that would be nice besides; `thing` names, as stems, what sort of product it is,
    its last word most of all. `bound` is in dollars, infinite where the price is free.
    """

    words: tuple[str, ...] = ()
    thing: tuple[str, ...] = ()
    claims: tuple[tuple[str, ...], ...] = ()
    soft: tuple[tuple[str, ...], ...] = ()
    options: tuple[Named, ...] = ()
    bound: float = float("inf")

    @property
    def brief(self) -> tuple[str, ...]:
        """Return the words that matter most: without those of options, which are chosen on a page."""
        chosen = {word for option in self.options for word in words_of(option.value)}
        return tuple(word for word in self.words if word not in chosen)

    @property
    def stems(self) -> tuple[str, ...]:
        """Return the stems of what a title could say, each once."""
        return tuple(dict.fromkeys((*self.thing, *(word for claim in self.claims for word in claim))))


@functools.lru_cache(maxsize=256)
def wish_of(instruction: str) -> Wish:
    """Return what an instruction asks for."""
    text = " ".join(instruction.lower().split())
    found = _BOUND.search(text)
    text = _BOUND.sub(" ", text)
    rest, options = _without_options(text)
    begin = next((one.start() for one in _WORD.finditer(rest) if one[0] not in _STOP_WORDS), 0)
    end = _NOUN_ENDS.search(rest, begin)
    cut = end.start() if end else len(rest)
    *before, noun = list(_phrases(rest[:cut])) or [[]]
    noun = [word for word in noun if word not in _PEOPLE]
    own = noun[:-2] if len(noun) > 3 else []
    claims = [*before, *([own] if own else []), *_phrases(_SOFT.sub(" ", rest[cut:]))]
    soft = [phrase for found in _SOFT.finditer(rest) for phrase in _phrases(found["wish"])]
    return Wish(
        words=tuple(word for word in _WORD.findall(text) if word not in _STOP_WORDS | _OPTION_WORDS),
        thing=tuple(noun[len(own) :]),
        claims=tuple(map(tuple, claims)),
        soft=tuple(map(tuple, soft)),
        options=options,
        bound=float(found["amount"].replace(",", "")) if found else float("inf"),
    )


def _without_options(text: str) -> tuple[str, tuple[Named, ...]]:
    """Return a text without what it says of options, and the options, named ones first."""
    options: list[Named] = []
    for form in _OPTION_FORMS:
        for found in list(form.finditer(text))[::-1]:
            if _speaks_of_option(text, found):
                options.append(Named(found["name"].replace("colour", "color"), found["value"].strip()))
                text = f"{text[: found.start()]}, {text[found.end() :]}"
    return text, tuple(options)


def _speaks_of_option(text: str, found: re.Match[str]) -> bool:
    before = text[: found.start("name")].split()[-1:]
    return (
        len(found["value"].split()) <= 6
        and not set(before) & _SIZES_THAT_ARE_NONE
        and any(word not in _STOP_WORDS for word in words_of(found["value"]))
    )


def _phrases(text: str) -> Iterator[list[str]]:
    """Yield the stretches of words that say something, as stems."""
    for part in re.split(r"[,;:!?()]|\.(?= |$)", text):
        phrase: list[str] = []
        for word in (*_WORD.findall(part.replace("-", " ")), "and"):
            if word not in _STOP_WORDS:
                phrase.append(stem(word))
            elif word not in _LINKS and phrase:
                yield phrase
                phrase = []


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, a hyphenated one as one word."""
    return tuple(_WORD.findall(text.lower()))


def stem(word: str) -> str:
    """Return a word without the commonest endings."""
    word = word.removesuffix("'s")
    for ending, least in (("ing", 6), ("ed", 5)):
        if word.endswith(ending) and len(word) >= least:
            return word.removesuffix(ending)
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3 else word


@functools.lru_cache(maxsize=4096)
def stems_of(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text that say something, in order."""
    return tuple(stem(word) for word in words_of(text.replace("-", " ")) if word not in _STOP_WORDS)


def is_said(phrase: Sequence[str], texts: Iterable[str]) -> bool:
    """Say whether texts contain a phrase: two words side by side, the words of a longer one anywhere."""
    said = [stems_of(text) for text in texts]
    if len(phrase) == 2:
        first, second = phrase
        return any(
            alike(first, one) and alike(second, other) for text in said for one, other in pairwise(text)
        )
    return all(any(alike(word, one) for text in said for one in text) for word in phrase)


def alike(first: str, second: str) -> bool:
    """Say whether two stems are of one word: equal, or the one begins with the other."""
    short, long = sorted((first, second), key=len)
    return short == long or (len(short) >= 4 and long.startswith(short))


# Pages


@attrs.frozen
class Offer:
    """A product in a list of results; `link` is its ASIN in lower case, prices are in dollars."""

    link: str
    title: str
    low: float
    high: float


@attrs.frozen
class StartPage:
    """The page with the search box."""


@attrs.frozen
class ResultsPage:
    """A page of results."""

    number: int
    total: int
    offers: tuple[Offer, ...]


@attrs.frozen
class ItemPage:
    """A product's page. `choices` holds the names and values of its options, in the order of the page."""

    title: str
    low: float
    high: float
    choices: tuple[str, ...]


@attrs.frozen
class SectionPage:
    """A section of a product's page."""

    text: str


Page = StartPage | ResultsPage | ItemPage | SectionPage

_RESULTS = re.compile(r"Page (-?\d+) \(Total results: (\d+)\)")
_ASIN = re.compile(r"[0-9A-Za-z]{10}")
_AMOUNT = re.compile(r"\$(\d+(?:\.\d+)?)")


def instruction_of(observation: str) -> str:
    """Return the instruction that a page shows; empty where it shows none."""
    segments = _segments(observation)
    places = [place for place, text in enumerate(segments) if text == "Instruction:"]
    return segments[places[0] + 1] if places and places[0] + 1 < len(segments) else ""


def page_of(observation: str) -> Page:
    """Return what a page shows."""
    segments = _segments(observation)
    if segments[0] == "WebShop":
        return StartPage()
    heads = [found for text in segments[3:4] if (found := _RESULTS.fullmatch(text))]
    if heads:
        return ResultsPage(int(heads[0][1]), int(heads[0][2]), tuple(_offers(segments[4:])))
    prices = [place for place, text in enumerate(segments) if text.startswith("Price: $")]
    if prices and segments[-1] == "Buy Now":
        low, high = _prices(segments[prices[-1]])
        return ItemPage(segments[prices[-1] - 1], low, high, segments[4 : prices[-1] - 1])
    return SectionPage(" . ".join(segments[4:]))


def _segments(observation: str) -> tuple[str, ...]:
    return tuple(text.strip() for text in observation.split(_SEPARATOR))


def _offers(segments: Sequence[str]) -> Iterator[Offer]:
    for asin, title, price in zip(segments, segments[1:], segments[2:], strict=False):
        if _ASIN.fullmatch(asin) and price.startswith("$"):
            yield Offer(asin.lower(), title, *_prices(price))


def _prices(text: str) -> tuple[float, float]:
    amounts = [float(amount) for amount in _AMOUNT.findall(text)] or [float("inf")]
    return min(amounts), max(amounts)
