"""WebShop's construction interface as a table: one row for each alternative of `grammar/webshop.lark`."""

from __future__ import annotations

from functools import cache

from skillsandbox.compiler.interface import (
    Coinage,
    FieldSignature,
    Interface,
    Need,
    Parameter,
    Role,
    Signature,
    Table,
    Type,
)
from skillsandbox.envs.webshop.catalogue import option_name, option_value

TEXT_PARTS = ("title", "features", "description")
SECTIONS = ("description", "features", "reviews")
BOUNDS = ("within", "above")
MOST_ADDED = 20
MOST_RESULTS = 50
NOT_FOUND = MOST_RESULTS + 1
"""The rank of a product that a search does not find."""
MOST_TENTHS = 50

_PRODUCT = Parameter("product", "Product")
_PART = Parameter("part", "TextPart")
_WORDS = Parameter("words", "Text")
_QUERY = Parameter("query", "Text")
_ATTRIBUTE = Parameter("attribute", "Attribute")
_OPTION = Parameter("option", "OptionName")
_VALUE = Parameter("value", "OptionValue")
_NEW_OPTION = Parameter("option", "Text", coined=Coinage("OptionName", option_name))
_NEW_VALUE = Parameter("value", "Text", coined=Coinage("OptionValue", option_value))
_AMOUNT = Parameter("amount", "Money")
_SECTION = Parameter("section", "Section")
_RANK = Parameter("rank", "Int", range=(1, MOST_RESULTS), why=f"a search has at most {MOST_RESULTS} results")
_COUNT = Parameter(
    "count", "Int", range=(1, MOST_ADDED), why=f"up to {MOST_ADDED} products can be added at once"
)
_TENTHS = Parameter("tenths", "Int", range=(0, MOST_TENTHS), why="ratings go from 0 to 50 tenths of a star")
_WISHES = Parameter("wishes", "Wish", many=True, separator=" ")
_DIFFERENCES = Parameter("differences", "Difference", many=True, separator=" ")

_OFFERED = (
    "EXISTS (SELECT 1 FROM choice WHERE product = {product}.number AND name = {option} AND value = {value})"
)
_OFFERS = Need(_OFFERED, "a product with this option")
_PRICE_WITH = (
    "COALESCE((SELECT price FROM choice WHERE product = {product}.number AND name = {option} "
    "AND value = {value}), {product}.price)"
)


def _row(
    role: Role,
    result: str,
    symbol: str,
    syntax: str,
    summary: str,
    *parameters: Parameter,
    needs: tuple[Need, ...] = (),
) -> Signature:
    return Signature(symbol, role, syntax, summary, parameters, result, needs)


def _operation(
    symbol: str, syntax: str, summary: str, *parameters: Parameter, needs: tuple[Need, ...] = ()
) -> Signature:
    return _row(Role.OPERATION, "Configuration", symbol, syntax, summary, *parameters, needs=needs)


def _action(symbol: str, syntax: str, summary: str, *parameters: Parameter) -> Signature:
    return _row(Role.ACTION, "Command", symbol, syntax, summary, *parameters)


def _wish(symbol: str, syntax: str, summary: str, *parameters: Parameter) -> Signature:
    return _row(Role.CLAUSE, "Wish", symbol, syntax, summary, *parameters)


def _difference(symbol: str, syntax: str, summary: str, *parameters: Parameter) -> Signature:
    return _row(Role.CLAUSE, "Difference", symbol, syntax, summary, *parameters)


def _function(symbol: str, result: str, syntax: str, summary: str, *parameters: Parameter) -> Signature:
    return _row(Role.FUNCTION, result, symbol, syntax, summary, *parameters)


def _event(symbol: str, syntax: str, summary: str, *parameters: Parameter) -> Signature:
    return _row(Role.EVENT, "Bool", symbol, syntax, summary, *parameters)


_BASES = (
    _row(
        Role.BASE,
        "Configuration",
        "from_catalogue",
        "catalogue {name}",
        "start from an official catalogue, `small` or `all`, in the folder that $WEBSHOP_DATA names",
        Parameter("name", "Text"),
    ),
)

_GOALS = (
    _row(
        Role.GOAL,
        "Bool",
        "buy",
        "buy {product} {[ {wishes} ]}",
        "buy the product, or one that scores as high, so that it has all that is wished",
        _PRODUCT,
        _WISHES,
    ),
)

