"""Episodes: steps, limits and histories; the same in Gymnasium."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_shop import backpacks, goal, shop

from skillsandbox.compiler.environment import Exchange, Refused
from skillsandbox.envs.webshop.episode import (
    SEARCH_ACTION,
    SEARCHES,
    STEP_LIMIT,
    EpisodeError,
    ObservationMode,
    ShoppingEpisode,
)
from skillsandbox.envs.webshop.markup import html
from skillsandbox.envs.webshop.pages import Start, text, text_rich, url
from skillsandbox.envs.webshop.site import act, enter

BACKPACKS = backpacks(3)
SHOP = shop(*BACKPACKS)
GOAL = goal(BACKPACKS[0])
WAY = ("search[backpack]", "click[b000000000]", "click[red]", "click[buy now]")


def episode(
    *history: str, limit: int = STEP_LIMIT, mode: ObservationMode = ObservationMode.TEXT
) -> ShoppingEpisode:
    return ShoppingEpisode(SHOP, GOAL, history, limit, mode)


def test_the_limit_is_the_official_one() -> None:
    assert STEP_LIMIT == 15


def test_a_purchase_of_what_was_wanted_wins() -> None:
    playing = episode()
    frames = [playing.reset(), *map(playing.step, WAY)]
    assert [(frame.reward, frame.won, frame.done) for frame in frames] == [(0.0, False, False)] * 4 + [
        (1.0, True, True)
    ]
    assert playing.purchased
    assert frames[-1].admissible == ()


def test_a_purchase_of_something_else_ends_the_episode_unwon() -> None:
    playing = episode()
    playing.reset()
    frames = list(map(playing.step, ("search[backpack]", "click[b000000001]", "click[buy now]")))
    assert (frames[-1].reward, frames[-1].won, frames[-1].done) == (pytest.approx(2 / 3), False, True)


def test_actions_that_do_nothing_take_steps_until_the_limit() -> None:
    playing = episode(limit=3)
    playing.reset()
    frames = [playing.step("look around") for _ in range(3)]
    assert [frame.done for frame in frames] == [False, False, True]
    assert not playing.purchased
    with pytest.raises(EpisodeError, match="over"):
        playing.step("search[backpack]")


def test_nothing_can_be_done_before_the_reset_or_after_the_purchase() -> None:
    playing = episode()
    with pytest.raises(EpisodeError, match="not begun"):
        playing.step("search[backpack]")
    playing.reset()
    for action in WAY:
        playing.step(action)
    with pytest.raises(EpisodeError, match="over"):
        playing.step("search[backpack]")


def test_a_reset_forgets_everything() -> None:
    playing = episode()
    first = playing.reset()
    played = list(map(playing.step, WAY))
    assert playing.reset() == first
    assert list(map(playing.step, WAY)) == played


def test_a_history_takes_no_steps_and_is_told() -> None:
    playing = episode(*WAY[:2], limit=2)
    frame = playing.reset()
    start = episode().reset()
    assert [exchange.action for exchange in playing.history] == list(WAY[:2])
    assert playing.history[0] == Exchange(start.observation, WAY[0])
    assert not frame.done
    assert playing.step(WAY[2]).done is False
    assert playing.step(WAY[3]).won


def test_a_history_that_buys_is_refused() -> None:
    with pytest.raises(Refused, match="purchase"):
        episode(*WAY).reset()


def test_what_is_admissible_stands_in_the_official_order() -> None:
    playing = episode()
    assert playing.reset().admissible == (SEARCH_ACTION,)
    assert playing.step(WAY[0]).admissible[:3] == (
        "click[back to search]",
        "click[next >]",
        "click[b000000000]",
    )


def test_every_search_is_admissible_where_there_is_a_search_box_and_nowhere_else() -> None:
    playing = episode()
    start = playing.reset()
    assert start.families == (SEARCHES,)
    assert SEARCHES.form in start.admissible
    assert all(map(start.admits, ("search[backpack]", "search[red backpack, under $50]", "search[バッグ]")))
    assert not any(
        map(start.admits, ("search[]", "search[a]b]", "search[a\nb]", "Search[a]", "click[search]"))
    )
    results = playing.step(WAY[0])
    assert results.families == ()
    assert results.admits(WAY[1])
    assert not results.admits("search[backpack]")


@given(st.from_regex(SEARCHES.pattern, fullmatch=True), st.from_regex(SEARCHES.pattern, fullmatch=True))
def test_a_search_that_is_admissible_does_something(first: str, second: str) -> None:
    visit = act(SHOP, enter(GOAL, "0"), first)
    assert visit.effective
    assert not isinstance(visit.visit.page, Start)
    assert act(SHOP, visit.visit, second).effective


@pytest.mark.parametrize(
    ("mode", "render"),
    [
        (ObservationMode("text"), text),
        (ObservationMode("text_rich"), text_rich),
        (ObservationMode("html"), html),
        (ObservationMode("url"), url),
    ],
)
def test_observations_are_in_the_mode_that_was_asked_for(mode: ObservationMode, render: object) -> None:
    playing = episode(mode=mode)
    assert playing.reset().observation == render(playing.visit.page)  # type: ignore[operator]
    assert playing.step(WAY[0]).observation == render(playing.visit.page)  # type: ignore[operator]


# Gymnasium


@pytest.mark.parametrize(
    ("name", "entry_point"),
    [
        ("WebShop-v0", "skillsandbox.envs.webshop.gym:make"),
        ("ALFWorld-v0", "skillsandbox.envs.alfworld.gym:make"),
    ],
)
def test_gymnasium_finds_nothing_to_complain_of(name: str, entry_point: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from skillsandbox.envs.gym import register

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if f"skillsandbox/{name}" not in gymnasium.registry:
            register(name, entry_point)
        environment = gymnasium.make(f"skillsandbox/{name}", render_mode="ansi")
        check_env(environment.unwrapped)
        environment.reset(seed=1)
        environment.step("search[bag]")
        environment.close()


def test_a_purchase_terminates_and_the_limit_truncates() -> None:
    pytest.importorskip("gymnasium")
    from skillsandbox.envs.webshop.gym import environment_of

    bought = environment_of(lambda random, options: episode())
    _, shown = bought.reset(seed=0)
    assert shown["families"] == {SEARCHES.form: SEARCHES.pattern}
    for action in ("search[backpack]", "click[b000000001]"):
        bought.step(action)
    assert bought.step("click[buy now]")[1:4] == (pytest.approx(2 / 3), True, False)
    slow = environment_of(lambda random, options: episode(limit=1))
    slow.reset(seed=0)
    _, reward, terminated, truncated, info = slow.step("wait")
    assert (reward, terminated, truncated, info["won"]) == (0.0, False, True, False)
