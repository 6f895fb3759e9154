"""How many requests are open at once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from threading import Barrier, Lock

from asking import Stopwatch, asks, model_at
from hypothesis import given
from hypothesis import strategies as st
from scripted import RATE_LIMITED, Answer, Received, Say, ScriptedServer

from skillsandbox.runtime.models.limiter import Limiter
from skillsandbox.runtime.models.retries import Retries


def run(work: Coroutine[object, object, None]) -> None:
    asyncio.run(work)


async def leave_for(limiter: Limiter, requests: int) -> int:
    """Return how many of so many requests are let in before the limiter makes one wait."""
    let_in = 0
    async with AsyncExitStack() as stack:
        for _ in range(requests):
            try:
                async with asyncio.timeout(0):
                    await stack.enter_async_context(limiter.slot())
            except TimeoutError:
                break
            let_in += 1
    return let_in


def test_as_many_requests_are_open_as_is_said() -> None:
    async def work() -> None:
        assert await leave_for(Limiter(8, Stopwatch()), 20) == 8

    run(work())


def test_rate_limits_of_requests_that_were_open_together_halve_the_window_once() -> None:
    async def work() -> None:
        limiter = Limiter(8, Stopwatch())
        async with limiter.slot() as one, limiter.slot() as another:
            limiter.limited(one, None)
            limiter.limited(another, None)
        assert limiter.window == 4
        assert await leave_for(limiter, 20) == 4
        async with limiter.slot() as later:
            limiter.limited(later, None)
        assert limiter.window == 2

    run(work())


def test_replies_that_fill_the_window_widen_it_by_one_up_to_the_most() -> None:
    async def work() -> None:
        limiter = Limiter(8, Stopwatch())
        async with limiter.slot() as slot:
            limiter.limited(slot, None)
        for _ in range(5):
            limiter.answered()
        assert 5 <= limiter.window < 6
        for _ in range(100):
            limiter.answered()
        assert limiter.window == 8

    run(work())


def test_nothing_is_sent_before_the_endpoint_wants_it() -> None:
    async def work() -> None:
        clock = Stopwatch()
        limiter = Limiter(8, clock)
        async with limiter.slot() as slot:
            limiter.limited(slot, 30)
        await clock.sleep(10)
        async with limiter.slot():
            assert clock.now() == 30

    run(work())


@given(st.lists(st.booleans(), max_size=60), st.integers(1, 16))
def test_the_window_never_leaves_its_bounds(limited: list[bool], most: int) -> None:
    async def work() -> None:
        limiter = Limiter(most, Stopwatch())
        for is_limited in limited:
            async with limiter.slot() as slot:
                if is_limited:
                    limiter.limited(slot, None)
                else:
                    limiter.answered()
            assert 1 <= limiter.window <= most
        assert await leave_for(limiter, most + 1) == int(limiter.window)

    run(work())


@given(st.integers(1, 20), st.integers(0, 2**32))
def test_waits_grow_and_vary_within_half(faults: int, seed: int) -> None:
    retries = Retries(first=1, longest=60)
    most = min(60, 2 ** (faults - 1))
    assert most / 2 <= retries.wait(faults, Random(seed)) <= most


def test_an_endpoint_never_has_more_requests_than_is_said(server: ScriptedServer, tmp_path: Path) -> None:
    together = Barrier(3)

    def script(request: Received) -> Answer:
        together.wait(30)
        return Say("a reply")

    server.script = script
    with model_at(server, tmp_path, concurrency=3) as opened, ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda number: opened.model.ask(asks(str(number))), range(12)))
    assert server.most_at_once == 3


def test_all_is_answered_by_an_endpoint_that_takes_two_requests_at_once(
    server: ScriptedServer, tmp_path: Path
) -> None:
    lock, open_now = Lock(), 0

    def script(request: Received) -> Answer:
        nonlocal open_now
        with lock:
            open_now += 1
            too_many = open_now > 2
        try:
            return RATE_LIMITED if too_many else Say(request.prompt)
        finally:
            with lock:
                open_now -= 1

    server.script = script
    with model_at(server, tmp_path, tries=50) as opened, ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda number: opened.model.ask(asks(str(number))).text, range(40)))
        assert opened.accounts.total().sent.requests == 40
    assert replies == [str(number) for number in range(40)]
