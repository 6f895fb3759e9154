"""Playing a goal in the shop, one agent at a time: observations, admissible actions, step limit."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import attrs

from skillsandbox.compiler.environment import Exchange, Family, Frame, Refused
from skillsandbox.envs.webshop.goals import Goal
from skillsandbox.envs.webshop.markup import html
from skillsandbox.envs.webshop.pages import SEARCH, Page, Start, clickables, text, text_rich, url
from skillsandbox.envs.webshop.site import Shop, Visit, act, enter

STEP_LIMIT = 15
"""Steps after which an episode is over, counting actions that do nothing."""

SEARCH_ACTION = "search[<your query>]"
"""Stands among the admissible actions for every search."""

SEARCHES = Family(SEARCH_ACTION, r"search\[[^\[\]\n]+\]")
"""The searches that are admissible: brackets among the words would find nothing more."""


class EpisodeError(Exception):
    """An episode cannot go on; the message says why."""


class ObservationMode(Enum):
    """What an agent sees of a page: the names are the official ones."""

    TEXT = "text"
    TEXT_RICH = "text_rich"
    HTML = "html"
    URL = "url"

    @property
    def render(self) -> Callable[[Page], str]:
        """The function from a page to the observation."""
        return _RENDERERS[self]


_RENDERERS: dict[ObservationMode, Callable[[Page], str]] = {
    ObservationMode.TEXT: text,
    ObservationMode.TEXT_RICH: text_rich,
    ObservationMode.HTML: html,
    ObservationMode.URL: url,
}


def admissible(page: Page) -> tuple[str, ...]:
    """Return the actions that a page offers, in the official order.

    A search, which works on every page, is listed where there is a search box.
    """
    clicks = tuple(f"click[{caption}]" for caption in clickables(page) if caption)
    if isinstance(page, Start):
        return (SEARCH_ACTION, *(click for click in clicks if click != f"click[{SEARCH.lower()}]"))
    return clicks


@attrs.define
class ShoppingEpisode:
    """One play of a goal; it ends with a purchase or at the step limit.

    `session` is the visit's name in addresses. The reward comes with the purchase, 0 until then.
    """

    _shop: Shop
    _goal: Goal
    _commands: tuple[str, ...] = ()
    _limit: int = attrs.field(default=STEP_LIMIT, validator=attrs.validators.ge(1))
    _mode: ObservationMode = ObservationMode.TEXT
    _session: str = "0"
    _visit: Visit | None = attrs.field(default=None, init=False)
    _left: int = attrs.field(default=0, init=False)
    _history: tuple[Exchange, ...] = attrs.field(default=(), init=False)
    _purchased: bool = attrs.field(default=False, init=False)

    @property
    def history(self) -> tuple[Exchange, ...]:
        """What was executed before the first step; known after `reset`."""
        return self._history

    @property
    def purchased(self) -> bool:
        """Whether something was bought, be it what was wanted or not."""
        return self._purchased

    @property
    def visit(self) -> Visit:
        """The visit as it stands.

        Raises:
            EpisodeError: the episode has not begun.
        """
        if self._visit is None:
            raise EpisodeError("the episode has not begun: reset it first")
        return self._visit

    def reset(self) -> Frame:
        """Start afresh, execute the history, which takes no steps, and return the first frame.

        Raises:
            Refused: the history makes a purchase.
        """
        self._visit, exchanges = enter(self._goal, self._session), []
        for command in self._commands:
            exchanges.append(Exchange(self._mode.render(self._visit.page), command))
            outcome = act(self._shop, self._visit, command)
            if outcome.done:
                raise Refused(f"the history makes a purchase: {command}")
            self._visit = outcome.visit
        self._history, self._left, self._purchased = tuple(exchanges), self._limit, False
        return self._frame(self._visit, reward=0.0, done=False)

    def step(self, command: str) -> Frame:
        """Execute one action; one that does nothing takes a step too.

        Raises:
            EpisodeError: the episode has not begun, or is over.
        """
        outcome = act(self._shop, self._playing(), command)
        self._visit, self._purchased, self._left = outcome.visit, outcome.done, self._left - 1
        return self._frame(outcome.visit, outcome.reward, done=outcome.done or self._left == 0)

    def close(self) -> None:
        """Nothing is held that needs freeing."""

    def _playing(self) -> Visit:
        visit = self.visit
        if self._purchased or self._left == 0:
            raise EpisodeError("the episode is over: reset it to play again")
        return visit

    def _frame(self, visit: Visit, reward: float, *, done: bool) -> Frame:
        return Frame(
            observation=self._mode.render(visit.page),
            admissible=admissible(visit.page),
            won=self._purchased and reward == 1.0,
            done=done,
            reward=reward,
            families=(SEARCHES,) if isinstance(visit.page, Start) else (),
        )
