"""What was asked once is not asked again: by the same run, another one, another thread, another process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from asking import asks, model_at
from hypothesis import given
from hypothesis import strategies as st
from scripted import Answer, Received, Say, ScriptedServer

from skillsandbox.runtime.models.cache import FILE, cache_key, open_cache
from skillsandbox.runtime.models.request import JsonReply, Message, ModelFault, NotRecorded, Reply

CHANGES: Mapping[str, Mapping[str, Any]] = {
    "messages": {"messages": (Message("user", "bye"),)},
    "a message's role": {"messages": (Message("system", "hello"),)},
    "temperature": {"temperature": 0.0},
    "seed": {"seed": 4},
    "length": {"max_tokens": 51},
    "attempt": {"attempt": 1},
}


@pytest.fixture(autouse=True)
def numbered(server: ScriptedServer) -> Callable[[], Say]:
    """Answer each request with another text, so that a kept reply shows."""
    numbers = count(1)

    def answer() -> Say:
        return Say(f"reply {next(numbers)}")

    server.script = lambda request: answer()
    return answer


def test_the_same_request_is_sent_once_and_has_the_same_reply_for_ever(
    server: ScriptedServer, tmp_path: Path
) -> None:
    replies: list[Reply] = []
    for _ in range(2):
        with model_at(server, tmp_path) as opened:
            replies += [opened.model.ask(asks()), opened.model.ask(asks())]
    assert [reply.text for reply in replies] == ["reply 1"] * 4
    assert len(set(replies)) == 1
    assert len(server.completions) == 1


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_request_that_differs_is_another(
    server: ScriptedServer, tmp_path: Path, change: Mapping[str, Any]
) -> None:
    with model_at(server, tmp_path) as opened:
        assert opened.model.ask(asks()).text == "reply 1"
        assert opened.model.ask(asks(**change)).text == "reply 2"


def test_a_constraint_that_is_sent_is_part_of_the_request(
    server: ScriptedServer, tmp_path: Path, numbered: Callable[[], Say]
) -> None:
    def script(request: Received) -> Answer:
        canary = "canary" in str(request.body.get("response_format"))
        return Say('{"word": "tafelberg"}') if canary else numbered()

    server.script = script
    schemas = [{"type": "object", "title": title} for title in ("one", "other")]
    with model_at(server, tmp_path) as opened:
        texts = [opened.model.ask(asks(constraint=JsonReply("reply", schema))).text for schema in schemas]
        assert opened.model.ask(asks()).text == "reply 3"
    assert texts == ["reply 1", "reply 2"]


def test_another_model_or_server_is_asked_itself(server: ScriptedServer, tmp_path: Path) -> None:
    for changes in (
        {},
        {"model": "openai/another"},
        {"api_base": server.url.replace("127.0.0.1", "localhost")},
    ):
        with model_at(server, tmp_path, **changes) as opened:
            opened.model.ask(asks())
    assert len(server.completions) == 3


def test_a_replay_sends_nothing(server: ScriptedServer, tmp_path: Path) -> None:
    with model_at(server, tmp_path) as opened:
        opened.model.ask(asks())
    with model_at(server, tmp_path, replay=True) as opened:
        assert opened.model.ask(asks()).text == "reply 1"
        with pytest.raises(NotRecorded, match="--replay"):
            opened.model.ask(asks("unheard"))
        with pytest.raises(NotRecorded):
            opened.model.ask(asks(constraint=JsonReply("reply", {"type": "object"})))
    assert len(server.requests) == 1


def test_equal_requests_that_are_asked_together_are_sent_once(
    server: ScriptedServer, tmp_path: Path, numbered: Callable[[], Say]
) -> None:
    come, go = Event(), Event()

    def script(request: Received) -> Answer:
        come.set()
        assert go.wait(30)
        return numbered()

    server.script = script
    with model_at(server, tmp_path) as opened, ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(opened.model.ask, asks()) for _ in range(8)]
        assert come.wait(30)
        go.set()
        assert {one.result(30).text for one in asked} == {"reply 1"}
        account = opened.accounts.total()
    assert (account.used.requests, account.sent.requests, account.hits) == (1, 1, 7)


PROCESS = """
import sys
from pathlib import Path
from skillsandbox.runtime.models.budget import Budget, Limits
from skillsandbox.runtime.models.cache import cache_key, open_cache
from skillsandbox.runtime.models.ledger import open_ledger
from skillsandbox.runtime.models.memory import Memory
from skillsandbox.runtime.models.request import Role, Usage

