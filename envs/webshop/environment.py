"""WebShop as an environment: the one object through which the rest of the project knows it."""

from __future__ import annotations

import json
import logging
import os
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unicodedata import category

import msgspec

from skillsandbox.compiler.decoding import decoded, expected, one_of
from skillsandbox.compiler.environment import (
    Agent,
    Guidance,
    Refused,
    SourceTask,
    Split,
    Store,
    TaskSet,
    Unavailable,
)
from skillsandbox.compiler.interface import Interface
from skillsandbox.compiler.values import Binding, Entity, GroundCall, Value
from skillsandbox.envs.webshop import operations
from skillsandbox.envs.webshop.catalogue import UnknownProductError
from skillsandbox.envs.webshop.configuration import Base, Configuration
from skillsandbox.envs.webshop.episode import STEP_LIMIT
from skillsandbox.envs.webshop.goals import NO_BOUND, Goal, WantedOption
from skillsandbox.envs.webshop.interface import interface
from skillsandbox.envs.webshop.loading import OfficialFiles
from skillsandbox.envs.webshop.moment import ShopMoment
from skillsandbox.envs.webshop.operations import product_of
from skillsandbox.envs.webshop.overlay import (
    OverlaidCatalogue,
    Overlay,
    OverlayError,
    overlay_from_data,
    overlay_to_data,
)
from skillsandbox.envs.webshop.pages import BACK_TO_SEARCH, NEXT, PREVIOUS
from skillsandbox.envs.webshop.shops import open_index
from skillsandbox.envs.webshop.store import StoreError, open_official, open_store
from skillsandbox.envs.webshop.task import ShoppingTask, click_action, search_action
from skillsandbox.grammar.loader import grammar_text

log = logging.getLogger(__name__)

DATA_VARIABLE = "WEBSHOP_DATA"
"""The environment variable that names the folder with the official files."""

GENERATED = "generated"
"""The name of the project's own catalogue."""

_OFFICIAL = {
    "small": ("items_shuffle_1000.json", "items_ins_v2_1000.json", "items_human_ins.json"),
    "all": ("items_shuffle.json", "items_ins_v2.json", "items_human_ins.json"),
}
_BUTTONS = {"back": BACK_TO_SEARCH, "next_page": NEXT, "previous": PREVIOUS}
_MARKS = ("[SEP]", "[button]", "[button_]", "[clicked button]", "[clicked button_]")
"""What observations are cut up by."""


class _Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    catalogue: str
    overlay: Any


