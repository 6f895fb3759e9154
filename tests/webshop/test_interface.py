"""WebShop's construction interface: the data and the configuration say the same of every product."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from skillsandbox.compiler.interface import FieldSignature, Role, Type
from skillsandbox.compiler.values import Binding, Entity
from skillsandbox.envs.webshop import environment
from skillsandbox.envs.webshop.configuration import Base
from skillsandbox.envs.webshop.interface import MOST_RESULTS, NOT_FOUND, interface
from skillsandbox.envs.webshop.site import MOST_RESULTS as RESULTS_OF_THE_SITE

INTERFACE = interface()
WORD_TYPES = [one for one in INTERFACE.types if one.words is not None]


@pytest.fixture(scope="module")
def base() -> Base:
    store = environment().open_store()
    assert isinstance(store, Base)
    return store


@pytest.fixture(scope="module")
def asins(base: Base) -> list[str]:
    return Random(0).sample(sorted(base.store.asins()), 40)


def from_data(base: Base, field: FieldSignature, asin: str) -> Any:
    assert field.column is not None
    column = field.column.replace("{}", "v") if "{}" in field.column else f"v.{field.column}"
    if not field.result.startswith("["):
        return base.query(f"SELECT {column} FROM product v WHERE asin = ?", [asin])[0][0]
    table = "attribute_name" if field.name == "attributes" else "category"
    return {
        name
        for (name,) in base.query(
            f"SELECT DISTINCT w.name FROM product v, {table} w WHERE v.asin = ? AND w.name IN {column}",
            [asin],
        )
    }


@pytest.mark.parametrize("field", INTERFACE.fields, ids=lambda one: one.name)
def test_data_and_configuration_agree_before_any_operation(
    base: Base, asins: list[str], field: FieldSignature
) -> None:
    moment = environment().moment(environment().start(base, Binding(None, ())))
    for asin in asins:
        value: Any = moment.field(Entity("Product", asin), field.name)
        assert from_data(base, field, asin) == (set(value) if field.result.startswith("[") else value)


@pytest.mark.parametrize("symbol", ["offers", "available", "price_with"])
def test_data_and_configuration_agree_on_options(base: Base, asins: list[str], symbol: str) -> None:
    moment = environment().moment(environment().start(base, Binding(None, ())))
    sql = INTERFACE.signature_of[symbol].sql
    assert sql is not None
    text = sql.replace("{product}", "v").replace("{option}", ":option").replace("{value}", ":value")
    options = [("color", "black"), ("size", "large"), ("size", "small"), ("scent", "rose")]
    said = set()
    for asin in asins:
        for name, value in options:
            rows = base.store.query(
                f"SELECT {text} FROM product v WHERE asin = :asin",
                {"asin": asin, "option": name, "value": value},
            )
            said.add(rows[0][0])
            assert moment.call(symbol, (Entity("Product", asin), name, value)) == rows[0][0]
    assert len(said) > 1


@pytest.mark.parametrize("type", WORD_TYPES, ids=lambda one: one.name)
def test_every_vocabulary_is_in_the_store(base: Base, type: Type) -> None:
    assert type.words is not None
    rows = base.query(f"SELECT COUNT(DISTINCT {type.words.key}) FROM {type.words.name}")
    assert rows[0][0] >= 5


def test_what_operations_change_is_known_from_the_data_before_them_only() -> None:
    fixed = {field.name for field in INTERFACE.fields if not field.alterable}
    assert fixed == {"path"}
    functions = [one for one in INTERFACE.signatures if one.role is Role.FUNCTION and one.sql is not None]
    assert all(one.alterable for one in functions)


def test_a_product_that_is_not_found_ranks_behind_all_results() -> None:
    assert MOST_RESULTS == RESULTS_OF_THE_SITE
    assert NOT_FOUND > MOST_RESULTS
