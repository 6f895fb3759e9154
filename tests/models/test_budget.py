"""A run's budget: it is never exceeded, it holds over interruptions, and a larger one continues the run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from threading import Barrier, Lock

import pytest
from asking import asks, model_at, scripted_options
from hypothesis import given
from hypothesis import strategies as st
from scripted import Received, Say, ScriptedServer

from skillsandbox.runtime.models.accounting import Price, Tally
from skillsandbox.runtime.models.budget import Amount, Budget, Limits, amount
from skillsandbox.runtime.models.client import opened as opened_for
from skillsandbox.runtime.models.request import BudgetSpent, ModelFault, Role, Usage

BOUND = 1 + 16 + 64 + 50
"""The most that a request of `asks` can take whose prompt is one character."""
TAKEN = 15
PRICE = Price(Decimal(1_000_000), Decimal(2_000_000))
"""One dollar a token of prompts, two of completions."""


def answered(request: Received) -> Say:
    return Say(request.prompt, prompt_tokens=10, completion_tokens=5)


@given(st.lists(st.tuples(st.integers(0, 40), st.floats(0, 1)), max_size=30), st.integers(1, 300))
def test_what_is_used_and_reserved_never_exceeds_the_limit(
    requests: list[tuple[int, float]], limit: int
) -> None:
    budget = Budget(Limits(tokens=limit))
    for most, share in requests:
        spent = budget.used.tokens + most > limit
        try:
            with budget.reserve(Usage(most, 0)):
                budget.use(Usage(int(most * share), 0))
        except BudgetSpent:
            assert spent
        else:
            assert not spent
        assert budget.used.tokens <= limit


def test_a_request_waits_for_those_that_are_open_before_the_budget_is_spent() -> None:
    budget = Budget(Limits(tokens=100))
    with ThreadPoolExecutor() as pool:
        with budget.reserve(Usage(80, 0)):
            waiting = pool.submit(lambda: budget.reserve(Usage(80, 0)).__enter__())
            budget.use(Usage(10, 0))
        waiting.result(30)
    assert budget.used == Amount(10)


@given(st.lists(st.integers(0, 1000), max_size=5), st.decimals(0, 10, places=4))
def test_an_unknown_cost_is_no_money(tokens: list[int], cost: Decimal) -> None:
    assert amount(Usage(3, 4, 0, None)) == Amount(7)
    assert amount(Usage(3, 4, 0, cost)) == Amount(7, cost)


def test_a_budget_of_tokens_ends_a_run_before_it_is_exceeded(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = answered
    with model_at(server, tmp_path, run="run", budget_tokens=BOUND + 2 * TAKEN) as opened:
        for prompt in "abc":
            opened.model.ask(asks(prompt))
        with pytest.raises(BudgetSpent, match=rf"used 45 of {BOUND + 30} tokens.*may take {BOUND}\."):
            opened.model.ask(asks("d"))
        assert opened.model.ask(asks("a")).text == "a", "what is answered stays answered"
    assert len(server.completions) == 3


def test_a_budget_in_dollars_ends_a_run_before_it_is_exceeded(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = answered
    bound = PRICE.of(81, 50)
    with model_at(server, tmp_path, run="run", price=PRICE, budget_dollars=bound + 20) as opened:
        assert opened.model.ask(asks("a")).usage.cost == 20
        opened.model.ask(asks("b"))
        with pytest.raises(BudgetSpent, match=r"used 40\.0000 of 201 US dollars.*--budget-dollars"):
            opened.model.ask(asks("c"))


def test_a_budget_in_dollars_needs_a_price(server: ScriptedServer, tmp_path: Path) -> None:
    with (
        pytest.raises(ModelFault, match="--price"),
        model_at(server, tmp_path, budget_dollars=Decimal(1)),
    ):
        pass


def test_litellm_knows_the_prices_of_well_known_models(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [Say("a reply", prompt_tokens=1000, completion_tokens=100)]
    with model_at(server, tmp_path, model="openai/gpt-4o-mini", budget_dollars=Decimal(1)) as opened:
        assert opened.price == Price(Decimal("0.15"), Decimal("0.6"))
        assert opened.model.ask(asks()).usage.cost == opened.price.of(1000, 100)


def test_open_requests_together_cannot_exceed_the_budget(server: ScriptedServer, tmp_path: Path) -> None:
    together = Barrier(2)

    def script(request: Received) -> Say:
        together.wait(30)
        return answered(request)

    server.script = script
    spent, lock = 0, Lock()

    def ask(number: int) -> None:
        nonlocal spent
        try:
            opened.model.ask(asks(chr(ord("a") + number)))
        except BudgetSpent:
            with lock:
                spent += 1

    limit = 2 * BOUND + 2 * TAKEN
    with model_at(server, tmp_path, budget_tokens=limit, concurrency=8) as opened:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(ask, range(4)))
        assert server.most_at_once == 2, "the bounds of two requests fit at once"
        assert spent == 0
        assert opened.accounts.total().used.usage.prompt_tokens == 40


def test_what_an_interrupted_run_used_counts_when_it_goes_on(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = answered
    with model_at(server, tmp_path, run="run", budget_tokens=BOUND) as opened:
        opened.model.ask(asks("a"))
    with model_at(server, tmp_path, run="run", budget_tokens=BOUND) as opened:
        with pytest.raises(BudgetSpent):
            opened.model.ask(asks("b"))
        assert opened.accounts.snapshot()[Role.EXECUTOR].used.requests == 1
    with model_at(server, tmp_path, run="another", budget_tokens=BOUND) as opened:
        opened.model.ask(asks("b"))


def test_kept_replies_count_as_used_by_a_run_but_not_as_sent(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = answered
    with model_at(server, tmp_path, run="first") as opened:
        opened.model.ask(asks("a"))
    with model_at(server, tmp_path, run="second", budget_tokens=TAKEN) as opened:
        opened.model.ask(asks("a"))
        account = opened.accounts.total()
        assert (account.used, account.sent, account.hits) == (Tally(1, Usage(10, 5)), Tally(), 1)
        with pytest.raises(BudgetSpent):
            opened.model.ask(asks("b"))


def test_a_run_that_a_budget_stopped_uses_in_all_what_an_uninterrupted_one_does(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = answered
    prompts = "abcdef"
    with model_at(server, tmp_path / "one", run="run") as opened:
        for prompt in prompts:
            opened.model.ask(asks(prompt))
        whole = opened.accounts.total().used
    sent = 0
    for budget in (BOUND, BOUND + 2 * TAKEN, BOUND + 10 * TAKEN):
        with model_at(server, tmp_path / "two", run="run", budget_tokens=budget) as opened:
            try:
                for prompt in prompts:
                    opened.model.ask(asks(prompt))
            except BudgetSpent:
                assert budget < BOUND + 10 * TAKEN
            sent += opened.accounts.total().sent.requests
            used = opened.accounts.total().used
    assert used == whole
    assert sent == len(prompts)


def test_one_run_is_written_by_one_process(server: ScriptedServer, tmp_path: Path) -> None:
    with (
        model_at(server, tmp_path, run="run"),
        pytest.raises(ModelFault, match="another process"),
        opened_for(scripted_options(server, tmp_path), tmp_path / "run"),
    ):
        pass


def test_roles_are_accounted_apart_and_in_order(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = answered
    with model_at(server, tmp_path) as opened:
        for role in (Role.VERIFIER_JUDGE, Role.EXECUTOR, Role.EXECUTOR):
            opened.model.ask(asks(str(len(server.completions)), role=role))
        snapshot = opened.accounts.snapshot()
    assert [(role, account.used.requests) for role, account in snapshot.items()] == [
        (Role.EXECUTOR, 2),
        (Role.VERIFIER_JUDGE, 1),
    ]