class Webshop:
    """The shopping environment of WebShop, on the project's own catalogue or an official one."""

    name = "webshop"
    step_limit = STEP_LIMIT
    memory = 5
    engines = ("native",)

    def grammar(self) -> str:
        """Return the text of WebShop's grammar."""
        return grammar_text(self.name)

    def interface(self) -> Interface:
        """Return WebShop's construction interface."""
        return interface()

    def open_store(self) -> Store:
        """Open the store of the project's own catalogue."""
        return _base(GENERATED)

    def with_base(self, store: Store, base: GroundCall) -> tuple[Store, str]:
        """Return the store of an official catalogue; it has no contexts."""
        name = str(base.arguments[0])
        if name not in _OFFICIAL:
            known = " and ".join(sorted(_OFFICIAL))
            raise Refused(f"there is no catalogue {name!r}; official ones are {known}")
        return _base(name), ""

    def start(self, store: Store, binding: Binding) -> Configuration:
        """Return the catalogue as it is."""
        assert isinstance(store, Base)
        return Configuration(store, Overlay(store.data_version))

    def apply(self, configuration: Configuration, operation: GroundCall, random: Random) -> Configuration:
        """Return the configuration after an operation; raise `Refused` where it cannot be."""
        return operations.apply(configuration, operation, random)

    def moment(self, configuration: Configuration) -> ShopMoment:
        """Return a configuration as the first moment of a run."""
        return ShopMoment(configuration)

    def command(self, configuration: Configuration, action: GroundCall) -> str:
        """Return an action as the site takes it."""
        match action:
            case GroundCall("search", (str(query),)):
                return search_action(query)
            case GroundCall("open", (Entity(key=asin),)):
                return click_action(asin)
            case GroundCall("click" | "choose", (str(caption),)) | GroundCall("view", (_, str(caption))):
                return click_action(caption)
            case _:
                return click_action(_BUTTONS[action.symbol])

    def wording_fault(self, instruction: str) -> str | None:
        """Return what in an instruction would be taken for parts of a page."""
        if any(category(character) in ("Cc", "Zl", "Zp") for character in instruction):
            return "line breaks and other control characters have no place on the page"
        found = [mark for mark in _MARKS if mark in instruction]
        return f"{found[0]} cuts up what the agent sees" if found else None

    def task(self, configuration: Configuration, goal: GroundCall, instruction: str) -> ShoppingTask:
        """Return the task of a goal; raise `Refused` where the product has been removed."""
        return ShoppingTask(configuration, _goal(configuration, goal, instruction))

    def wording(self, value: Value) -> str:
        """Return a text or number as it is, and a list with commas."""
        return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def difference(self, base: Configuration, configuration: Configuration) -> str:
        """Return what the operations changed."""
        return operations.difference(configuration.overlay)

    def dump(self, configuration: Configuration) -> Any:
        """Return a configuration as JSON data."""
        return {"catalogue": configuration.base.name, "overlay": overlay_to_data(configuration.overlay)}

    def load(self, data: Any) -> Configuration:
        """Return the configuration that `dump` wrote; raise `Refused` where its catalogue is missing or has
        changed.
        """
        saved = decoded(data, _Saved, "configuration")
        if saved.catalogue not in (GENERATED, *_OFFICIAL):
            raise expected("configuration.catalogue", one_of((GENERATED, *_OFFICIAL)), saved.catalogue)
        overlay = overlay_from_data(saved.overlay, "configuration.overlay")
        configuration = Configuration(_base(saved.catalogue), overlay)
        try:
            assert isinstance(configuration.catalogue, OverlaidCatalogue)
        except OverlayError as error:
            raise Refused(f"{error}; compile the program again") from error
        return configuration

    def folder_fault(self, folder: Path) -> str | None:
        """Return None: the official code takes its files from anywhere."""
        return None

    def source_task(self, path: Path) -> SourceTask:
        """Read the goal in a scenario's folder, or an official goal as JSON, with the product's `asin`."""
        file = path / "scenario.json" if path.is_dir() else path
        try:
            data = json.loads(file.read_text("utf-8"))
            asin = str(data["goal"]["arguments"][0]["key"] if "goal" in data else data["asin"])
            product = _base(data.get("configuration", {}).get("catalogue", GENERATED)).store.product(asin)
        except OSError as error:
            raise Refused(f"{file} cannot be read: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, UnknownProductError) as error:
            raise Refused(f"{file} names no product of the catalogue") from error
        return SourceTask(
            {
                "Product": frozenset([asin]),
                "Kind": frozenset([product.kind]),
                "Category": frozenset([product.category]),
            }
        )

    def tasks(self, split: Split) -> TaskSet:
        """Return goals of the official catalogue where it is on this machine, else of the project's own."""
        from skillsandbox.envs.webshop.tasks import tasks

        try:
            return tasks(split, _base(_tasks_catalogue()))
        except Refused as error:
            raise Unavailable(str(error)) from error

    def agent(self, guidance: Guidance | None, seed: int) -> Agent:
        """Return the shopper."""
        from skillsandbox.envs.webshop.agent import shopper

        return shopper(guidance, seed)


def _base(name: str) -> Base:
    return _opened(name, None if name == GENERATED else _official(name))


@cache
def _opened(name: str, files: OfficialFiles | None) -> Base:
    try:
        store = open_store() if files is None else open_official(files)
    except StoreError as error:
        raise Refused(str(error)) from error
    left_out = [finding for finding in store.findings() if finding.skipped]
    if left_out:
        log.warning("%s%s", left_out[0], f" (and {len(left_out) - 1:,} more)" if left_out[1:] else "")
    return Base(name, store.data_version, store, open_index(store))


def _tasks_catalogue() -> str:
    """Return the catalogue whose goals are the tasks: the largest that there is."""
    folder = os.environ.get(DATA_VARIABLE)
    if not folder:
        return GENERATED
    return "all" if (Path(folder) / _OFFICIAL["all"][0]).is_file() else "small"


def _official(name: str) -> OfficialFiles:
    folder = os.environ.get(DATA_VARIABLE)
    if not folder:
        raise Refused(f"${DATA_VARIABLE} does not name a folder with the official files")
    return OfficialFiles(*(Path(folder) / file for file in _OFFICIAL[name]))


def _goal(configuration: Configuration, goal: GroundCall, instruction: str) -> Goal:
    target, wishes = goal.arguments
    assert isinstance(target, Entity)
    assert isinstance(wishes, tuple)
    product = product_of(configuration, target.key)
    attributes, options, bounds = [], [], list[int]()
    for wish in wishes:
        match wish:
            case GroundCall("want_attribute", (str(attribute),)):
                attributes.append(attribute)
            case GroundCall("want_option", (str(name), str(value))):
                options.append(WantedOption(value, name))
            case GroundCall("want_price", (int(amount),)):
                bounds.append(amount)
    return Goal(
        asin=product.asin,
        category=product.category,
        query=product.query,
        title=product.title,
        product_category=product.product_category,
        instruction=instruction,
        attributes=tuple(dict.fromkeys(attributes)),
        options=tuple(dict.fromkeys(options)),
        price_upper=min(bounds) / 100 if bounds else NO_BOUND,
    )
