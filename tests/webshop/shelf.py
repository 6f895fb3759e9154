"""What the tests of the catalogue share: real files, records bent out of shape, and arbitrary products."""

from __future__ import annotations

import copy
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from skillsandbox.envs.webshop.catalogue import (
    HumanInstruction,
    Option,
    OptionValue,
    Product,
    SyntheticInstruction,
    option_value,
)
from skillsandbox.envs.webshop.generator import generate_records

SHARED = Path(__file__).parents[2] / ".." / "shared" / "data" / "webshop"
RECORDS = [dict(one.record) for one in generate_records(0, 30)]


def shared(name: str) -> Path:
    """Return a file of the official data, or skip the test."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the official data ({name}) are not beside the project")
    return path


def write_json(path: Path, value: object) -> Path:
    """Write a file, and return its path."""
    path.write_text(json.dumps(value), encoding="ascii")
    return path


def record(**changes: object) -> dict[str, Any]:
    """Return a sound record with some fields changed; `...` takes a field out."""
    changed = {**copy.deepcopy(RECORDS[0]), **changes}
    return {field: value for field, value in changed.items() if value is not ...}


_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**13),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["USD 10", "$", "$1.5$2.5", "$$", "$1,000.00", "$1.2.3", "12.99", "nan", "", "\ud83d"]),
)
_json = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
_choice = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ["value", "image", "price", "price_string", "asin", "url", "is_selected", "is_available"], _json
    ),
)
_customization = st.dictionaries(
    st.sampled_from(["Color", "COLOR", "Size"]) | st.text(max_size=4),
    _json | st.lists(_choice, max_size=3),
    max_size=3,
)


@st.composite
def bent_records(draw: st.DrawFn) -> dict[str, Any]:
    """Draw records of which some fields are missing or anything at all."""
    bent: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(RECORDS)))
    fields = sorted(bent)
    for field in draw(st.lists(st.sampled_from(fields), max_size=3)):
        bent[field] = draw(_json)
    for field in draw(st.lists(st.sampled_from(fields), max_size=1)):
        bent.pop(field, None)
    if draw(st.booleans()):
        bent["customization_options"] = draw(_customization)
    return bent


_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_names = _texts.map(str.lower)
_cents = st.none() | st.integers(1, 10**6)
_option_values = st.builds(
    lambda text, price, image, asin, flags: OptionValue(option_value(text), text, price, image, asin, *flags),
    _texts,
    _cents,
    st.none() | _texts,
    st.none() | st.text("ABC123", min_size=1, max_size=10),
    st.tuples(st.booleans(), st.booleans()),
)
_options = st.lists(
    st.builds(Option, _names, st.lists(_option_values, max_size=3).map(tuple)),
    max_size=3,
    unique_by=lambda option: option.name,
).map(tuple)
_prices = st.lists(st.integers(0, 10**7).map(lambda cents: cents / 100), min_size=1, max_size=2).map(tuple)
_listed = st.lists(_texts, min_size=1, max_size=3).map(tuple)


def products() -> st.SearchStrategy[Product]:
    """Draw products of every shape, with no source."""
    return st.builds(
        Product,
        asin=st.text("ABCDEFGHIJ0123456789", min_size=1, max_size=10),
        title=_texts,
        category=_texts,
        query=_texts.map(lambda text: text.lower().strip()),
        product_category=_texts,
        prices=_prices,
        bullets=_listed,
        description=_texts,
        attributes=_listed,
        options=_options,
        images=_listed,
        rating=st.none() | st.integers(10, 50).map(lambda tenths: tenths / 10),
        synthetic=st.none() | st.builds(SyntheticInstruction, _texts, _listed),
        human=st.lists(st.builds(HumanInstruction, _texts, _listed, _listed), max_size=2).map(tuple),
    )


def catalogues(most: int = 4) -> st.SearchStrategy[list[Product]]:
    """Draw lists of products with different ASINs."""
    return st.lists(products(), min_size=1, max_size=most, unique_by=lambda product: product.asin)


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def pairs(text: str, stop: frozenset[str]) -> set[str]:
    """Return the pairs of neighbouring words of a text when the stop words are gone."""
    kept = [word for word in words(text) if word not in stop]
    return {" ".join(pair) for pair in itertools.pairwise(kept)}
