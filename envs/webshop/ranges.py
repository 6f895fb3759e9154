"""What a seller has in the generated catalogue: families of products that a shopper would confuse.

The products of a family share a kind, a style and most of their wording. They differ in what they claim, and
where, in price, in what can be chosen, and one of them comes from another brand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import attrs

from skillsandbox.envs.webshop.vocabulary import CLAIMS, KINDS, PALETTES, RIVALS, Claim, Kind

FAMILY = 4
"""How many products a family has."""

_FIRST = (
    "Vel",
    "Kor",
    "Lum",
    "Zan",
    "Mir",
    "Tal",
    "Bren",
    "Ost",
    "Nav",
    "Sel",
    "Dor",
    "Fen",
    "Hal",
    "Jun",
    "Ker",
)
_MIDDLE = ("", "", "", "a", "e", "i", "o", "ani", "eri", "olo")
_LAST = (
    "va",
    "ix",
    "ora",
    "tek",
    "wood",
    "elle",
    "ton",
    "ari",
    "mont",
    "ico",
    "quist",
    "bury",
    "ami",
    "dale",
)
_MARKS = ("", "", " Pro", " Plus", " Lite", " II", " Essentials", " Select")


@attrs.frozen
class Choices:
    """An option of a product: its name, and each choice with its price in dollars, None where it has none."""

    name: str
    values: tuple[tuple[str, float | None], ...]
    selected: int | None


@attrs.frozen
class Plan:
    """A product before it is put into words.

    `bullets` and `described` are the claims that stand in bullet points and in the description; those in
    `listed` are among the product's attributes.
    """

    kind: Kind
    brand: str
    model: str
    style: str
    noun: str
    detail: str
    titled: tuple[Claim, ...]
    bullets: tuple[Claim, ...]
    described: tuple[Claim, ...]
    facts: tuple[str, ...]
    options: tuple[Choices, ...]
    price: float
    wording: int

    @property
    def listed(self) -> tuple[Claim, ...]:
        """Return the claims of title and bullet points, each once."""
        return tuple(dict.fromkeys((*self.bullets, *self.titled)))


def plan(seed: int, family: int, member: int) -> Plan:
    """Return the plan of one product of a family."""
    base = _base(family, Random(f"{seed}/{family}"))
    random = Random(f"{seed}/{family}/{member}")
    match member:
        case 1:
            base = _with_other_claim(base, random)
        case 2:
            base = _with_quiet_claims(base, random)
        case 3:
            base = _imitation(base, random)
    return _priced(base, member, random)


def _base(family: int, random: Random) -> Plan:
    kind = KINDS[family % len(KINDS)]
    claims = _compatible(kind, random.sample(kind.claims, len(kind.claims)))[: random.randint(4, 7)]
    described = [claim for claim in claims if random.random() < 0.4]
    return Plan(
        kind=kind,
        brand=_brand(random),
        model="",
        style=random.choice(kind.styles),
        noun=random.choice(kind.nouns),
        detail=random.choice(kind.details),
        titled=tuple(random.sample(claims, min(2, len(claims)))),
        bullets=tuple(claims),
        described=tuple(described),
        facts=tuple(random.sample(kind.facts, len(kind.facts))),
        options=(),
        price=_between(kind.price, random),
        wording=random.randrange(12),
    )


def _compatible(kind: Kind, attributes: Sequence[str]) -> list[Claim]:
    """Return the claims of a kind in this order, without those that contradict earlier ones."""
    taken = set[str]()
    found = []
    for attribute in attributes:
        if attribute not in taken:
            found.append(CLAIMS[attribute])
            taken |= RIVALS[attribute]
    return found


def _with_other_claim(base: Plan, random: Random) -> Plan:
    """Return a product that lacks one claim and may have another."""
    lost = random.choice(base.bullets)
    kept = [claim for claim in base.bullets if claim is not lost]
    names = [claim.attribute for claim in kept]
    rest = [name for name in base.kind.claims if name not in names and name != lost.attribute]
    more = _compatible(base.kind, [*names, *random.sample(rest, len(rest))])[len(kept) :]
    return attrs.evolve(
        base,
        titled=tuple(claim for claim in base.titled if claim is not lost),
        bullets=(*kept, *more[: random.randrange(2)]),
        described=tuple(claim for claim in base.described if claim is not lost),
    )


def _with_quiet_claims(base: Plan, random: Random) -> Plan:
    """Return a product that says some things in its description alone."""
    quiet = random.sample(base.bullets, random.randint(1, 2))
    return attrs.evolve(
        base,
        titled=tuple(claim for claim in base.titled if claim not in quiet),
        bullets=tuple(claim for claim in base.bullets if claim not in quiet),
        described=tuple(dict.fromkeys((*base.described, *quiet))),
        facts=base.facts[::-1],
    )


def _imitation(base: Plan, random: Random) -> Plan:
    """Return another brand's product that looks the same and promises less; a few promise nothing."""
    kept = () if random.random() < 0.3 else base.bullets[2:]
    return attrs.evolve(
        base,
        brand=_brand(random),
        titled=tuple(claim for claim in base.titled if claim in kept),
        bullets=kept,
        described=tuple(claim for claim in base.described if claim in kept),
        wording=random.randrange(12),
    )


def _priced(base: Plan, member: int, random: Random) -> Plan:
    price = round(base.price * random.uniform(0.8, 1.25)) - 0.01 if member else round(base.price) - 0.01
    price = max(price, 1.99)
    return attrs.evolve(
        base,
        model=_model(member, random),
        price=price,
        options=() if random.random() < 0.08 else tuple(_options(base.kind, price, random)),
    )


def _options(kind: Kind, price: float, random: Random) -> list[Choices]:
    found = []
    for name, palette_name in kind.options:
        palette = PALETTES[palette_name]
        many = random.randint(2, min(6, len(palette.values)))
        if palette.ordered:
            first = random.randrange(len(palette.values) - many + 1)
            values = palette.values[first : first + many]
        else:
            picked = sorted(random.sample(range(len(palette.values)), many))
            values = tuple(palette.values[index] for index in picked)
        if palette.growth is None:
            priced: list[tuple[str, float | None]] = [(value, None) for value in values]
        else:
            priced = [
                (value, round(price * (1 + palette.growth * step), 2)) for step, value in enumerate(values)
            ]
        selected = None if random.random() < 0.12 else random.randrange(many)
        found.append(Choices(name, tuple(priced), selected))
    return found


def _brand(random: Random) -> str:
    return random.choice(_FIRST) + random.choice(_MIDDLE) + random.choice(_LAST)


def _model(member: int, random: Random) -> str:
    code = f"{random.choice('ABCDEFGHKLMNPRSTVX')}{random.randint(10, 99)}"
    return f"{code}{random.choice(_MARKS) if member else ''}"


def _between(ends: tuple[float, float], random: Random) -> float:
    """Return a price between two, low ones more often."""
    low, high = ends
    return low * math.pow(high / low, random.random())