_WISHES_ROWS = (
    _wish("want_attribute", "attribute {attribute}", "it has the attribute", _ATTRIBUTE),
    _wish("want_option", "option {option} {value}", "it is bought with this option chosen", _OPTION, _VALUE),
    _wish("want_price", "price < {amount}", "its price is within the bound", _AMOUNT),
)

_OPERATIONS = (
    _operation(
        "add_distractor",
        "add distractor like {product} {[ {differences} ]}",
        "add a product that is like this one but for the differences",
        _PRODUCT,
        _DIFFERENCES,
    ),
    _operation(
        "add_distractors",
        "add {count} distractors like {product} {[ {differences} ]}",
        "add so many products that are like this one but for the differences",
        _COUNT,
        _PRODUCT,
        _DIFFERENCES,
    ),
    _operation(
        "alter_add",
        "alter {product}.{part} add {words}",
        "let the text end with the words: in features, as one more bullet",
        _PRODUCT,
        _PART,
        _WORDS,
    ),
    _operation(
        "alter_remove",
        "alter {product}.{part} remove {words}",
        "take the words out of the text, wherever they stand",
        _PRODUCT,
        _PART,
        _WORDS,
    ),
    _operation(
        "alter_replace",
        "alter {product}.{part} replace {words} with {others}",
        "put other words in the place of words that stand there",
        _PRODUCT,
        _PART,
        _WORDS,
        Parameter("others", "Text"),
    ),
    _operation(
        "alter_set",
        "alter {product}.{part} set {words}",
        "let the text be this: in features, a line for each bullet",
        _PRODUCT,
        _PART,
        _WORDS,
    ),
    _operation("alter_price", "alter {product}.price set {amount}", "let it cost this", _PRODUCT, _AMOUNT),
    _operation(
        "alter_price_range",
        "alter {product}.price set {lowest} to {highest}",
        "let its price be a range; what a purchase costs is drawn from it once",
        _PRODUCT,
        Parameter("lowest", "Money"),
        Parameter("highest", "Money"),
    ),
    _operation(
        "alter_rating",
        "alter {product}.rating set {tenths}",
        "let it be rated so, in tenths of a star",
        _PRODUCT,
        _TENTHS,
    ),
    _operation(
        "alter_category",
        "alter {product}.category set {category}",
        "let it stand in this department",
        _PRODUCT,
        Parameter("category", "Category"),
    ),
    _operation(
        "alter_kind",
        "alter {product}.kind set {kind}",
        "let it be of this kind",
        _PRODUCT,
        Parameter("kind", "Kind"),
    ),
    _operation(
        "add_attribute",
        "alter {product}.attributes add {attribute}",
        "list the attribute, which no page shows",
        _PRODUCT,
        _ATTRIBUTE,
    ),
    _operation(
        "remove_attribute",
        "alter {product}.attributes remove {attribute}",
        "list the attribute no more; texts stay as they are",
        _PRODUCT,
        _ATTRIBUTE,
    ),
    _operation(
        "add_option",
        "add option {option} {value} to {product}",
        "let it be had with this option too",
        _NEW_OPTION,
        _NEW_VALUE,
        _PRODUCT,
    ),
    _operation(
        "add_priced_option",
        "add option {option} {value} to {product} price {amount}",
        "let it be had with this option too, at a price of its own",
        _NEW_OPTION,
        _NEW_VALUE,
        _PRODUCT,
        _AMOUNT,
    ),
    _operation(
        "remove_option",
        "remove option {option} {value} from {product}",
        "let it be had with this option no more",
        _OPTION,
        _VALUE,
        _PRODUCT,
        needs=(_OFFERS,),
    ),
    _operation(
        "rename_option",
        "rename option {option} {value} of {product} to {name}",
        "call the option's value otherwise",
        _OPTION,
        _VALUE,
        _PRODUCT,
        Parameter("name", "Text", coined=Coinage("OptionValue", option_value)),
        needs=(_OFFERS,),
    ),
    _operation(
        "reprice_option",
        "reprice option {option} {value} of {product} to {amount}",
        "let it cost this with the option; the official site shows no prices of options",
        _OPTION,
        _VALUE,
        _PRODUCT,
        _AMOUNT,
        needs=(_OFFERS,),
    ),
    _operation(
        "withdraw_option",
        "withdraw option {option} {value} of {product}",
        "mark the option as not available; the official site lists it all the same",
        _OPTION,
        _VALUE,
        _PRODUCT,
        needs=(_OFFERS,),
    ),
    _operation(
        "move_words",
        "move {words} from {source} to {destination} of {product}",
        "move what says this to another text: a bullet or a sentence whole, of a title the words alone",
        _WORDS,
        Parameter("source", "TextPart"),
        Parameter("destination", "TextPart"),
        _PRODUCT,
    ),
    _operation("remove", "remove {product}", "take the product out of the catalogue", _PRODUCT),
    _operation(
        "rank_for_query",
        "rank {product} {rank} for query {query}",
        "let it stand at this place among the results of the query",
        _PRODUCT,
        _RANK,
        _QUERY,
    ),
    _operation(
        "rank_everywhere",
        "rank {product} {rank} for every query",
        "let it stand at this place among the results of every query that finds it",
        _PRODUCT,
        _RANK,
    ),
    _operation("change_nothing", "change nothing", "leave the catalogue as it is"),
)

