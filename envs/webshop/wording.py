"""Putting the products of the generated catalogue into words: records as they stand in the official file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from skillsandbox.envs.webshop.ranges import Choices, Plan
from skillsandbox.envs.webshop.vocabulary import Claim, Role

SHOP = "https://shop.example"
"""Addresses of pictures and pages lead nowhere: the name is reserved for examples (RFC 2606)."""

_PAD = "\n                                    \u200f"
_MARK = "\u200e\n "


def record(plan: Plan, asin: str, variant: Callable[[int], str], random: Random) -> dict[str, Any]:
    """Return a product's record; `variant(n)` is the ASIN of its nth choice, over all options."""
    bullets = _bullets(plan, random)
    options = _customization(plan, asin, variant, random)
    brand = f"Visit the {plan.brand} Store" if plan.wording % 2 else f"Brand: {plan.brand}"
    fields = {
        "name": _title(plan),
        "product_information": _information(plan, asin, random),
        "brand": brand,
        "brand_url": f"{SHOP}/stores/{plan.brand}",
        "full_description": _description(plan, random),
        "pricing": _pricing(plan, random),
        "list_price": "",
        "availability_quantity": random.randint(1, 20) if random.random() < 0.3 else None,
        "availability_status": "In Stock." if random.random() < 0.95 else "Currently unavailable.",
        "images": [f"{SHOP}/images/{asin}.jpg", f"{SHOP}/images/{asin}-2.jpg"],
        "product_category": plan.kind.path,
        "average_rating": _rating(random),
        "small_description": bullets,
        "total_reviews": random.randint(1, 4000) if random.random() < 0.6 else "",
        "total_answered_questions": random.randint(1, 60) if random.random() < 0.3 else "",
        "model": plan.model if random.random() < 0.3 else None,
        "customization_options": options,
        "seller_id": f"A{random.randrange(36**6):06X}" if random.random() < 0.7 else "",
        "seller_name": plan.brand,
        "fulfilled_by_amazon": True if random.random() < 0.4 else "",
        "fast_track_message": "",
        "aplus_present": True if random.random() < 0.4 else "",
        "asin": asin,
        "category": plan.kind.category,
        "query": plan.kind.query,
        "page": random.randint(1, 400),
        "small_description_old": "About this item " + "".join(bullets) if bullets != [""] else "",
    }
    # The official files leave these two out where nothing is known.
    absent = [name for name in ("availability_quantity", "model") if fields[name] is None]
    return {name: value for name, value in fields.items() if name not in absent}


def _title(plan: Plan) -> str:
    claims = [_in_title(claim) for claim in plan.titled]
    thing = f"{plan.style} {plan.noun} {plan.detail}"
    match plan.wording % 4:
        case 0:
            parts = [f"{plan.brand} {thing}", *claims]
        case 1:
            parts = [f"{plan.brand} {plan.model} {thing}", *claims]
        case 2:
            parts = [thing, *claims, f"by {plan.brand}"]
        case _:
            parts = [f"{plan.brand} {thing}", *claims, f"Model {plan.model}"]
    return ", ".join(parts)


def _in_title(claim: Claim) -> str:
    if claim.role is Role.PURPOSE:
        return f"for {claim.heading}"
    if claim.role is Role.PART and not claim.heading.startswith("No "):
        return f"with {claim.heading}"
    return claim.heading


def _bullets(plan: Plan, random: Random) -> list[str]:
    if not plan.bullets:
        return [""]
    said = [_bullet(plan.wording % 3, claim, random) for claim in plan.bullets]
    said += [f"{fact} " for fact in plan.facts[:1]]
    return said


def _bullet(form: int, claim: Claim, random: Random) -> str:
    sentence = random.choice(claim.sentences)
    heading = f"For {claim.heading}" if claim.role is Role.PURPOSE else claim.heading
    match form:
        case 0:
            return f"{heading.upper()} - {_sentence(sentence)} "
        case 1:
            return f"\u3010{heading}\u3011{_sentence(sentence)} "
        case _:
            return f"{heading}: {sentence}. "


