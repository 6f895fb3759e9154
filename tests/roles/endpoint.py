"""A scripted endpoint behind the real model layer: what a model replies, and what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from scripted import Answer, Received, Say, ScriptedServer

from skillsandbox.runtime.models.options import ModelOptions, open_model
from skillsandbox.runtime.models.request import LanguageModel

CANARY = "Name a colour."


@attrs.define(eq=False)
class Endpoint:
    """A model, and the server that it stands at. `keeps` says that the server keeps constraints."""

    model: LanguageModel
    server: ScriptedServer
    keeps: bool = True

    def will_reply(self, *replies: str | Answer) -> None:
        """Have the model reply with these, one after the other."""
        following = iter(replies)

        def script(request: Received) -> Answer:
            if request.prompt == CANARY:
                return _canary(request) if self.keeps else Say("blue")
            reply = next(following, None)
            assert reply is not None, f"nothing to reply to: {request.prompt}"
            return Say(reply) if isinstance(reply, str) else reply

        self.server.script = script

    @property
    def asked(self) -> list[Received]:
        """Return the requests, those apart by which the layer finds out what the server keeps."""
        return [request for request in self.server.completions if request.prompt != CANARY]

    @property
    def prompts(self) -> list[str]:
        """Return the last message of each request."""
        return [request.prompt for request in self.asked]

    @property
    def everything(self) -> str:
        """Return all that was sent, as JSON."""
        return json.dumps([request.body for request in self.asked], ensure_ascii=False)


def _canary(request: Received) -> Answer:
    return Say('{"word": "tafelberg"}' if "response_format" in request.body else "tafelberg")


@contextmanager
def endpoint(server: ScriptedServer, cache: Path) -> Iterator[Endpoint]:
    """Open the model at a scripted server."""
    options = ModelOptions(model="openai/scripted", api_base=server.url, cache=cache)
    with open_model(options) as opened:
        yield Endpoint(opened.model, server)


def step(action: object, rationale: str = "Because.") -> str:
    """Return an executor's reply."""
    return json.dumps({"rationale": rationale, "action": action})


def text_of(request: Received) -> str:
    """Return all messages of a request, one after the other."""
    return "\n".join(message["content"] for message in request.body["messages"])


def schema_of(request: Received) -> Any:
    """Return the JSON schema that was sent with a request."""
    return request.body["response_format"]["json_schema"]["schema"]


def blocks(prompt: str, tag: str) -> Iterable[str]:
    """Return what stands in the blocks between `<tag>` and the next `</tag>`."""
    for part in prompt.split(f"<{tag}>\n")[1:]:
        yield part.split(f"\n</{tag}>")[0]
