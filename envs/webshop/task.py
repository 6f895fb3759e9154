"""A shop with a goal as a task: run, solve, search, write out, play."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from skillsandbox.compiler.environment import Monitor, Refused, Run, Unavailable
from skillsandbox.compiler.values import Entity, Value
from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.configuration import Configuration
from skillsandbox.envs.webshop.episode import ShoppingEpisode
from skillsandbox.envs.webshop.goals import NO_BOUND, Goal
from skillsandbox.envs.webshop.moment import NO_ACT, Act, ShopMoment, act_of
from skillsandbox.envs.webshop.operations import product_of
from skillsandbox.envs.webshop.overlay import overlay_to_data
from skillsandbox.envs.webshop.pages import (
    BACK_TO_SEARCH,
    BUY_NOW,
    NEXT,
    PAGE_SIZE,
    PREVIOUS,
    Done,
    Item,
    Results,
    SubPage,
    clickables,
    sections,
)
from skillsandbox.envs.webshop.reward import Score, passing, score
from skillsandbox.envs.webshop.site import Outcome, Visit, act, enter

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

OVERLAY_FILE = "overlay.json"
NOTHING = "search[]"
"""A command that does nothing."""

SESSION = "0"
SEARCHED_STATES = 10_000
"""How many states, each a page and what is left of the check, a search for an encounter looks at."""


def search_action(query: str) -> str:
    """Return the action that searches for a query."""
    return f"search[{query}]"


def click_action(caption: str) -> str:
    """Return the action that clicks on a caption."""
    return f"click[{caption.lower()}]"


@attrs.define(frozen=True, slots=False)
class ShoppingTask:
    """A goal in a shop; it is won by a purchase of reward 1."""

    configuration: Configuration
    goal: Goal

    def goal_holds(self) -> bool:
        """Return False: nothing has been bought when a visit begins."""
        return False

    @cached_property
    def _start(self) -> Visit:
        return enter(self.goal, SESSION)

    def _act(self, visit: Visit, command: str) -> Outcome:
        """Do what a command says; after a purchase nothing does anything."""
        if isinstance(visit.page, Done):
            return Outcome(visit, effective=False)
        return act(self.configuration.shop, visit, command)

    def _moment(self, visit: Visit, act: Act = NO_ACT) -> ShopMoment:
        bound = None if self.goal.price_upper == NO_BOUND else round(self.goal.price_upper * 100)
        return ShopMoment(self.configuration, visit.page, act, bound)

    def run(self, commands: Sequence[str]) -> Run:
        """Execute commands from the start page."""
        visit = self._start
        moments, won, refused = [self._moment(visit)], [False], []
        for index, command in enumerate(commands):
            outcome = self._act(visit, command)
            moments.append(self._moment(outcome.visit, act_of(visit, command, outcome)))
            visit = outcome.visit
            won.append(is_won(visit))
            if not outcome.effective:
                refused.append(index)
        return Run(tuple(moments), tuple(won), tuple(refused))

    def _after(self, commands: Sequence[str]) -> Visit:
        visit = self._start
        for command in commands:
            visit = self._act(visit, command).visit
        return visit

    @property
    def target(self) -> Product:
        """The product that the goal was made from; `Refused` where it has been removed."""
        return product_of(self.configuration, self.goal.asin)

    @property
    def best(self) -> Score:
        """The score of buying the target with the options that the goal asks for, as far as it has them."""
        product, shop = self.target, self.configuration.shop
        chosen = dict(self._choices(product))
        return score(product, self.goal, shop.prices(product), chosen, shop.nouns)

    def _choices(self, product: Product) -> Iterator[tuple[str, str]]:
        """Yield for each wanted option the value that says it, or else one that passes for it."""
        for wanted in self.goal.options:
            name = wanted.name or ""
            values = product.option_values.get(name, ())
            chosen = wanted.value if wanted.value in values else passing(values, wanted)
            if chosen is not None:
                yield name, chosen

    def solve(self, history: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return the shortest purchase that scores 1 which the known ways of finding the target give.

        The ways: the page that the history leads to, and searches for words of the instruction, the target's
        title and kind, the wished attributes, and the queries of pins.
        """
        best = self.best
        if best.reward < 1.0:
            raise Refused("buying what the goal asks for does not score 1: " + "; ".join(best.lines()))
        visit = self._after(history)
        if isinstance(visit.page, Done):
            raise Refused("something has been bought already")
        plans = [plan for plan in self._plans(visit) if len(plan) <= limit and self._wins(visit, plan)]
        if not plans:
            raise Refused(f"no search that was tried leads to the product within {limit} steps")
        return min(plans, key=len)

    def _wins(self, visit: Visit, plan: Sequence[str]) -> bool:
        for command in plan:
            visit = self._act(visit, command).visit
        return is_won(visit)

    def _plans(self, visit: Visit) -> Iterator[tuple[str, ...]]:
        asin = self.goal.asin
        choose = tuple(click_action(value) for _, value in self._choices(self.target))
        buy = (*choose, click_action(BUY_NOW))
        match visit.page:
            case Item(product=product) if product.asin == asin:
                yield buy
            case SubPage(item=item) if item.product.asin == asin:
                yield (click_action(PREVIOUS), *buy)
            case Results(listings=listings) if any(one.product.asin == asin for one in listings):
                yield (click_action(asin), *buy)
        for query in self.likely_queries():
            found = self.configuration.shop.find(tuple(query.split(" "))).found
            if asin in found:
                pages = found.index(asin) // PAGE_SIZE
                yield (search_action(query), *(click_action(NEXT),) * pages, click_action(asin), *buy)

    def likely_queries(self) -> tuple[str, ...]:
        """Return what may be searched for to find the target."""
        product, goal = self.target, self.goal
        words = [
            *(pin.query for pin in self.configuration.overlay.pins if pin.query is not None),
            product.kind,
            *(f"{attribute} {product.kind}" for attribute in goal.attributes),
            goal.instruction,
            product.title,
        ]
        return tuple(dict.fromkeys(query for one in words if (query := searchable(one))))

    def reach(
        self, history: Sequence[str], monitor: Monitor, limit: int, focus: Collection[Value]
    ) -> tuple[str, ...]:
        """Return commands after the history that the monitor accepts, a shortest among those that make sense.

        Commands that make sense: searches for texts in focus and for what `solve` tries, clicks on products
        in focus, on their sections, their options that the focus or the goal mentions, and buttons, and one
        that does nothing. Raises `Refused` where none of the states that they lead to within the limit is
        accepted, or none of the first `SEARCHED_STATES`.
        """
        run = self.run(history)
        state = monitor.start(run.moments[0])
        for moment in run.moments[1:]:
            state = monitor.advance(state, moment)
        visit = self._after(history)
        if monitor.accepts(state):
            return ()
        return _Reaching(self, monitor, limit, _Focus.of(self, focus)).found(visit, state)

    def replay(self, commands: Sequence[str]) -> None:
        """Raise `Unavailable`: the official engine is no package that can be installed."""
        raise Unavailable(
            "the official WebShop is not a package; export the scenario and serve that to compare"
        )

    def files(self, plan: Sequence[str]) -> Mapping[str, str]:
        """Return the overlay; `export` writes what the official code serves."""
        folder = f"{self.goal.asin}-{self.configuration.catalogue.data_version[:12]}"
        return {f"{folder}/{OVERLAY_FILE}": _json(overlay_to_data(self.configuration.overlay))}

    def export(self, history: Sequence[str], plan: Sequence[str], folder: Path) -> tuple[str, ...]:
        """Write files that the official code serves; a large catalogue is cut."""
        from skillsandbox.envs.webshop.official import export_scenario

        return export_scenario(self, history, plan, folder).differences

    def episode(self, history: Sequence[str], step_limit: int, engine: str | None = None) -> ShoppingEpisode:
        """Return a fresh episode on our site."""
        return ShoppingEpisode(self.configuration.shop, self.goal, tuple(history), step_limit)

    def site(self) -> WSGIApplication:
        """Return the shop as a web site, at which this goal is shopped for."""
        from skillsandbox.envs.webshop.storefront import open_storefront

        return open_storefront(self.configuration.shop, self.goal)


