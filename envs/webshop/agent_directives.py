"""What the shopper reads in a skill: directives, and the circumstances under which they apply."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from enum import Enum

import attrs

from skillsandbox.envs import principles
from skillsandbox.envs.principles import directives_in
from skillsandbox.envs.principles import sequence as _seq
from skillsandbox.envs.webshop.agent_lexicon import sentences_of


class Kind(Enum):
    """The kinds of directives, by the names that the documentation uses."""

    FULL_QUERY = "all wishes in the query"
    SHORT_QUERY = "short query"
    BEST_TITLE = "best title first"
    CHEAPEST_FIRST = "cheapest first"
    LOOK_FURTHER = "next page first"
    CHECK_KIND = "check the kind"
    PRICE_GATE = "price gate"
    READ_FEATURES = "read the features"
    READ_DESCRIPTION = "read the description"
    READ_ALWAYS = "read always"
    READ_REVIEWS = "read the reviews"
    BOTH_SECTIONS = "claim in both sections"
    CHOOSE_VARIANTS = "choose the variants"
    LEAVE_WITHOUT_VARIANT = "leave without the variant"
    LEAVE_UNSAID = "leave what does not say it"
    COMPARE = "compare before buying"
    BUY_AT_ONCE = "buy at once"
    BUY_WHEN_CONFIRMED = "buy when confirmed"
    NEVER_REOPEN = "never open twice"
    NEAREST_MATCH = "settle for the nearest"


@attrs.frozen
class Directive:
    """One thing that a principle tells the shopper to do.

    `sections` are those that `READ_ALWAYS` names; `with_price` says that the query shall hold the price too.
    """

    kind: Kind
    sections: tuple[str, ...] = ()
    with_price: bool = False


@attrs.frozen
class Rule(principles.Rule[Kind, Directive]):
    """A rule that gives its kind of directive and nothing more, unless `read` says otherwise."""

    read: Callable[[Kind, str], Iterable[Directive]] = lambda kind, _: (Directive(kind),)


_SECTIONS = (("FEATURES", "features"), ("DESCRIPTION", "description"), ("REVIEWS", "reviews"))
_SECTION = "FEATURES|DESCRIPTION|REVIEWS"
_ALWAYS = (_seq("ALWAYS"),)


def _query(kind: Kind, text: str) -> Iterable[Directive]:
    return (Directive(kind, with_price="PRICE" in text.split()),)


def _sections(kind: Kind, text: str) -> Iterable[Directive]:
    named = tuple(name for token, name in _SECTIONS if token in text.split())
    return (Directive(kind, sections=named),)


RULES: tuple[Rule, ...] = (
    Rule(
        Kind.FULL_QUERY,
        advice=(
            _seq("INCLUDE", 8, "ALL", 24, "QUERY"),
            _seq("QUERY", 12, "ALL", 3, "WISH"),
        ),
        read=_query,
    ),
    Rule(
        Kind.SHORT_QUERY,
        advice=(_seq("QUERY", 3, "SHORT"), _seq("SHORT", 3, "QUERY"), _seq("FIRST", 2, "SHORT")),
    ),
    Rule(Kind.BEST_TITLE, advice=(_seq("RESULT", 3, "TITLE", 8, "ALL|WISH|ATTRIBUTE|most"),)),
    Rule(Kind.CHEAPEST_FIRST, advice=(_seq("CHEAPEST"),)),
    Rule(
        Kind.LOOK_FURTHER,
        advice=(_seq("NEXT_PAGE", 12, "BEFORE"), _seq("BEFORE", 6, "NEXT_PAGE")),
        warning=(_seq("READ|BUY", 6, "BEFORE", 6, "NEXT_PAGE"),),
    ),
    Rule(Kind.CHECK_KIND, advice=(_seq("CONFIRM", 6, "CATEGORY"), _seq("treat", 3, "CATEGORY"))),
    Rule(
        Kind.PRICE_GATE,
        advice=(
            _seq("CONFIRM", 10, "PRICE"),
            _seq("EXCEEDS", 3, "PRICE"),
            _seq("PRICE", 10, "EXCEEDS"),
            _seq("treat", 12, "PRICE"),
        ),
    ),
    Rule(Kind.READ_FEATURES, advice=(_seq("READ|CONFIRM", 6, "FEATURES"),), after=_ALWAYS),
    Rule(Kind.READ_DESCRIPTION, advice=(_seq("READ|CONFIRM", 4, "DESCRIPTION"),), after=_ALWAYS),
    Rule(
        Kind.READ_ALWAYS,
        advice=(_seq("ALWAYS", 3, "READ", 8, _SECTION), _seq("READ", 8, _SECTION, 8, "ALWAYS")),
        read=_sections,
    ),
    Rule(Kind.READ_REVIEWS, advice=(_seq("READ|CONFIRM", 6, "REVIEWS"),), after=_ALWAYS),
    Rule(
        Kind.BOTH_SECTIONS,
        advice=(
            _seq("BOTH", 4, "FEATURES", 3, "DESCRIPTION"),
            _seq("BOTH", 4, "DESCRIPTION", 3, "FEATURES"),
            _seq("FEATURES", 2, "BOTH", 2, "DESCRIPTION"),
        ),
    ),
    Rule(
        Kind.CHOOSE_VARIANTS,
        advice=(_seq("CHOOSE", 10, "VARIANT"), _seq("CONFIRM", 3, "VARIANT", 16, "CHOOSE")),
    ),
    Rule(
        Kind.LEAVE_WITHOUT_VARIANT,
        advice=(_seq("VARIANT", 22, "LEAVE"), _seq("LEAVE", 10, "VARIANT"), _seq("treat", 12, "VARIANT")),
    ),
    Rule(
        Kind.LEAVE_UNSAID,
        advice=(
            _seq("LEAVE", 10, "MISSING"),
            _seq("WISH", 4, "violated", 4, "LEAVE"),
            _seq("BUY", 2, "ONLY", 2, "AFTER", 4, "WISH"),
        ),
    ),
    Rule(
        Kind.COMPARE,
        advice=(_seq("COMPARE", 8, "BEFORE", 3, "BUY"), _seq("READ", 5, "SEVERAL", 8, "BEFORE", 3, "BUY")),
    ),
    Rule(
        Kind.BUY_AT_ONCE,
        advice=(_seq("BUY", 8, "NOW"), _seq("NOW", 1, "BUY")),
        warning=(_seq("READ", 6, _SECTION),),
    ),
    Rule(
        Kind.BUY_WHEN_CONFIRMED,
        advice=(_seq("AFTER", 8, "CONFIRM", 10, "BUY"), _seq("CONFIRM", 6, "PRICE", 0, "BUY")),
    ),
    Rule(
        Kind.NEVER_REOPEN,
        advice=(_seq("over", 1, "REOPEN"),),
        warning=(_seq("REOPEN"), _seq("looping|retrying")),
    ),
    Rule(Kind.NEAREST_MATCH, advice=(_seq("NEAREST"), _seq("secondary|soft", 0, "preferences|wishes|WISH"))),
)
"""How each kind is recognised, one rule a kind, in the order of the documentation."""


@functools.lru_cache(maxsize=256)
def directives_of(principle: str) -> tuple[Directive, ...]:
    """Return the directives that a principle gives, each once; none where nothing in it is understood."""
    return directives_in(sentences_of(principle), RULES)


def sections_of(directives: Iterable[Directive]) -> tuple[str, ...]:
    """Return the sections that `READ_ALWAYS` names in any of the directives, in the order of the page."""
    named = {section for directive in directives for section in directive.sections}
    return tuple(section for _, section in _SECTIONS if section in named)


@attrs.frozen
class Circumstances:
    """When a skill applies: `late` asks that few steps are left, `priced` that the task names a price."""

    late: bool = False
    priced: bool = False


_LATE = r"(?:task|step) limit|few(?:er)? steps (?:left|remain\w*)|(?:running )?out of steps|last steps"
_PRICED = r"(?:names|states|gives|has|with) an? (?:price|budget)|(?:price|budget) (?:limit|cap) is given"


@functools.lru_cache(maxsize=256)
def circumstances_of(condition: str) -> Circumstances:
    """Return the circumstances that a condition names; a condition that names none is always met."""
    words = re.sub(r"[^a-z]+", " ", condition.lower())
    return Circumstances(
        late=re.search(rf"\b(?:{_LATE})\b", words) is not None,
        priced=re.search(rf"\b(?:{_PRICED})\b", words) is not None,
    )
