"""The goals of the generated catalogue, as they stand in the two official files of instructions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from skillsandbox.envs.webshop.catalogue import option_value
from skillsandbox.envs.webshop.ranges import Plan
from skillsandbox.envs.webshop.vocabulary import Claim, Role

_LEADS = (
    *("i am looking for",) * 9,
    *("i would like",) * 4,
    *("im looking for",) * 4,
    *("i need",) * 5,
    *("i want",) * 3,
    "i want to find",
    "i want to buy",
    "i am interested in",
    "i would like to buy",
    "i need to buy",
    "i am searching for",
    "can you find me",
    "looking for",
    "find me",
    "get me",
    "id like to find",
)
_VOWELS = frozenset("aeiou")
_CONSONANTS = ("us", "uni")
"""Beginnings that are spoken as with a consonant: `a universal remote`."""


def annotation(plan: Plan, random: Random) -> dict[str, Any]:
    """Return a product's entry in `items_ins_v2`."""
    entry: dict[str, Any] = {"attributes": _attributes(plan, random)}
    if plan.listed and random.random() < 0.45:
        asked = _asked(plan, random, most=4)
        entry["instruction"] = _synthetic(plan, asked)
        entry["instruction_attributes"] = [claim.attribute for claim in asked]
    return entry


def instructions(plan: Plan, asin: str, random: Random) -> list[dict[str, Any]]:
    """Return a product's entries in `items_human_ins`; two products in five have some."""
    if not plan.listed or random.random() < 0.55:
        return []
    return [_human(plan, asin, random) for _ in range(1 if random.random() < 0.85 else 2)]


def _attributes(plan: Plan, random: Random) -> list[str]:
    found = [claim.attribute for claim in plan.listed]
    noun = plan.noun.lower()
    if found and len(noun.split()) == 2 and noun not in found:
        found.append(noun)
    random.shuffle(found)
    return found


def _asked(plan: Plan, random: Random, most: int) -> list[Claim]:
    """Return claims to ask for: qualities first, purposes last, as the official instructions name them."""
    listed = plan.listed
    asked = random.sample(listed, random.randint(1, min(most, len(listed))))
    return sorted(asked, key=lambda claim: list(Role).index(claim.role))


def _by_role(asked: Sequence[Claim]) -> dict[Role, list[Claim]]:
    return {role: [claim for claim in asked if claim.role is role] for role in Role}


def _synthetic(plan: Plan, asked: Sequence[Claim]) -> str:
    names = {role: ", ".join(claim.attribute for claim in of) for role, of in _by_role(asked).items()}
    parts = ["Find me", names[Role.QUALITY], plan.kind.query.lower()]
    parts += ["with", names[Role.PART]] if names[Role.PART] else []
    parts += ["for", names[Role.PURPOSE]] if names[Role.PURPOSE] else []
    return " ".join(filter(None, parts))


def _human(plan: Plan, asin: str, random: Random) -> dict[str, Any]:
    # A few entries ask for nothing in particular, and make no goal.
    asked = [] if random.random() < 0.03 else _asked(plan, random, most=2)
    options = [
        (choices.name, option_value(random.choice(choices.values)[0]))
        for choices in plan.options
        if random.random() < 0.6
    ]
    return {
        "asin": asin,
        "instruction": _sentence(plan, asked, options, random),
        "attributes": [claim.attribute for claim in plan.listed],
        "options": [f"{name.lower()}: {value}" for name, value in options],
        "instruction_attributes": [claim.attribute for claim in asked],
        "instruction_options": [value for _, value in options],
    }


def _sentence(plan: Plan, asked: Sequence[Claim], options: Sequence[tuple[str, str]], random: Random) -> str:
    determiner, thing = _determiner(plan), plan.noun.lower()
    qualities, parts, purposes = _by_role(asked).values()
    lead = random.choice(_LEADS)
    if random.random() < 0.6 or not qualities:
        adjectives = [claim.spoken for claim in qualities]
        text = f"{lead} {_with_article(determiner, [*adjectives, thing])}{_with(parts)}{_for(purposes)}"
        return f"{text}{_options_aside(options, random)}."
    text = f"{lead} {_with_article(determiner, [thing])}{_with(parts)}{_for(purposes)}"
    return f"{text} that is {_and([claim.spoken for claim in qualities])}{_options_aside(options, random)}."


def _determiner(plan: Plan) -> str:
    if not plan.noun.endswith("s") or plan.noun.endswith("ss"):
        return "a"
    return "a pair of" if plan.kind.category == "fashion" else "some"


def _with_article(determiner: str, words: Sequence[str]) -> str:
    phrase = ", ".join(words[:-1]) + " " + words[-1] if len(words) > 1 else words[0]
    if determiner == "a" and phrase[0] in _VOWELS and not phrase.startswith(_CONSONANTS):
        determiner = "an"
    return f"{determiner} {phrase}"


def _with(parts: Sequence[Claim]) -> str:
    return f" with {_and([claim.spoken for claim in parts])}" if parts else ""


def _for(purposes: Sequence[Claim]) -> str:
    return f" for {_and([claim.spoken for claim in purposes])}" if purposes else ""


def _options_aside(options: Sequence[tuple[str, str]], random: Random) -> str:
    if not options:
        return ""
    said = _and([_option(name, value, random) for name, value in options])
    return random.choice(
        (f" in {said}", f", in {said}", f". it should come in {said}", f", and i want it in {said}")
    )


def _option(name: str, value: str, random: Random) -> str:
    match name:
        case "Color":
            return random.choice((f"{value} color", f"the color {value}", value))
        case "Size":
            return random.choice((f"size {value}", f"a size {value}", f"the size {value}"))
        case "Flavor Name":
            return random.choice((f"{value} flavor", f"the {value} flavor"))
        case "Scent":
            return random.choice((f"{value} scent", f"the scent {value}"))
        case _:
            return f"the {name.lower()} {value}"


def _and(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
