"""Operations on products: what they leave, and what the official reward then finds."""

from __future__ import annotations

from random import Random

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.values import Entity, GroundCall
from skillsandbox.envs.webshop import environment, operations
from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.configuration import Configuration
from skillsandbox.envs.webshop.goals import Goal, WantedOption
from skillsandbox.envs.webshop.reward import passing, score
from skillsandbox.envs.webshop.task import ShoppingTask
from skillsandbox.envs.webshop.vocabulary import CLAIMS


@pytest.fixture(scope="module")
def base() -> Configuration:
    shop = environment()
    return shop.start(shop.open_store(), None)  # type: ignore[arg-type]  # the shop has no contexts


def clone(base: Configuration, like: Product, *differences: GroundCall) -> Product:
    entity = Entity("Product", like.asin)
    made = operations.apply(base, GroundCall("add_distractor", (entity, differences)), Random(0))
    ((asin, _),) = made.overlay.added
    return made.catalogue.product(asin)


def goal_of(product: Product, *attributes: str, options: tuple[WantedOption, ...] = ()) -> Goal:
    kind = (product.asin, product.category, product.query, product.title, product.product_category)
    return Goal(*kind, "", attributes, options)


@settings(deadline=None)
@given(data=st.data())
def test_a_distractor_without_an_attribute_has_it_nowhere(base: Configuration, data: st.DataObject) -> None:
    asins = [asin for (asin,) in base.base.query("SELECT asin FROM item ORDER BY number")]
    product = base.catalogue.product(data.draw(st.sampled_from(asins)))
    claims = [name for name in product.attributes if name in CLAIMS] or ["easy clean"]
    attribute = data.draw(st.sampled_from(claims))
    made = clone(base, product, GroundCall("differ_without", (attribute,)))
    (term,) = score(made, goal_of(product, attribute), 1.0, {}).attributes
    assert not term.hit
    spoken = CLAIMS[attribute].spoken if attribute in CLAIMS else attribute
    texts = (made.title, made.description, *made.bullets)
    assert not any(spoken in text.lower() for text in texts)
    assert made.title


def test_what_else_a_product_says_stays(base: Configuration) -> None:
    product = attrs.evolve(
        next(base.catalogue.products()),
        title="Nylon Backpack, Easy to Clean, with Lid",
        bullets=("Easy to Clean: wipe it.", "Two pockets."),
        description="The backpack. Easy to clean: dust comes off. It has a lid.",
        attributes=("easy clean", "light weight"),
    )
    made = clone(base.with_product(product), product, GroundCall("differ_without", ("easy clean",)))
    assert made.title == "Nylon Backpack, with Lid"
    assert made.bullets == ("Two pockets.",)
    assert made.description == "The backpack. It has a lid."
    assert made.attributes == ("light weight",)


def test_a_price_can_be_made_a_range(base: Configuration) -> None:
    product = next(base.catalogue.products())
    entity = Entity("Product", product.asin)
    made = operations.apply(base, GroundCall("alter_price_range", (entity, 2500, 6500)), Random(0))
    changed = made.catalogue.product(product.asin)
    assert (changed.price, changed.highest_price, changed.price_tag) == (2500, 6500, "$25.0 to $65.0")
    assert 25 <= made.shop.prices(changed) <= 65
    with pytest.raises(Refused):
        operations.apply(base, GroundCall("alter_price_range", (entity, 6500, 2500)), Random(0))


@pytest.mark.parametrize(
    ("value", "chosen"),
    [("black", "black"), ("01 jet black", "01 jet black"), ("size large (12-14)", None), ("red", None)],
)
def test_a_value_that_passes_for_the_wanted_one_is_found(value: str, chosen: str | None) -> None:
    assert passing((value,), WantedOption("black", "color")) == chosen


def test_the_oracle_chooses_the_value_that_passes_where_the_wanted_one_was_renamed(
    base: Configuration,
) -> None:
    large = "name = 'size' AND value = 'large' ORDER BY number LIMIT 1"
    ((asin,),) = base.base.query(f"SELECT item.asin FROM item JOIN choice ON product = number WHERE {large}")
    call = GroundCall("rename_option", (Entity("Product", asin), "size", "large", "Large Size (12-14)"))
    made = operations.apply(base, call, Random(0))
    task = ShoppingTask(made, goal_of(made.catalogue.product(asin), options=(WantedOption("large", "size"),)))
    assert task.best.reward == 1.0
    assert task.solve((), 15)[-2:] == ("click[large size (12-14)]", "click[buy now]")
