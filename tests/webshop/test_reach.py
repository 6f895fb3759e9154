"""Searching for a run that satisfies an encounter check: what is found, and what is said where nothing is."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import attrs
import pytest
from small_task import BASE, ENTITY, KIN, PRODUCTS, TARGET, VALUE, task

from skillsandbox.compiler.environment import Moment, Refused
from skillsandbox.compiler.values import Entity, GroundCall, Value
from skillsandbox.envs.webshop import task as tasks

RIVAL = Entity("Product", KIN[0].asin)
LIMIT = 15
PLENTY = next(
    word for one in PRODUCTS for word in one.title.lower().split() if len(BASE.index.search(word)) > 14
)
"""A word that many titles have."""


@attrs.frozen
class Holds:
    """A monitor that accepts runs in which so many moments, in a row or not, satisfy a condition."""

    condition: Callable[[Moment], Value]
    times: int = 1

    def start(self, moment: Moment) -> Hashable:
        return self.advance(0, moment)

    def advance(self, state: int, moment: Moment) -> int:
        return min(self.times, state + bool(self.condition(moment)))

    def accepts(self, state: int) -> bool:
        return state == self.times


def call(symbol: str, *arguments: Value) -> Callable[[Moment], Value]:
    return lambda moment: moment.call(symbol, arguments)


CHECKS: dict[str, tuple[Callable[[Moment], Value], int]] = {
    "a search": (call("searches"), 1),
    "the target listed": (call("listed", ENTITY), 1),
    "the target opened": (call("opened", ENTITY), 2),
    "a section read": (call("viewed", ENTITY, "reviews"), 3),
    "an option chosen": (call("chose", ENTITY, VALUE), 3),
    "the next page": (call("clicked", "next >"), 2),
    "a rival bought": (call("bought", RIVAL), 3),
    "nothing": (call("nothing_happens"), 1),
    "the 14th place": (call("listed_at", RIVAL, 14), 2),
}


@pytest.mark.parametrize("name", CHECKS)
def test_a_shortest_run_is_found(name: str) -> None:
    condition, steps = CHECKS[name]
    one = task([GroundCall("rank_for_query", (RIVAL, 14, PLENTY))])
    commands = one.reach((), Holds(condition), LIMIT, (ENTITY, RIVAL, PLENTY))

    assert len(commands) == steps
    assert condition(one.run(commands).moments[-1])


def test_a_run_continues_the_history() -> None:
    history = (f"search[{TARGET.title.lower()}]", f"click[{TARGET.asin.lower()}]")
    commands = task([]).reach(history, Holds(call("viewed", ENTITY, "features")), LIMIT, (ENTITY,))
    assert commands == ("click[features]",)


def test_nothing_is_to_be_done_where_the_history_satisfies_the_check() -> None:
    history = ("search[anything]",)
    assert task([]).reach(history, Holds(call("searches")), LIMIT, ()) == ()


def test_a_long_run_is_found() -> None:
    commands = task([]).reach((), Holds(call("opened", ENTITY), times=5), LIMIT, (ENTITY,))
    assert len(commands) == 10


def test_where_no_state_satisfies_the_check_it_is_said_how_many_there_are() -> None:
    with pytest.raises(
        Refused, match=r"^not found: it holds in none of the \d+ states that commands lead to$"
    ):
        task([]).reach((), Holds(call("listed_at", ENTITY, 60)), LIMIT, (ENTITY,))


def test_the_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SEARCHED_STATES", 10)
    with pytest.raises(Refused, match=r"^not found within 10 states$"):
        task([]).reach((), Holds(call("listed_at", ENTITY, 60)), LIMIT, (ENTITY,))


def test_runs_are_no_longer_than_an_episode() -> None:
    with pytest.raises(Refused, match=r"^not found within 1 steps, which lead to"):
        task([]).reach((), Holds(call("opened", ENTITY)), 1, (ENTITY,))


def test_states_do_not_multiply_by_what_was_opened_before() -> None:
    """Of n products each may have been opened or not; no check speaks of it, so n pages remain."""
    focus = tuple(Entity("Product", one.asin) for one in PRODUCTS[:8])
    with pytest.raises(Refused) as refused:
        task([]).reach((), Holds(call("listed_at", ENTITY, 60)), LIMIT, focus)
    assert int(str(refused.value).split()[8].replace(",", "")) < 1_000