def is_won(visit: Visit) -> bool:
    """Say whether a visit has ended with what the goal asks for."""
    return isinstance(visit.page, Done) and visit.page.score.reward == 1.0


def searchable(text: str) -> str:
    """Return a text as it can stand in a search: on one line, without the brackets that end an action."""
    return " ".join(text.replace("[", " ").replace("]", " ").split()).lower()


def _json(value: Any) -> str:
    return json.dumps(value, indent=1) + "\n"


@attrs.frozen
class _Focus:
    """What a search for an encounter tries: queries, products to open, and captions to click."""

    queries: tuple[str, ...]
    products: frozenset[str]
    captions: frozenset[str]

    @classmethod
    def of(cls, task: ShoppingTask, focus: Collection[Value]) -> _Focus:
        texts = [one for one in focus if isinstance(one, str)]
        keys = [one.key for one in focus if isinstance(one, Entity)]
        catalogue = task.configuration.catalogue
        titles = [catalogue.product(key).title for key in keys if key in catalogue]
        options = [option.value for option in task.goal.options]
        words = [searchable(one) for one in (*texts, *titles)]
        return cls(
            tuple(dict.fromkeys((*filter(None, words), *task.likely_queries()))),
            frozenset(key.lower() for key in (*keys, task.goal.asin)),
            frozenset(text.lower() for text in (*texts, *options)),
        )

    def commands(self, visit: Visit) -> Iterator[str]:
        """Yield what makes sense on a page; beyond an empty page of results others are as empty."""
        page = visit.page
        fixed = {PREVIOUS.lower(), NEXT.lower(), BACK_TO_SEARCH.lower(), BUY_NOW.lower()}
        if isinstance(page, Item):
            fixed |= {section.value.lower() for section in sections(page)}
        if isinstance(page, Results) and not page.listings:
            fixed = {BACK_TO_SEARCH.lower()}
        wanted = fixed | self.products | self.captions
        yield from (click_action(caption) for caption in clickables(page) if caption in wanted)
        if not isinstance(page, Done):
            yield from (search_action(query) for query in self.queries)
            yield NOTHING


