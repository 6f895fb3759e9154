"""The scripted server speaks the API as its script says."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from scripted import RATE_LIMITED, Cut, Fault, Raw, Received, Say, ScriptedServer, Stall, rate_limited


def ask(server: ScriptedServer, prompt: str = "hello", timeout: float = 5.0) -> tuple[int, bytes, Any]:
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=timeout)
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": prompt}]})
    connection.request("POST", f"{address.path}/chat/completions", body, {"Authorization": "Bearer key"})
    answer = connection.getresponse()
    return answer.status, answer.read(), answer.headers


def test_answers_of_a_list_are_given_in_turn(server: ScriptedServer) -> None:
    server.script = [Say("one"), RATE_LIMITED, rate_limited(7), Fault(503), Raw("{")]
    first = json.loads(ask(server)[1])
    assert first["choices"][0]["message"]["content"] == "one"
    assert ask(server)[0] == 429
    assert ask(server)[2]["Retry-After"] == "7"
    assert ask(server)[0] == 503
    assert ask(server)[1] == b"{"
    status, body, _ = ask(server)
    assert status == 400
    assert b"the script has 5 answers, this is request 6" in body


def test_a_function_answers_by_the_request(server: ScriptedServer) -> None:
    def script(request: Received) -> Say:
        return Say(request.prompt.upper())

    server.script = script
    assert json.loads(ask(server, "loud")[1])["choices"][0]["message"]["content"] == "LOUD"
    assert [request.headers["authorization"] for request in server.completions] == ["Bearer key"]


def test_a_cut_body_is_shorter_than_it_says(server: ScriptedServer) -> None:
    server.script = [Cut()]
    with pytest.raises(http.client.IncompleteRead):
        ask(server)


def test_a_stall_ends_with_the_test(server: ScriptedServer) -> None:
    server.script = [Stall()]
    with pytest.raises(TimeoutError):
        ask(server, timeout=0.05)
    server.end_stalls()
    server.script = lambda request: Stall()
    with pytest.raises(http.client.RemoteDisconnected):
        ask(server)
