"""Schemas that limit texts by length or pattern: sent where an endpoint takes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from asking import asks, model_at
from scripted import Answer, Fault, Received, Say, ScriptedServer

from skillsandbox.runtime.models.request import JsonReply


def schema_of(request: Received) -> Any:
    return request.body["response_format"]["json_schema"]["schema"]


def by_schema(request: Received) -> Answer:
    """Answer as a server does that keeps to a schema."""
    canary = "tafelberg" in json.dumps(request.body)
    return Say(json.dumps({"word": "tafelberg"} if canary else {"pattern": "", "action": "go"}))


LIMITED = JsonReply(
    "step",
    {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "maxLength": 9},
            "action": {"anyOf": [{"enum": ["go"]}, {"type": "string", "pattern": "^go [a-z]+$"}]},
        },
        "required": ["pattern", "action"],
    },
)


def test_limits_of_texts_are_sent_where_a_server_takes_them(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = by_schema
    with model_at(server, tmp_path) as opened:
        opened.model.ask(asks(constraint=LIMITED))
    assert schema_of(server.completions[-1]) == LIMITED.schema


def test_limits_of_texts_are_left_out_where_a_server_refuses_them(
    server: ScriptedServer, tmp_path: Path
) -> None:
    def strict(request: Received) -> Answer:
        if '"maxLength"' in json.dumps(request.body):
            return Fault(400, "Invalid schema for response_format: 'maxLength' is not permitted")
        return by_schema(request)

    server.script = strict
    with model_at(server, tmp_path) as opened:
        assert opened.model.ask(asks(constraint=LIMITED)).constrained
    assert schema_of(server.completions[-1]) == {
        "type": "object",
        "properties": {
            "pattern": {"type": "string"},
            "action": {"anyOf": [{"enum": ["go"]}, {"type": "string"}]},
        },
        "required": ["pattern", "action"],
    }
