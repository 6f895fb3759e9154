"""Faults of an endpoint: what is sent again, what is counted, and what is kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from asking import MODEL, Stopwatch, asks, model_at
from scripted import RATE_LIMITED, Answer, Cut, Fault, Raw, Received, Say, ScriptedServer, Stall, rate_limited

from skillsandbox.runtime.models.accounting import Account, Tally
from skillsandbox.runtime.models.request import Declined, ModelFault, Overloaded, Reply, Usage

GOOD = Say("a reply", prompt_tokens=20, completion_tokens=4)
USAGE = Usage(20, 4)
PASSING: dict[str, Answer] = {
    "a rate limit": RATE_LIMITED,
    "a fault of the server": Fault(500),
    "a bad gateway": Fault(502),
    "a server that is not there": Fault(503),
    "an overloaded server": Fault(529),
    "a time-out of the server's": Fault(408),
    "a body that is cut": Cut(),
    "a body that is not JSON": Raw('{"choices": [{"mess'),
    "a body that is a page": Raw("<html>busy</html>"),
    "a body without a completion": Raw("{}"),
    "a body without choices": Raw('{"choices": []}'),
}
LASTING: dict[str, Answer] = {
    "a bad request": Fault(400),
    "a wrong key": Fault(401, "Incorrect API key provided"),
    "a key that may not": Fault(403),
    "a wrong model": Fault(404, "The model does not exist"),
    "a quota that is spent": Fault(429, "You exceeded your current quota", code="insufficient_quota"),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
def test_a_passing_fault_is_met_by_another_try(server: ScriptedServer, tmp_path: Path, fault: Answer) -> None:
    server.script = [fault, fault, GOOD]
    clock = Stopwatch()
    with model_at(server, tmp_path, clock=clock) as opened:
        reply = opened.model.ask(asks())
        account = opened.accounts.total()
    assert reply == Reply("a reply", "stop", USAGE, constrained=False)
    assert account == Account(used=Tally(1, USAGE), sent=Tally(1, USAGE), retries=2)
    assert len(server.completions) == 3
    assert 0.5 <= clock.waits[0] <= 1 <= clock.waits[1] <= 2


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
def test_a_fault_that_does_not_pass_ends_the_tries_and_nothing_is_kept(
    server: ScriptedServer, tmp_path: Path, fault: Answer
) -> None:
    server.script = [fault, fault, fault, GOOD]
    with model_at(server, tmp_path, tries=3) as opened:
        with pytest.raises(Overloaded, match=f"^{MODEL}: "):
            opened.model.ask(asks())
        assert opened.accounts.total() == Account(retries=2)
        assert opened.model.ask(asks()).text == "a reply"


@pytest.mark.parametrize("fault", LASTING.values(), ids=LASTING.keys())
def test_a_lasting_fault_is_told_at_once_and_not_kept(
    server: ScriptedServer, tmp_path: Path, fault: Answer
) -> None:
    server.script = [fault, GOOD]
    clock = Stopwatch()
    with model_at(server, tmp_path, clock=clock) as opened:
        with pytest.raises(Declined, match=f"^{MODEL}: "):
            opened.model.ask(asks())
        assert opened.accounts.total() == Account()
        assert opened.model.ask(asks()).text == "a reply"
    assert clock.waits == []


def test_a_stall_ends_with_the_time_out_and_is_sent_again(server: ScriptedServer, tmp_path: Path) -> None:
    answers: list[Answer] = [Stall(), GOOD]
    server.script = lambda request: answers.pop(0)
    with model_at(server, tmp_path, timeout=0.5) as opened:
        assert opened.model.ask(asks()).text == "a reply"
        assert opened.accounts.total().retries == 1


def test_what_stalls_for_ever_is_given_up(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = lambda request: Stall()
    with (
        model_at(server, tmp_path, timeout=0.2, tries=2) as opened,
        pytest.raises(Overloaded, match=r"no reply within 0\.2 s"),
    ):
        opened.model.ask(asks())
    assert len(server.completions) == 2


def test_a_server_that_cannot_be_reached_is_given_up(server: ScriptedServer, tmp_path: Path) -> None:
    with (
        model_at(server, tmp_path, api_base="http://127.0.0.1:9/v1", tries=2) as opened,
        pytest.raises(Overloaded),
    ):
        opened.model.ask(asks())


def test_a_rate_limit_says_how_long_to_wait(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [rate_limited(17), GOOD]
    clock = Stopwatch()
    with model_at(server, tmp_path, clock=clock) as opened:
        opened.model.ask(asks())
    assert clock.now() == 17


def test_who_asks_to_wait_too_long_is_not_waited_for(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [rate_limited(86_400), GOOD]
    clock = Stopwatch()
    with model_at(server, tmp_path, clock=clock) as opened, pytest.raises(Overloaded):
        opened.model.ask(asks())
    assert clock.waits == []


ODD: dict[str, tuple[Say, Reply]] = {
    "an empty reply": (Say("", completion_tokens=0), Reply("", "stop", Usage(10, 0), constrained=False)),
    "a reply without content": (Say(None), Reply("", "stop", Usage(10, 5), constrained=False)),
    "a reply that is cut off": (
        Say("half a", finish="length"),
        Reply("half a", "length", Usage(10, 5), constrained=False),
    ),
    "a reply that is filtered": (
        Say("", finish="content_filter"),
        Reply("", "content_filter", Usage(10, 5), constrained=False),
    ),
    "a refusal": (
        Say(None, refusal="I cannot help with that."),
        Reply("I cannot help with that.", "content_filter", Usage(10, 5), constrained=False),
    ),
}


@pytest.mark.parametrize(("said", "reply"), ODD.values(), ids=ODD.keys())
def test_a_reply_of_no_use_is_a_reply_that_is_counted_and_kept(
    server: ScriptedServer, tmp_path: Path, said: Say, reply: Reply
) -> None:
    server.script = [said]
    with model_at(server, tmp_path) as opened:
        assert opened.model.ask(asks()) == reply
        assert opened.model.ask(asks()) == reply
        assert opened.accounts.total() == Account(Tally(1, reply.usage), Tally(1, reply.usage), hits=1)


def test_asking_again_after_a_reply_of_no_use_is_another_request(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = [Say(""), GOOD]
    with model_at(server, tmp_path) as opened:
        assert opened.model.ask(asks()).text == ""
        assert opened.model.ask(asks(attempt=1)).text == "a reply"
        assert opened.accounts.total().sent.requests == 2
    first, second = (request.body for request in server.completions)
    assert first == second


def test_a_prompt_that_the_provider_filters_is_answered_by_the_filter(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = [Fault(400, "filtered by the content management policy", code="content_policy_violation")]
    with model_at(server, tmp_path) as opened:
        for _ in range(2):
            reply = opened.model.ask(asks())
            assert (reply.text, reply.finish) == ("", "content_filter")
    assert len(server.completions) == 1


def test_a_request_that_is_too_long_says_so(server: ScriptedServer, tmp_path: Path) -> None:
    told = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."
    server.script = [Fault(400, told, code="context_length_exceeded")]
    with model_at(server, tmp_path) as opened, pytest.raises(Declined) as raised:
        opened.model.ask(asks())
    assert str(raised.value) == f"{MODEL}: the request is too long for the model: {told}"


def test_a_reply_that_does_not_say_what_it_took_counts_as_the_most_it_can_have_taken(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = [Say("a reply", usage=False)]
    with model_at(server, tmp_path) as opened:
        usage = opened.model.ask(asks("x" * 100, max_tokens=50)).usage
    assert usage == Usage(100 + 16 + 64, 50)


def test_what_is_sent_is_what_was_asked_and_nothing_else(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [GOOD]
    with model_at(server, tmp_path) as opened:
        opened.model.ask(asks("hello", temperature=0.5, seed=11, max_tokens=7))
    (received,) = server.requests
    assert received.body == {
        "model": "scripted",
        "messages": [{"role": "user", "content": "hello"}],
        "temperature": 0.5,
        "seed": 11,
        "max_tokens": 7,
    }


def test_tokens_that_the_provider_had_cached_are_told_apart(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [Say("a reply", prompt_tokens=100, cached_tokens=80)]
    with model_at(server, tmp_path) as opened:
        assert opened.model.ask(asks()).usage == Usage(100, 5, cached_tokens=80)


def test_an_ask_that_is_open_at_the_end_is_told_so(server: ScriptedServer, tmp_path: Path) -> None:
    come = Event()

    def script(request: Received) -> Answer:
        come.set()
        return Stall()

    server.script = script
    with ThreadPoolExecutor() as pool:
        with model_at(server, tmp_path) as opened:
            asked = pool.submit(opened.model.ask, asks())
            assert come.wait(30)
        with pytest.raises(ModelFault, match="closed"):
            asked.result(30)