_DIFFERENCES_ROWS = (
    _difference("differ_price", "price {amount}", "it costs this", _AMOUNT),
    _difference(
        "differ_with", "attribute {attribute}", "it lists the attribute, and a bullet says it", _ATTRIBUTE
    ),
    _difference(
        "differ_without",
        "without attribute {attribute}",
        "it lists no such attribute, and no text says it",
        _ATTRIBUTE,
    ),
    _difference(
        "differ_option",
        "option {option} {value}",
        "it can be had with this option too",
        _NEW_OPTION,
        _NEW_VALUE,
    ),
    _difference(
        "differ_without_option",
        "without option {option} {value}",
        "it cannot be had with this option",
        _OPTION,
        _VALUE,
    ),
    _difference("differ_title", "title {words}", "it is called this", _WORDS),
    _difference(
        "differ_wording",
        "replace {words} with {others}",
        "other words stand in the place of words, in all its texts",
        _WORDS,
        Parameter("others", "Text"),
    ),
)

_ACTIONS = (
    _action("search", "search {query}", "search for the query", _QUERY),
    _action("click", "click {caption}", "click on what has this caption", Parameter("caption", "Text")),
    _action("open", "open {product}", "open the product's page from the results", _PRODUCT),
    _action("view", "view {product} {section}", "open a section of the product's page", _PRODUCT, _SECTION),
    _action("choose", "choose {value}", "choose an option's value", Parameter("value", "Text")),
    _action("back", "back", "go back to the search page"),
    _action("next_page", "next", "go to the next page of results"),
    _action("previous", "previous", "go to the page before"),
)

_FUNCTIONS = (
    _function("nothing_bought", "Bool", "nothing bought", "nothing has been bought yet"),
    _function(
        "rank",
        "Int",
        "rank({product}, {query})",
        f"the product's place among the results of the query, from 1; {NOT_FOUND} if it is not found",
        _PRODUCT,
        _QUERY,
    ),
    _function("results", "Int", "results({query})", "how many results the query has", _QUERY),
    Signature(
        "offers",
        Role.FUNCTION,
        "offers({product}, {option}, {value})",
        "the product can be chosen with this option",
        (_PRODUCT, _OPTION, _VALUE),
        sql=_OFFERED,
        alterable=True,
    ),
    Signature(
        "available",
        Role.FUNCTION,
        "available({product}, {option}, {value})",
        "the product can be chosen with this option, and the option is not withdrawn",
        (_PRODUCT, _OPTION, _VALUE),
        sql=_OFFERED[:-1] + " AND available)",
        alterable=True,
    ),
    Signature(
        "price_with",
        Role.FUNCTION,
        "price({product}, {option}, {value})",
        "what the product costs with this option: the option's own price, if it has one",
        (_PRODUCT, _OPTION, _VALUE),
        "Money",
        sql=_PRICE_WITH,
        alterable=True,
    ),
    _function("listed", "Bool", "listed({product})", "the open page of results lists the product", _PRODUCT),
    _function(
        "listed_at",
        "Bool",
        "listed({product}, {rank})",
        "the open page of results lists the product at this place",
        _PRODUCT,
        _RANK,
    ),
    _function("on_page", "Bool", "on page({product})", "the product's page is open, or a section", _PRODUCT),
    _function("reading", "Bool", "reading({product}, {section})", "this section is open", _PRODUCT, _SECTION),
    _function(
        "chosen",
        "Bool",
        "chosen({product}, {value})",
        "the product's page is open with this value of an option chosen",
        _PRODUCT,
        Parameter("value", "Text"),
    ),
    _function(
        "sees_price",
        "Bool",
        "sees price({product}, {bound})",
        "the open page shows the product's price, and it is within the goal's bound, or above it",
        _PRODUCT,
        Parameter("bound", "Bound"),
    ),
)

