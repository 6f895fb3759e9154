"""A toy environment, a market: unlike ALFWorld it has no contexts, but money, texts and lists."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import attrs

from skillsandbox.compiler.interface import (
    FieldSignature,
    Interface,
    Need,
    Parameter,
    Role,
    Signature,
    Table,
    Type,
)
from skillsandbox.compiler.values import Entity, Value, fold

GRAMMAR = """
_base: from_fair
from_fair: "fair" text

_goal: buy | buy_below | fill
buy: "buy" _term
buy_below: "buy" _term "below" money
fill: "fill" variable "{" _clause* "}"
_clause: with_tag | with_many
with_tag: "tag" text
with_many: "many" text money

_operation: price | stock | hide | tag
price: "price" variable money
stock: "stock" number "of" variable
hide: "hide" variable ("," variable)*
tag: "tag" variable text

_action: visit | rest
visit: "visit" variable
rest: "rest"

_relation: beside
beside: _term "beside" variable

_function: dearer | rank | rebate
dearer: "dearer" "(" _term "," _term ")"
rank: "rank" "(" _term "," text ")"
rebate: "rebate" "(" _term ")"

_event: sells | cheers
sells: "sells" variable
cheers: "cheers"

_novelty: _dimension | _term
_dimension: season
season: "season"