@attrs.frozen
class _Reaching:
    """A breadth-first search for commands that a monitor accepts."""

    task: ShoppingTask
    monitor: Monitor
    limit: int
    focus: _Focus

    def found(self, visit: Visit, state: Hashable) -> tuple[str, ...]:
        met = {(_unmarked(visit), state)}
        queue = deque([(_unmarked(visit), state, tuple[str, ...]())])
        while queue:
            visit, state, commands = queue.popleft()
            if len(commands) == self.limit:
                raise Refused(f"not found within {self.limit} steps, which lead to {len(met):,} states")
            for command in self.focus.commands(visit):
                outcome = self.task._act(visit, command)
                after_visit = _unmarked(outcome.visit)
                moment = self.task._moment(after_visit, act_of(visit, command, outcome))
                after = self.monitor.advance(state, moment)
                if self.monitor.accepts(after):
                    return (*commands, command)
                if (after_visit, after) not in met:
                    met.add((after_visit, after))
                    queue.append((after_visit, after, (*commands, command)))
            if len(met) > SEARCHED_STATES:
                raise Refused(f"not found within {SEARCHED_STATES:,} states")
        raise Refused(f"not found: it holds in none of the {len(met):,} states that commands lead to")


def _unmarked(visit: Visit) -> Visit:
    """Return a visit that does not remember which products were opened, of which no check speaks."""
    return attrs.evolve(visit, visited=frozenset())