_EVENTS = (
    _event("searched", "searched({query})", "the last action searched for the query", _QUERY),
    _event("searches", "searches", "the last action was a search"),
    _event("clicked", "clicked({caption})", "the last action clicked on this", Parameter("caption", "Text")),
    _event("opened", "opened({product})", "the last action opened the product's page", _PRODUCT),
    _event("viewed", "viewed({product}, {section})", "the last action opened it", _PRODUCT, _SECTION),
    _event(
        "chose",
        "chose({product}, {value})",
        "the last action chose a value of an option",
        _PRODUCT,
        Parameter("value", "Text"),
    ),
    _event("bought", "bought({product})", "the last action bought the product", _PRODUCT),
    _event("buys", "buys", "the last action bought something"),
    _event("nothing_happens", "nothing happens", "the last action did nothing"),
)

_FIELDS = (
    FieldSignature("title", "Product", "Text", "its title", "title", alterable=True),
    FieldSignature(
        "features",
        "Product",
        "Text",
        "its bullets, a line each",
        "(SELECT GROUP_CONCAT(text, CHAR(10)) FROM "
        "(SELECT text FROM bullet WHERE product = {}.number ORDER BY position))",
        alterable=True,
    ),
    FieldSignature("description", "Product", "Text", "its description", "description", alterable=True),
    FieldSignature(
        "price", "Product", "Money", "its price, the lower end of a range", "price", alterable=True
    ),
    FieldSignature(
        "highest_price", "Product", "Money", "the upper end of a range", "highest_price", alterable=True
    ),
    FieldSignature(
        "rating",
        "Product",
        "Int",
        "its rating in tenths of a star, 0 if there is none",
        "CAST(ROUND(COALESCE({}.rating, 0) * 10) AS INTEGER)",
        alterable=True,
    ),
    FieldSignature("category", "Product", "Category", "its department", "category", alterable=True),
    FieldSignature("kind", "Product", "Kind", "what sort of thing it is", "kind", alterable=True),
    FieldSignature("query", "Product", "Kind", "the same, as a query", "kind", alterable=True),
    FieldSignature(
        "attributes",
        "Product",
        "[Attribute]",
        "the attributes that it lists",
        "(SELECT name FROM attribute WHERE product = {}.number)",
        alterable=True,
    ),
    FieldSignature(
        "path",
        "Product",
        "[PathPart]",
        "the parts of its path in the shop",
        "(SELECT name FROM category WHERE path = {}.product_category)",
    ),
)


@cache
def interface() -> Interface:
    """Return the construction interface."""
    return Interface(
        types=(
            Type("Product", Table("product", "asin")),
            Type("Category", words=Table("item", "category")),
            Type("Kind", words=Table("kind", "name")),
            Type("PathPart", words=Table("category", "name")),
            Type("Attribute", words=Table("attribute_name", "name")),
            Type("OptionName", words=Table("choice_value", "name")),
            Type("OptionValue", words=Table("choice_value", "value")),
            Type("TextPart", values=TEXT_PARTS),
            Type("Section", values=SECTIONS),
            Type("Bound", values=BOUNDS),
            Type("Wish"),
            Type("Difference"),
            Type("Money"),
            Type("Int"),
            Type("Text"),
            Type("Bool"),
        ),
        fields=_FIELDS,
        signatures=(
            *_BASES,
            *_GOALS,
            *_WISHES_ROWS,
            *_OPERATIONS,
            *_DIFFERENCES_ROWS,
            *_ACTIONS,
            *_FUNCTIONS,
            *_EVENTS,
        ),
    )