ENVIRONMENT: "market"
TYPE: "Product" | "Stall"
FIELD: "title" | "price" | "category" | "left" | "fragile" | "tags" | "aisle" | "hidden"
"""

CATEGORIES = ("Fruit", "Cheese", "Bag")
REBATES = {"Fruit": 1, "Cheese": 0, "Bag": 5}
_PRODUCT = Parameter("product", "Product")
_CHEAPER = Need("{product}.price < {limit}", "a product that costs less")
_REBATE = " ".join(f"WHEN '{category}' THEN {rebate}" for category, rebate in REBATES.items())

INTERFACE = Interface(
    types=(
        Type("Product", Table("product", "id")),
        Type("Stall", Table("stall", "id")),
        Type("Category", values=CATEGORIES),
        Type("Tag", words=Table("label", "name")),
        Type("Wish"),
        Type("Int"),
        Type("Money"),
        Type("Text"),
        Type("Bool"),
    ),
    fields=(
        FieldSignature("title", "Product", "Text", "what it is called", "title"),
        FieldSignature("price", "Product", "Money", "what it costs", "price"),
        FieldSignature("category", "Product", "Category", "what it is", "category"),
        FieldSignature("left", "Product", "Int", "how many there are", "remaining"),
        FieldSignature("fragile", "Product", "Bool", "whether it breaks", "fragile"),
        FieldSignature("tags", "Product", "[Tag]", "what is said of it"),
        FieldSignature("hidden", "Product", "Bool", "whether it is hidden"),
        FieldSignature("aisle", "Stall", "Int", "where it stands", "aisle"),
    ),
    signatures=(
        Signature(
            "from_fair", Role.BASE, "fair {name}", "a fair", (Parameter("name", "Text"),), "Configuration"
        ),
        Signature("buy", Role.GOAL, "buy {category}", "buy one", (Parameter("category", "Category"),)),
        Signature(
            "buy_below",
            Role.GOAL,
            "buy {product} below {limit}",
            "buy it cheaply",
            (_PRODUCT, Parameter("limit", "Money")),
            needs=(_CHEAPER,),
        ),
        Signature(
            "fill",
            Role.GOAL,
            "fill {product} {[ {wishes} ]}",
            "fill it",
            (_PRODUCT, Parameter("wishes", "Wish", many=True, separator=" ")),
        ),
        Signature("with_tag", Role.CLAUSE, "tag {words}", "it says so", (Parameter("words", "Tag"),), "Wish"),
        Signature(
            "with_many",
            Role.CLAUSE,
            "many {words} {limit}",
            "there are many",
            (Parameter("words", "Text"), Parameter("limit", "Money")),
            "Wish",
        ),
        Signature(
            "price",
            Role.OPERATION,
            "price {product} {amount}",
            "let it cost this",
            (_PRODUCT, Parameter("amount", "Money")),
            "Configuration",
        ),
        Signature(
            "stock",
            Role.OPERATION,
            "stock {count} of {product}",
            "let there be so many",
            (Parameter("count", "Int", range=(0, 99), why="a stall holds 99"), _PRODUCT),
            "Configuration",
        ),
        Signature(
            "hide",
            Role.OPERATION,
            "hide {products}",
            "hide them",
            (Parameter("products", "Product", many=True),),
            "Configuration",
        ),
        Signature(
            "tag",
            Role.OPERATION,
            "tag {product} {words}",
            "say this of it",
            (_PRODUCT, Parameter("words", "Text")),
            "Configuration",
        ),
        Signature(
            "visit", Role.ACTION, "visit {stall}", "go there", (Parameter("stall", "Stall"),), "Command"
        ),
        Signature("rest", Role.ACTION, "rest", "do nothing", (), "Command"),
        Signature(
            "beside",
            Role.FUNCTION,
            "{stall} beside {other}",
            "they touch",
            (Parameter("stall", "Stall"), Parameter("other", "Stall")),
            sql="(ABS({stall}.aisle - {other}.aisle) = 1)",
        ),
        Signature(
            "dearer",
            Role.FUNCTION,
            "dearer({product}, {other})",
            "the first costs more",
            (_PRODUCT, Parameter("other", "Product")),
            sql="({product}.price > {other}.price)",
        ),
        Signature(
            "rank",
            Role.FUNCTION,
            "rank({product}, {query})",
            "its rank in a search",
            (_PRODUCT, Parameter("query", "Text")),
            "Int",
        ),
        Signature(
            "rebate",
            Role.FUNCTION,
            "rebate({category})",
            "what is taken off",
            (Parameter("category", "Category"),),
            "Int",
            sql=f"(CASE {{category}} {_REBATE} END)",
        ),
        Signature("sells", Role.EVENT, "sells {product}", "it was sold", (_PRODUCT,)),
        Signature("cheers", Role.EVENT, "cheers", "somebody cheers"),
        Signature("season", Role.DIMENSION, "season", "the season", (), "Text"),
    ),
)
_COLUMNS = {field.name: field.column for field in INTERFACE.fields if field.column}


@attrs.frozen
class Product:
    """A row of the table of products."""

    id: str
    title: str
    price: int
    category: str
    remaining: int
    fragile: bool


@attrs.frozen
class Stall:
    """A row of the table of stalls."""

    id: str
    aisle: int


@attrs.frozen
class Goods:
    """The data of a market, as a moment that answers in Python what the binder asks in SQL."""

    products: tuple[Product, ...]
    stalls: tuple[Stall, ...]

    def entities(self, type: str) -> tuple[Entity, ...]:
        """Return all entities of a type."""
        rows: Sequence[Product | Stall] = self.products if type == "Product" else self.stalls
        return tuple(Entity(type, row.id) for row in rows)

    def _row(self, entity: Entity) -> Product | Stall:
        rows: list[Product | Stall] = [*self.products, *self.stalls]
        return next(row for row in rows if row.id == entity.key)

    def field(self, entity: Entity, name: str) -> Value:
        """Return the value of a field."""
        value: Value = getattr(self._row(entity), _COLUMNS[name])
        return value

    def call(self, symbol: str, arguments: tuple[Any, ...]) -> Value:
        """Return the value of a function or relation of the data."""
        match symbol:
            case "beside":
                one, other = (self.field(argument, "aisle") for argument in arguments)
                return abs(int(one) - int(other)) == 1  # type: ignore[arg-type]  # aisles are numbers
            case "dearer":
                one, other = (self.field(argument, "price") for argument in arguments)
                return bool(one > other)  # type: ignore[operator]  # prices are numbers
            case "rebate":
                return REBATES[arguments[0]]
            case _:
                raise ValueError(f"the data do not say {symbol}")


class ToyStore:
    """A market's data as a store."""

    data_version = "1"

    def __init__(self, goods: Goods) -> None:
        self._connection = sqlite3.connect(":memory:")
        self._connection.create_function("fold", 1, fold, deterministic=True)
        self._connection.executescript(
            "CREATE TABLE product (id, title, price, category, remaining, fragile);"
            "CREATE TABLE stall (id, aisle);"
        )
        for table, rows in (("product", goods.products), ("stall", goods.stalls)):
            for row in rows:
                values = attrs.astuple(row)
                marks = ", ".join("?" * len(values))
                self._connection.execute(f"INSERT INTO {table} VALUES ({marks})", values)

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that answer a query."""
        return self._connection.execute(sql, parameters).fetchall()


class Market:
    """As much of the environment as the passes before building ask for."""

    name = "market"

    def grammar(self) -> str:
        """Return the market's grammar."""
        return GRAMMAR

    def interface(self) -> Interface:
        """Return the market's interface."""
        return INTERFACE

    def wording_fault(self, instruction: str) -> str | None:
        """Return None: a market understands everything."""
        return None


_MARKET = Market()


def market() -> Any:
    """Return the market, as an environment of which the later passes must not be asked."""
    return _MARKET
