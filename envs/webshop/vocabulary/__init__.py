"""The words of the generated catalogue: sorts of products, what is claimed of them, and choices."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.beauty import BEAUTY
from skillsandbox.envs.webshop.vocabulary.electronics import ELECTRONICS
from skillsandbox.envs.webshop.vocabulary.fashion import FASHION
from skillsandbox.envs.webshop.vocabulary.garden import GARDEN
from skillsandbox.envs.webshop.vocabulary.grocery import GROCERY
from skillsandbox.envs.webshop.vocabulary.model import Claim, Kind, Palette, Role
from skillsandbox.envs.webshop.vocabulary.palettes import PALETTES
from skillsandbox.envs.webshop.vocabulary.parts import PARTS
from skillsandbox.envs.webshop.vocabulary.purposes import PURPOSES
from skillsandbox.envs.webshop.vocabulary.qualities import QUALITIES

__all__ = ["CLAIMS", "KINDS", "PALETTES", "RIVALS", "Claim", "Kind", "Palette", "Role"]

CLAIMS = {claim.attribute: claim for claim in (*QUALITIES, *PARTS, *PURPOSES)}
"""All claims by attribute."""

KINDS = (*BEAUTY, *ELECTRONICS, *FASHION, *GARDEN, *GROCERY)
"""All kinds of products, department by department."""

_GROUPS = tuple(
    frozenset(names.split("; "))
    for names in (
        "long sleeve; short sleeve",
        "slim fit; classic fit; relaxed fit; regular fit; loose fit; comfortable fit",
        "straight leg; wide leg",
        "high waist; low rise",
        "open toe; closed toe",
        "rubber sole; rubber outsole; synthetic sole; leather sole",
        "machine wash; machine washable; hand wash; dry clean; wash cold",
        "lace closure; button closure; drawstring closure; elastic closure",
        "elastic waist; elastic waistband; drawstring waist",
        "polyester spandex; nylon spandex; cotton spandex; polyester cotton; quality polyester",
        "queen size; twin size; king size",
        "easy assemble; assembly required",
        "solid wood; engineered wood; metal frame; steel frame; wood frame",
        "faux leather; pu leather",
        "bronze finish; nickel finish; white finish; wood finish",
        "dark chocolate; milk chocolate; white chocolate",
        "sugar free; zero sugar; low sugar; cane sugar; brown sugar",
        "dairy free; milk chocolate; real cheese; cheddar cheese; sour cream",
        "easy prepare; ready eat; fully cooked",
        "fragrance free; essential oils",
        "iphone pro; samsung galaxy",
        "ultra hd; 1080p hd",
        "ready hang; wall mounted",
    )
)
"""Attributes of which a product has one at most."""

RIVALS = {
    attribute: frozenset().union(*(group for group in _GROUPS if attribute in group)) for attribute in CLAIMS
}
"""The attributes that no product can have beside another, itself among them."""