def _description(plan: Plan, random: Random) -> str:
    if not plan.described and plan.wording % 3 == 0:
        return ""
    parts = [f"The {plan.style.lower()} {plan.noun.lower()} from {plan.brand}.", *plan.facts[1:]]
    parts += [_described(claim, random) for claim in plan.described]
    if plan.wording % 4 == 1:
        parts.append(f'Package includes: 1 x "{plan.noun}" & a card with our <b>{plan.brand}</b> promise.')
    return " ".join(parts)


def _described(claim: Claim, random: Random) -> str:
    sentence = random.choice(claim.sentences)
    if claim.role is Role.PURPOSE:
        return f"Made for {claim.spoken}: {sentence}."
    if claim.role is Role.PART:
        return f"You get {claim.spoken}: {sentence}."
    return f"{_sentence(claim.spoken)[:-1]}: {sentence}."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _pricing(plan: Plan, random: Random) -> str:
    """Return the price that the page shows: that of the selected choice, or the range of all choices."""
    priced = [choices for choices in plan.options if choices.values[0][1] is not None]
    if priced:
        amounts = [amount for _, amount in priced[0].values if amount is not None]
        if priced[0].selected is not None:
            return _dollars(amounts[priced[0].selected])
        return f"{_dollars(amounts[0])}{' - ' if plan.wording % 2 else ''}{_dollars(amounts[-1])}"
    chance = random.random()
    if chance < 0.05:
        return ""
    if chance < 0.12:
        return f"{_dollars(plan.price)} - {_dollars(plan.price + 10)}"
    return _dollars(plan.price)


def _dollars(amount: float) -> str:
    return f"${amount:,.2f}"


def _rating(random: Random) -> float | str:
    return round(min(5.0, max(2.5, random.gauss(4.3, 0.4))), 1) if random.random() < 0.75 else ""


def _customization(
    plan: Plan, asin: str, variant: Callable[[int], str], random: Random
) -> dict[str, Any] | str:
    if not plan.options:
        return {"Color": None} if random.random() < 0.2 else ""
    found, first = {}, 0
    for choices in plan.options:
        is_short = choices.values[0][1] is None and choices.name == "Size" and plan.wording % 2 == 0
        entry = _short_entry if is_short else _long_entry
        found[choices.name] = [
            entry(choices, index, asin if index == choices.selected else variant(first + index), random)
            for index in range(len(choices.values))
        ]
        first += len(choices.values)
    return found


def _short_entry(choices: Choices, index: int, asin: str, random: Random) -> dict[str, Any]:
    return {
        "is_selected": index == choices.selected,
        "is_available": index == choices.selected or random.random() < 0.9,
        "value": choices.values[index][0],
        "asin": asin,
    }


def _long_entry(choices: Choices, index: int, asin: str, random: Random) -> dict[str, Any]:
    value, price = choices.values[index]
    is_selected = index == choices.selected
    return {
        "is_selected": is_selected,
        "url": None if is_selected else f"{SHOP}/dp/{asin}/ref=twister_{asin}",
        "value": value,
        "price_string": "" if price is None else _dollars(price),
        "price": 0 if price is None else price,
        "image": f"{SHOP}/images/{asin}-{index}.jpg" if choices.name == "Color" else None,
    }


def _information(plan: Plan, asin: str, random: Random) -> dict[str, Any]:
    size = " x ".join(f"{random.uniform(1, 30):.1f}" for _ in range(3))
    plain: Iterable[tuple[str, str]] = (
        ("Product Dimensions", f"{size} inches"),
        ("Item model number", plan.model),
        ("Manufacturer", plan.brand),
        ("ASIN", asin),
    )
    if plan.wording % 3 == 0:
        plain = [(f"{name}{_PAD}", f"{_MARK}{value}") for name, value in plain]
    return {**dict(plain), "Customer Reviews": {"ratings_count": None, "stars": None}}
