"""Handing a scenario to the official code: files that it serves, and what it has to be told beside them.

The official formats hold products and instructions. They do not hold a goal's bound on the price, which the
official code draws, nor what a product costs whose price is a range; these stand in `export.json`. The
official search engine knows no fixed places: pins are brought about by what it indexes (`places`), for the
queries that the scenario is solved with.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import attrs

from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.files import write_whole
from skillsandbox.envs.webshop.catalogue import (
    Catalogue,
    HumanInstruction,
    MemoryCatalogue,
    Product,
    index_text,
)
from skillsandbox.envs.webshop.configuration import Configuration
from skillsandbox.envs.webshop.episode import STEP_LIMIT
from skillsandbox.envs.webshop.export import export_annotation, export_instructions, export_record, writing
from skillsandbox.envs.webshop.goals import Goal
from skillsandbox.envs.webshop.index import MOST_HITS, Index
from skillsandbox.envs.webshop.overlay import Overlay
from skillsandbox.envs.webshop.pages import PAGE_SIZE
from skillsandbox.envs.webshop.places import placing_texts
from skillsandbox.envs.webshop.site import parse_action
from skillsandbox.envs.webshop.task import ShoppingTask

MOST_PRODUCTS = 2_000
"""How many products an export has unless more are asked for; the official code loads so many in a second."""

NOTE_FILE = "export.json"
DOCUMENTS_FILE = "documents.jsonl"


@attrs.frozen
class Export:
    """What was written, and what the official code does otherwise than our site."""

    folder: Path
    products: int
    plan: tuple[str, ...]
    differences: tuple[str, ...]


@attrs.frozen
class _Stock:
    """A catalogue that is in no data store, with its index."""

    name: str
    store: Catalogue
    index: Index

    @property
    def data_version(self) -> str:
        """A hash of the products."""
        return self.store.data_version


def export_scenario(
    task: ShoppingTask, history: Sequence[str], plan: Sequence[str], folder: Path, most: int = MOST_PRODUCTS
) -> Export:
    """Write a task as files that the official code serves.

    A catalogue of more than `most` products is cut: what the scenario names stays, what history, plan and
    likely queries find, and of the rest the first ones. A plan that does not win in what is written is made
    anew.

    Raises:
        Refused: the official code cannot serve the task; the message says why.
        OSError: the folder cannot be written.
    """
    if not task.goal.attributes:
        raise Refused("the official code divides by zero unless a goal asks for an attribute; add one")
    whole = len(task.configuration.catalogue) <= most
    posed = task if whole else _cut(task, (*history, *plan), most)
    plan = _plan(posed, history, plan)
    texts = _texts(posed, history, plan)
    served = _served(posed, texts)
    plan = _plan(served, history, plan)
    prices = _write(posed, texts, folder)
    differences = (*_general(task, posed, texts), *_on_the_way(task, served, (*history, *plan)))
    note = {
        "goal": official_goal(task.goal),
        "prices": prices,
        "history": list(history),
        "plan": list(plan),
        "differences": list(differences),
    }
    write_whole(folder / NOTE_FILE, json.dumps(note, indent=1) + "\n")
    return Export(folder, len(posed.configuration.catalogue), plan, differences)


def _plan(task: ShoppingTask, history: Sequence[str], plan: Sequence[str]) -> tuple[str, ...]:
    """Return the plan if it wins, or another one that does."""
    won = task.run((*history, *plan)).won[-1]
    return tuple(plan) if won else task.solve(history, STEP_LIMIT)


def official_goal(goal: Goal) -> dict[str, Any]:
    """Return a goal as the official code has it in memory."""
    named = {option.name: option.value for option in goal.options if option.name is not None}
    return {
        "asin": goal.asin,
        "category": goal.category,
        "query": goal.query,
        "name": goal.title,
        "product_category": goal.product_category,
        "instruction_text": goal.instruction,
        "attributes": list(goal.attributes),
        "price_upper": goal.price_upper,
        "goal_options": named if named else [option.value for option in goal.options],
        "weight": 1,
    }


def _queries(commands: Sequence[str]) -> tuple[str, ...]:
    """Return what is searched for, as the site hands it to its search."""
    actions = (parse_action(command) for command in commands)
    return tuple(dict.fromkeys(action[1] for action in actions if action and action[0] == "search"))


def _texts(task: ShoppingTask, history: Sequence[str], plan: Sequence[str]) -> dict[str, str]:
    """Return the texts to index in the place of products' own, so that queries find them where pins say.

    Where all that the queries of history, plan and pins find cannot have its place, what is on the pages with
    pins has, and at last without the queries of the plan, which is then made anew.
    """
    pins = task.configuration.overlay.pins
    named = (*_queries(history), *(pin.query for pin in pins if pin.query is not None))
    asked = (*_queries(plan), *named)
    pages = max((-(-pin.rank // PAGE_SIZE) for pin in pins), default=0)
    attempts = [(asked, MOST_HITS), (asked, pages * PAGE_SIZE)]
    if named:
        attempts.append((named, pages * PAGE_SIZE))
    for queries, places in attempts:
        try:
            return _placing(task, queries, places)
        except Refused as error:
            refusal = error
    raise refusal


def _placing(task: ShoppingTask, queries: Sequence[str], places: int) -> dict[str, str]:
    configuration = task.configuration
    return placing_texts(
        configuration.search.unpinned,
        {query: configuration.search(query)[:places] for query in queries},
        [pin.asin for pin in configuration.overlay.pins],
        lambda asin: index_text(configuration.catalogue.product(asin)),
    )


def _served(task: ShoppingTask, texts: Mapping[str, str]) -> ShoppingTask:
    """Return the task as the official code poses it: edits are in the catalogue, and there are no pins."""
    configuration = task.configuration
    index = configuration.search.unpinned.edited(texts)
    stock = _Stock(configuration.base.name, configuration.catalogue, index)
    return attrs.evolve(task, configuration=Configuration(stock, Overlay(stock.data_version)))


# What is otherwise


def _general(task: ShoppingTask, posed: ShoppingTask, texts: Mapping[str, str]) -> Iterator[str]:
    there, here = len(task.configuration.catalogue), len(posed.configuration.catalogue)
    if here < there:
        yield f"{here:,} of {there:,} products are there, so that queries find others, in another order"
    if texts:
        yield f"{', '.join(sorted(texts))} may have other places for queries that no pin and no plan has"
    for pin in posed.configuration.overlay.pins:
        if pin.query is None:
            yield f"{pin.asin} is in place {pin.rank} for the queries of the plan alone"


def _on_the_way(task: ShoppingTask, served: ShoppingTask, commands: Sequence[str]) -> Iterator[str]:
    """Yield after which commands the official code shows another page."""
    ours, theirs = (_pages(one, commands) for one in (task, served))
    for command, here, there in zip(commands, ours, theirs, strict=True):
        if here != there:
            yield f"after {command} the page is another one"


def _pages(task: ShoppingTask, commands: Sequence[str]) -> list[str]:
    episode = task.episode((), len(commands))
    episode.reset()
    return [episode.step(command).observation for command in commands]


# Writing


def _write(task: ShoppingTask, texts: Mapping[str, str], folder: Path) -> dict[str, float]:
    """Write products and documents; return what products with a range of prices cost, in dollars."""
    prices = {}
    documents = folder / f".{DOCUMENTS_FILE}.draft"
    folder.mkdir(parents=True, exist_ok=True)
    # Without the note, which comes last, nobody takes the files for an export.
    (folder / NOTE_FILE).unlink(missing_ok=True)
    try:
        with writing(folder) as writer, documents.open("w", encoding="ascii") as file:
            for product in task.configuration.catalogue.products():
                one = _with_goal(product, task.goal)
                writer.add(export_record(one), export_annotation(one), export_instructions(one))
                contents = texts.get(one.asin, index_text(one))
                file.write(json.dumps({"id": one.asin, "contents": contents}) + "\n")
                if len(one.prices) > 1:
                    prices[one.asin] = task.configuration.shop.prices(one)
        documents.replace(folder / DOCUMENTS_FILE)
    finally:
        documents.unlink(missing_ok=True)
    return prices


def _with_goal(product: Product, goal: Goal) -> Product:
    """Return a product with the goal as its human instruction if it is the goal's, otherwise with none."""
    if product.asin != goal.asin:
        return attrs.evolve(product, human=())
    values = tuple(option.value for option in goal.options)
    return attrs.evolve(product, human=(HumanInstruction(goal.instruction, goal.attributes, values),))


