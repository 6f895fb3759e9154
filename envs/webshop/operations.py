"""The operations of WebShop's construction interface on a configuration."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable, Iterator
from random import Random

import attrs

from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.values import Entity, GroundCall, Value
from skillsandbox.envs.webshop.catalogue import (
    UNLISTED_ATTRIBUTES,
    Option,
    OptionValue,
    Product,
    UnknownProductError,
    option_name,
    option_value,
)
from skillsandbox.envs.webshop.configuration import Configuration
from skillsandbox.envs.webshop.overlay import Overlay, Pin, folded, overlay_to_data
from skillsandbox.envs.webshop.reward import ALIKE, likeness

_BLANKS = re.compile(r"[ \t]{2,}")
_SENTENCE = re.compile(r"[^.!?]*[.!?]*\s*")
_ASIN_LETTERS = string.digits + string.ascii_uppercase


def product_of(configuration: Configuration, key: str) -> Product:
    """Return a product; `Refused` where it has been removed."""
    try:
        return configuration.catalogue.product(key)
    except UnknownProductError as error:
        raise Refused(f"the product {key} has been removed") from error


def apply(configuration: Configuration, operation: GroundCall, random: Random) -> Configuration:
    """Return the configuration after an operation; `Refused` where the catalogue does not allow it."""
    match operation:
        case GroundCall("change_nothing"):
            return configuration
        case GroundCall("add_distractor", (Entity(key=key), tuple(differences))):
            return _with_clones(configuration, key, 1, differences, random)
        case GroundCall("add_distractors", (int(count), Entity(key=key), tuple(differences))):
            return _with_clones(configuration, key, count, differences, random)
        case GroundCall("remove", (Entity(key=key),)):
            product_of(configuration, key)
            return Configuration(configuration.base, configuration.catalogue.without(key))
        case GroundCall("rank_for_query", (Entity(key=key), int(rank), str(query))):
            return _pinned(configuration, Pin(key, rank, folded(query)))
        case GroundCall("rank_everywhere", (Entity(key=key), int(rank))):
            return _pinned(configuration, Pin(key, rank))
        case GroundCall(symbol, arguments):
            (key,) = (argument.key for argument in arguments if isinstance(argument, Entity))
            rest = tuple(argument for argument in arguments if not isinstance(argument, Entity))
            product = product_of(configuration, key)
            return configuration.with_product(_EDITS[symbol](product, *rest))


def _with_clones(
    configuration: Configuration, key: str, count: int, differences: Iterable[Value], random: Random
) -> Configuration:
    clone = attrs.evolve(product_of(configuration, key), synthetic=None, human=())
    for difference in differences:
        assert isinstance(difference, GroundCall)
        clone = _DIFFERENCES[difference.symbol](clone, *difference.arguments)
    for _ in range(count):
        asin = _free_asin(configuration, random)
        overlay = configuration.catalogue.with_added(attrs.evolve(clone, asin=asin), key)
        configuration = Configuration(configuration.base, overlay)
    return configuration


def _free_asin(configuration: Configuration, random: Random) -> str:
    while True:
        asin = "B" + "".join(random.choice(_ASIN_LETTERS) for _ in range(9))
        if asin not in configuration.catalogue and asin not in configuration.base.store:
            return asin


def _pinned(configuration: Configuration, pin: Pin) -> Configuration:
    product_of(configuration, pin.asin)
    overlay = configuration.overlay
    kept = tuple(old for old in overlay.pins if (old.asin, old.query) != (pin.asin, pin.query))
    changed = Configuration(configuration.base, attrs.evolve(overlay, pins=(*kept, pin)))
    if pin.query is not None:
        found = changed.search(pin.query)
        if found.index(pin.asin) != pin.rank - 1:
            raise Refused(f"the query has {len(found) - 1} other results, too few for place {pin.rank}")
    return changed


# Texts


def _without(text: str, words: str) -> str:
    """Return a text without words, whatever their case, and without the gap that they leave."""
    return _BLANKS.sub(" ", re.sub(re.escape(words), "", text, flags=re.IGNORECASE)).strip()


def _replaced(text: str, words: str, others: str) -> str:
    return re.sub(re.escape(words), lambda _: others, text, flags=re.IGNORECASE)


def _says(text: str, words: str) -> bool:
    return words.lower() in text.lower()


def _kept(bullets: Iterable[str]) -> tuple[str, ...]:
    return tuple(bullet for bullet in bullets if bullet.strip()) or ("",)


def text_of(product: Product, part: str) -> str:
    """Return the title, the description, or the features, a line for each bullet."""
    if part == "features":
        return "\n".join(product.bullets)
    text: str = getattr(product, part)
    return text


def _set_text(product: Product, part: str, text: str) -> Product:
    if part == "features":
        return attrs.evolve(product, bullets=_kept(text.split("\n")))
    if part == "title":
        return attrs.evolve(product, title=text)
    return attrs.evolve(product, description=text)


def _add_text(product: Product, part: str, words: str) -> Product:
    match part:
        case "features":
            return attrs.evolve(product, bullets=_kept((*product.bullets, words)))
        case "title":
            return attrs.evolve(product, title=f"{product.title}, {words}" if product.title else words)
        case _:
            return attrs.evolve(product, description=f"{product.description} {words}".strip())


def _remove_text(product: Product, part: str, words: str) -> Product:
    if part == "features":
        bullets = (_without(one, words) if _says(one, words) else one for one in product.bullets)
        return attrs.evolve(product, bullets=_kept(bullets))
    text = text_of(product, part)
    return _set_text(product, part, _without(text, words)) if _says(text, words) else product


def _replace_text(product: Product, part: str, words: str, others: str) -> Product:
    text = text_of(product, part)
    if not _says(text, words):
        raise Refused(f"the {part} of {product.asin} do not say {words!r}")
    return _set_text(product, part, _replaced(text, words, others))


def _move_words(product: Product, words: str, source: str, destination: str) -> Product:
    text = text_of(product, source)
    if not _says(text, words):
        raise Refused(f"the {source} of {product.asin} do not say {words!r}")
    pieces = {"features": product.bullets, "description": tuple(_SENTENCE.findall(text)), "title": (words,)}
    moved = [piece for piece in pieces[source] if _says(piece, words)]
    if source == "features":
        left = _kept(bullet for bullet in product.bullets if bullet not in moved)
        product = attrs.evolve(product, bullets=left)
    else:
        for piece in moved:
            product = _set_text(product, source, _without(text_of(product, source), piece))
    for piece in moved:
        product = _add_text(product, destination, piece.strip())
    return product


# Attributes


def _listed(product: Product) -> tuple[str, ...]:
    return () if product.attributes == UNLISTED_ATTRIBUTES else product.attributes


def _add_attribute(product: Product, attribute: str) -> Product:
    listed = _listed(product)
    return product if attribute in listed else attrs.evolve(product, attributes=(*listed, attribute))


def _remove_attribute(product: Product, attribute: str) -> Product:
    left = tuple(one for one in _listed(product) if one != attribute)
    return attrs.evolve(product, attributes=left)


def _with_attribute(product: Product, attribute: str) -> Product:
    """List an attribute, and say it in a bullet."""
    return _add_text(_add_attribute(product, attribute), "features", attribute.capitalize())


def _without_attribute(product: Product, attribute: str) -> Product:
    """Take out all by which the official reward would find an attribute, and all that says it otherwise.

    Where it is said, a bullet, a sentence or a part of the title goes; of the title's first part, the words.
    """
    said = _spoken(attribute)
    return attrs.evolve(
        product,
        attributes=tuple(one for one in _listed(product) if likeness(one, attribute) <= ALIKE),
        bullets=_kept(bullet for bullet in product.bullets if not said.search(bullet)),
        description="".join(one for one in _SENTENCE.findall(product.description) if not said.search(one)),
        title=_title_without(product.title, said),
    )


def _spoken(attribute: str) -> re.Pattern[str]:
    """Return a pattern of the texts that say an attribute: `easy to clean` says `easy clean`."""
    return re.compile(r"(?:\W+\w{1,3}){0,2}\W+".join(map(re.escape, attribute.split())), re.IGNORECASE)


def _title_without(title: str, said: re.Pattern[str]) -> str:
    first, *others = title.split(", ")
    name = _BLANKS.sub(" ", said.sub("", first)).strip()
    return ", ".join(filter(None, (name, *(part for part in others if not said.search(part)))))


# Options


def _choices(product: Product, name: str, value: str) -> Iterator[OptionValue]:
    values = (one for option in product.options if option.name == name for one in option.values)
    return (one for one in values if one.value == value)


def _changed_choice(
    product: Product, name: str, value: str, change: Callable[[OptionValue], OptionValue | None]
) -> Product:
    """Return a product with a choice changed, or taken out; an option without choices goes with its last."""
    if not any(_choices(product, name, value)):
        raise Refused(f"the product {product.asin} has no option {name!r} with the value {value!r}")
    options = []
    for option in product.options:
        values: Iterable[OptionValue | None] = option.values
        if option.name == name:
            values = (change(one) if one.value == value else one for one in option.values)
        left = tuple(one for one in values if one is not None)
        if left or not option.values:
            options.append(Option(option.name, left))
    return attrs.evolve(product, options=tuple(options))


def _add_option(product: Product, name: str, text: str, price: int | None = None) -> Product:
    name, one = option_name(name), OptionValue(option_value(text), text, price)
    if any(_choices(product, name, one.value)):
        raise Refused(f"{product.asin} has the option {name!r} with the value {one.value!r} already")
    if any(option.name == name for option in product.options):
        options = tuple(
            attrs.evolve(option, values=(*option.values, one)) if option.name == name else option
            for option in product.options
        )
    else:
        options = (*product.options, Option(name, (one,)))
    return attrs.evolve(product, options=options)


def _remove_option(product: Product, name: str, value: str) -> Product:
    return _changed_choice(product, name, value, lambda one: None)


def _rename_option(product: Product, name: str, value: str, text: str) -> Product:
    renamed = option_value(text)
    if any(_choices(product, name, renamed)):
        raise Refused(f"{product.asin} has the option {name!r} with the value {renamed!r} already")
    return _changed_choice(product, name, value, lambda one: attrs.evolve(one, value=renamed, text=text))


def _without_option(product: Product, name: str, value: str) -> Product:
    return _remove_option(product, name, value) if any(_choices(product, name, value)) else product


def _different_option(product: Product, name: str, text: str) -> Product:
    present = any(_choices(product, option_name(name), option_value(text)))
    return product if present else _add_option(product, name, text)


# What else there is


def _priced(product: Product, amount: int) -> Product:
    return attrs.evolve(product, prices=(amount / 100,))


def _priced_between(product: Product, lowest: int, highest: int) -> Product:
    if lowest >= highest:
        raise Refused("the first price of a range is the lower one")
    return attrs.evolve(product, prices=(lowest / 100, highest / 100))


def _reworded(product: Product, words: str, others: str) -> Product:
    parts = [part for part in ("title", "features", "description") if _says(text_of(product, part), words)]
    if not parts:
        raise Refused(f"no text of {product.asin} says {words!r}")
    for part in parts:
        product = _replace_text(product, part, words, others)
    return product


_EDITS: dict[str, Callable[..., Product]] = {
    "alter_add": _add_text,
    "alter_remove": _remove_text,
    "alter_replace": _replace_text,
    "alter_set": _set_text,
    "alter_price": _priced,
    "alter_price_range": _priced_between,
    "alter_rating": lambda product, tenths: attrs.evolve(product, rating=tenths / 10),
    "alter_category": lambda product, category: attrs.evolve(product, category=category),
    "alter_kind": lambda product, kind: attrs.evolve(product, query=kind),
    "add_attribute": _add_attribute,
    "remove_attribute": _remove_attribute,
    "add_option": _add_option,
    "add_priced_option": _add_option,
    "remove_option": _remove_option,
    "rename_option": _rename_option,
    "reprice_option": lambda product, name, value, amount: _changed_choice(
        product, name, value, lambda one: attrs.evolve(one, price=amount)
    ),
    "withdraw_option": lambda product, name, value: _changed_choice(
        product, name, value, lambda one: attrs.evolve(one, available=False)
    ),
    "move_words": _move_words,
}
"""For each operation on one product what it makes of it, given the other arguments in their order."""

_DIFFERENCES: dict[str, Callable[..., Product]] = {
    "differ_price": _priced,
    "differ_with": _with_attribute,
    "differ_without": _without_attribute,
    "differ_option": _different_option,
    "differ_without_option": _without_option,
    "differ_title": lambda product, words: attrs.evolve(product, title=words),
    "differ_wording": _reworded,
}
"""The same for the differences of a distractor."""


def difference(overlay: Overlay) -> str:
    """Return what an overlay changes: one line for each field, added or removed product, or pin, sorted."""
    data = overlay_to_data(overlay)
    lines = [f"- {asin}" for asin in data["removed"]]
    for sign, products in (("~", data["edited"]), ("+", data["added"])):
        for asin, fields in products.items():
            head = f"{sign} {asin} like {fields['like']}" if "like" in fields else f"{sign} {asin}"
            rest = {name: value for name, value in fields.items() if name != "like"}
            lines += [head, *(f"{head} {name}: {json.dumps(value)}" for name, value in rest.items())]
    lines += [f"# {json.dumps(pin, sort_keys=True)}" for pin in data["pins"]]
    return "\n".join(sorted(lines))
