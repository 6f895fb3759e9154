"""A loopback server that speaks the OpenAI API as a script says, with the faults that paid endpoints have.

A script is a list of answers, given in turn, or a function from requests to answers, which may wait for
what the test does. Requests for chat completions follow the script; embeddings and the list of models are
always answered. Every request is recorded.
"""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs

DIMENSIONS = 8


@attrs.frozen
class Received:
    """A request that came: path, headers by lower-case name, and JSON body."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """Return the last message's text."""
        text: str = self.body["messages"][-1]["content"]
        return text


@attrs.frozen
class Say:
    """A completion. `custom_tool` puts the text where a custom tool's input stands; `refusal` beside it."""

    text: str | None
    finish: str = "stop"
    prompt_tokens: int = 10
    completion_tokens: int = 5
    cached_tokens: int = 0
    refusal: str | None = None
    custom_tool: str | None = None
    usage: bool = True


@attrs.frozen
class Fault:
    """An error: status, headers such as Retry-After, and the message of its body."""

    status: int
    message: str = "scripted fault"
    headers: Mapping[str, str] = {}
    code: str | None = None


@attrs.frozen
class Raw:
    """A body of status 200 as it stands, such as one that is not JSON."""

    body: str


@attrs.frozen
class Cut:
    """A completion whose connection is closed in the middle of the body."""

    text: str = "cut"


@attrs.frozen
class Stall:
    """No answer until the test ends."""


Answer = Say | Fault | Raw | Cut | Stall
Script = Sequence[Answer] | Callable[[Received], Answer]

RATE_LIMITED = Fault(429, "Rate limit reached", code="rate_limit_exceeded")


def rate_limited(seconds: float) -> Fault:
    """Return a rate limit that says how long to wait."""
    return attrs.evolve(RATE_LIMITED, headers={"Retry-After": f"{seconds:g}"})


@attrs.define(eq=False)
class ScriptedServer:
    """A running server; `url` is what `--api-base` gets. The script may be replaced while it runs."""

    url: str
    script: Script
    _requests: list[Received] = attrs.field(factory=list)
    _answered: int = 0
    _open: int = 0
    _peak: int = 0
    _lock: threading.Lock = attrs.field(factory=threading.Lock)
    _ended: threading.Event = attrs.field(factory=threading.Event)

    @property
    def requests(self) -> list[Received]:
        """Return what came so far, in order."""
        with self._lock:
            return list(self._requests)

    @property
    def completions(self) -> list[Received]:
        """Return the requests for completions that came so far."""
        return [request for request in self.requests if request.path.endswith("/chat/completions")]

    @property
    def most_at_once(self) -> int:
        """Return how many requests for completions were open at once at most."""
        return self._peak

    def end_stalls(self) -> None:
        """Close the connections of requests that are stalled."""
        self._ended.set()

    def _record(self, request: Received) -> None:
        with self._lock:
            self._requests.append(request)

    def _answer(self, request: Received) -> Answer:
        with self._lock:
            self._open += 1
            self._peak = max(self._peak, self._open)
            number, self._answered = self._answered, self._answered + 1
        try:
            if callable(self.script):
                return self.script(request)
            if number < len(self.script):
                return self.script[number]
            return Fault(400, f"the script has {len(self.script)} answers, this is request {number + 1}")
        finally:
            with self._lock:
                self._open -= 1


@contextmanager
def serve(script: Script = ()) -> Iterator[ScriptedServer]:
    """Serve a script on a free port of the loopback interface."""
    http = _Server(("127.0.0.1", 0), _Handler)
    http.scripted = ScriptedServer(f"http://127.0.0.1:{http.server_port}/v1", script)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield http.scripted
    finally:
        http.scripted.end_stalls()
        http.shutdown()
        http.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    scripted: ScriptedServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test's output clean."""

    def do_GET(self) -> None:
        self.server.scripted._record(self._received({}))
        self._send(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        request = self._received(json.loads(self.rfile.read(length) or b"{}"))
        self.server.scripted._record(request)
        if request.path.endswith("/chat/completions"):
            self._give(self.server.scripted._answer(request), request)
        elif request.path == "/v1/embeddings":
            self._send(200, _embeddings(request))
        else:
            self._send(404, _error(f"there is no {request.path}", None))

    def _received(self, body: Mapping[str, Any]) -> Received:
        return Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)

    def _give(self, answer: Answer, request: Received) -> None:
        match answer:
            case Say():
                self._send(200, _completion(answer, request))
            case Fault():
                self._send(answer.status, _error(answer.message, answer.code), answer.headers)
            case Raw(body):
                self._write(200, body.encode(), {})
            case Cut(text):
                self._cut(json.dumps(_completion(Say(text), request)).encode())
            case Stall():
                self.server.scripted._ended.wait()
                self.close_connection = True

    def _send(self, status: int, data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._write(status, json.dumps(data).encode(), headers or {})

    def _write(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self._head(status, len(body), headers)
        self.wfile.write(body)

    def _cut(self, body: bytes) -> None:
        self._head(200, len(body), {})
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def _head(self, status: int, length: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()


def _completion(say: Say, request: Received) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": say.text}
    if say.refusal is not None:
        message["refusal"] = say.refusal
    if say.custom_tool is not None:
        call = {"name": say.custom_tool, "input": say.text}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "custom", "custom": call}],
        }
    usage = {
        "prompt_tokens": say.prompt_tokens,
        "completion_tokens": say.completion_tokens,
        "total_tokens": say.prompt_tokens + say.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": say.cached_tokens},
    }
    completion = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": request.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": say.finish}],
    }
    return completion | ({"usage": usage} if say.usage else {})


def _embeddings(request: Received) -> dict[str, Any]:
    """Return a vector for each text that is made of the text's hash."""
    given = request.body["input"]
    texts = [given] if isinstance(given, str) else given
    data = [
        {"object": "embedding", "index": index, "embedding": _vector(text)}
        for index, text in enumerate(texts)
    ]
    tokens = sum(len(text.split()) for text in texts)
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "model": request.body["model"], "data": data, "usage": usage}


def _vector(text: str) -> list[float]:
    digest = hashlib.sha256(text.encode()).digest()
    return [byte / 255 - 0.5 for byte in digest[:DIMENSIONS]]


def _error(message: str, code: str | None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "scripted", "param": None, "code": code}}