# Cutting a catalogue


def _cut(task: ShoppingTask, commands: Sequence[str], most: int) -> ShoppingTask:
    """Return the task on a base of fewer products."""
    configuration = task.configuration
    base, overlay = configuration.base, configuration.overlay
    patches = configuration.catalogue.patches
    own = (task.goal.asin, *(patch.like for patch in patches.values()), *sorted(overlay.removed))
    pinned = (pin.asin for pin in overlay.pins if pin.asin not in patches)
    needed = dict.fromkeys((*own, *pinned))
    if len(needed) > most:
        raise Refused(
            f"the scenario needs {len(needed)} products of the catalogue, more than are to be written"
        )
    queries = dict.fromkeys((*_queries(commands), *task.likely_queries()))
    found = (asin for query in queries for asin in _found(configuration, query) if asin in base.store)
    kept = islice(dict.fromkeys(chain(needed, found, base.store.asins())), most)
    products = MemoryCatalogue(map(base.store.product, kept))
    index = Index.of((one.asin, index_text(one)) for one in products.products())
    stock = _Stock(base.name, products, index)
    own_overlay = attrs.evolve(overlay, base=stock.data_version)
    return attrs.evolve(task, configuration=Configuration(stock, own_overlay))


def _found(configuration: Configuration, query: str) -> Iterator[str]:
    """Yield what a query finds with and without the overlay."""
    yield from configuration.search(query)
    yield from (hit.id for hit in configuration.base.index.search(query))