def ask():
    print("asking", flush=True)
    return {"text": input(), "usage": {"prompt_tokens": 1, "completion_tokens": 1}}

with open_cache(Path(sys.argv[1])) as cache, open_ledger(None, Budget(Limits())) as ledger:
    memory = Memory(cache, ledger)
    while True:
        data = memory.recall(Role.EXECUTOR, cache_key(prompt=input()), Usage(1, 1), ask)
        print("got", data["text"], flush=True)
"""


class Process:
    """A process that recalls what it is told to; where it asks, it is told the reply."""

    def __init__(self, cache: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        arguments = [sys.executable, "-c", PROCESS, str(cache)]
        pipe = subprocess.PIPE
        self._popen = subprocess.Popen(arguments, stdin=pipe, stdout=pipe, text=True, env=environment)

    def tell(self, line: str) -> None:
        assert self._popen.stdin is not None
        self._popen.stdin.write(f"{line}\n")
        self._popen.stdin.flush()

    def says(self) -> str:
        assert self._popen.stdout is not None
        return self._popen.stdout.readline().strip()

    def kill(self) -> None:
        self._popen.send_signal(signal.SIGKILL)
        self._popen.communicate()


def test_processes_share_a_cache_even_if_one_is_killed_while_it_asks(tmp_path: Path) -> None:
    one, other = Process(tmp_path), Process(tmp_path)
    one.tell("first")
    assert one.says() == "asking"
    one.tell("a reply")
    assert one.says() == "got a reply"
    other.tell("first")
    assert other.says() == "got a reply"
    one.tell("second")
    assert one.says() == "asking"
    other.tell("second")
    one.kill()
    assert other.says() == "asking", "a process that is killed keeps nobody waiting"
    other.tell("the other's reply")
    assert other.says() == "got the other's reply"
    other.kill()
    with open_cache(tmp_path) as cache:
        kept = [cache.get(cache_key(prompt=prompt)) for prompt in ("first", "second")]
    assert [data["text"] for data in kept if data] == ["a reply", "the other's reply"]


def test_what_one_process_asks_another_waits_for(tmp_path: Path) -> None:
    one, other = Process(tmp_path), Process(tmp_path)
    one.tell("first")
    assert one.says() == "asking"
    other.tell("first")
    one.tell("a reply")
    assert [one.says(), other.says()] == ["got a reply"] * 2
    one.kill()
    other.kill()


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text(), min_size=1))
def test_a_key_is_that_of_the_data_whatever_its_order(data: dict[str, Any]) -> None:
    reversed_data = dict(reversed(data.items()))
    assert cache_key(data=data) == cache_key(data=reversed_data)
    assert cache_key(data=data) != cache_key(data=[data])


@pytest.mark.parametrize("blocked", ["a file", "no database"])
def test_a_folder_that_cannot_be_used_is_told(server: ScriptedServer, tmp_path: Path, blocked: str) -> None:
    cache = tmp_path / "cache"
    if blocked == "a file":
        cache.write_text("something else", "utf-8")
    else:
        cache.mkdir()
        (cache / FILE).write_bytes(b"no database at all" * 1000)
    with pytest.raises(ModelFault, match="--model-cache"), model_at(server, tmp_path):
        pass


def test_the_cache_holds_replies_and_no_requests(server: ScriptedServer, tmp_path: Path) -> None:
    with model_at(server, tmp_path) as opened:
        opened.model.ask(asks("a prompt that is nobody else's business"))
    kept = b"".join(path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert b"reply 1" in kept
    assert b"business" not in kept


def test_what_is_kept_is_there_after_the_cache_is_opened_again(tmp_path: Path) -> None:
    with open_cache(tmp_path) as cache:
        assert cache.get("a" * 64) is None
        cache.put("a" * 64, {"text": "é"})
    with open_cache(tmp_path) as cache, open_cache(tmp_path) as another:
        another.put("b" * 64, {})
        assert cache.get("a" * 64) == {"text": "é"}
        assert cache.get("b" * 64) == {}
