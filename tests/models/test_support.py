"""Constraints on replies: sent in the way that a server keeps, and left out where it keeps none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import asks, model_at
from scripted import Answer, Fault, Received, Say, ScriptedServer

from skillsandbox.runtime.models.accounting import Account, Tally
from skillsandbox.runtime.models.request import (
    Declined,
    GrammarReply,
    JsonReply,
    NotRecorded,
    Overloaded,
    Role,
    Usage,
)
from skillsandbox.runtime.models.wire import GRAMMAR_WAYS, Support, wire, without_text_limits

SCHEMA = {"type": "object", "properties": {"action": {"enum": ["go", "stay"]}}, "required": ["action"]}
JSON = JsonReply("a step", SCHEMA)
GRAMMAR = GrammarReply(
    "step",
    {
        "gbnf": 'root ::= "go" | "stay"',
        "lark": 'start: "go" | "stay"',
        "llguidance": '%llguidance {}\nstart: "go" | "stay"',
        "openai": 'start: "go" | "stay"',
    },
)
CANARY = "tafelberg"
FREE = Say("blue, I think")


def body(request: Received, *path: str) -> Any:
    """Return what stands at a path of a request's body, None where nothing does."""
    found: Any = request.body
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def kept(text: Any) -> Answer:
    """Answer as a server does that keeps to a grammar."""
    return Say(CANARY if CANARY in text else "go")


def llama_cpp(request: Received) -> Answer:
    grammar = body(request, "grammar")
    if grammar is not None and grammar.startswith("%llguidance"):
        return Fault(400, "Failed to parse grammar")
    return kept(grammar) if grammar else FREE


def llama_cpp_with_llguidance(request: Received) -> Answer:
    grammar = body(request, "grammar")
    if grammar is not None and not grammar.startswith("%llguidance"):
        return Fault(400, "Failed to parse grammar")
    return kept(grammar) if grammar else FREE


def vllm(request: Received) -> Answer:
    grammar = body(request, "structured_outputs", "grammar")
    return kept(grammar) if grammar else FREE


def older_vllm(request: Received) -> Answer:
    if body(request, "structured_outputs") is not None:
        return Fault(422, "extra fields not permitted")
    return kept(body(request, "guided_grammar")) if body(request, "guided_grammar") else FREE


def sglang(request: Received) -> Answer:
    return kept(body(request, "ebnf")) if body(request, "ebnf") else FREE


def openai(request: Received) -> Answer:
    if not body(request, "tools"):
        return FREE
    (tool,) = body(request, "tools")
    assert request.body["tool_choice"] == "required"
    grammar = tool["custom"]["format"]["grammar"]
    assert grammar["syntax"] == "lark"
    text = CANARY if CANARY in grammar["definition"] else "go"
    return Say(text, finish="tool_calls", custom_tool=tool["custom"]["name"])


def one_that_ignores(request: Received) -> Answer:
    return FREE


SERVERS: dict[str, tuple[Callable[[Received], Answer], str | None]] = {
    "llama.cpp": (llama_cpp, "gbnf"),
    "llama.cpp with llguidance": (llama_cpp_with_llguidance, "llguidance"),
    "vLLM": (vllm, "vllm"),
    "an older vLLM": (older_vllm, "vllm-guided"),
    "SGLang": (sglang, "sglang"),
    "OpenAI": (openai, "openai"),
    "one that ignores grammars": (one_that_ignores, None),
    "one that takes none": (lambda request: Fault(400) if len(request.body) > 5 else FREE, None),
}


@pytest.mark.parametrize(("script", "way"), SERVERS.values(), ids=SERVERS.keys())
def test_a_grammar_goes_to_a_server_in_the_way_that_it_keeps(
    server: ScriptedServer,
    tmp_path: Path,
    script: Callable[[Received], Answer],
    way: str | None,
) -> None:
    server.script = script
    with model_at(server, tmp_path) as opened:
        reply = opened.model.ask(asks(constraint=GRAMMAR))
        assert opened.model.prober.support(GRAMMAR) == Support(grammar=way)
    if way is None:
        assert (reply.text, reply.constrained) == (FREE.text, False)
        assert set(server.completions[-1].body) == {"model", "messages", "temperature", "seed", "max_tokens"}
    else:
        assert (reply.text, reply.finish, reply.constrained) == ("go", "stop", True)


def by_schema(request: Received) -> Answer:
    schema = body(request, "response_format", "json_schema", "schema")
    if schema is None:
        return FREE
    return Say(json.dumps({"word": CANARY} if CANARY in str(schema) else {"action": "go"}))


def test_a_schema_is_sent_strictly_where_it_is_kept(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = by_schema
    with model_at(server, tmp_path) as opened:
        reply = opened.model.ask(asks(constraint=JSON))
    assert (reply.text, reply.constrained) == ('{"action": "go"}', True)
    assert server.completions[-1].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "a_step", "strict": True, "schema": SCHEMA},
    }


def test_limits_of_texts_are_left_out_where_they_are_refused(server: ScriptedServer, tmp_path: Path) -> None:
    def script(request: Received) -> Answer:
        limited = "maxLength" in str(body(request, "response_format")) or "pattern" in str(request.body)
        return Fault(400, "keyword maxLength is not permitted") if limited else by_schema(request)

    server.script = script
    named = {"type": "object", "properties": {"pattern": {"type": "string", "maxLength": 9, "pattern": "a+"}}}
    with model_at(server, tmp_path) as opened:
        assert opened.model.ask(asks(constraint=JSON)).constrained
    assert without_text_limits(named) == {
        "type": "object",
        "properties": {"pattern": {"type": "string"}},
    }


REFUSING = [Fault(400, "response_format is not supported"), FREE, Say('{"word": "blue"}'), Say(CANARY)]


@pytest.mark.parametrize("canary", REFUSING)
def test_a_schema_is_left_out_where_it_is_not_kept(
    server: ScriptedServer, tmp_path: Path, canary: Answer
) -> None:
    server.script = lambda request: canary if "response_format" in request.body else FREE
    with model_at(server, tmp_path) as opened:
        reply = opened.model.ask(asks(constraint=JSON))
    assert (reply.text, reply.constrained) == (FREE.text, False)
    assert "response_format" not in server.completions[-1].body


def test_an_endpoint_is_asked_what_it_can_do_once(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = by_schema
    used = []
    for run in ("one", "other"):
        with model_at(server, tmp_path, run=run) as opened:
            for prompt in ("a", "b"):
                opened.model.ask(asks(prompt, constraint=JSON))
            used.append({role: account.used for role, account in opened.accounts.snapshot().items()})
    assert len(server.completions) == 3
    assert used[0] == used[1] == {Role.EXECUTOR: Tally(2, Usage(20, 10)), Role.CANARY: Tally(1, Usage(10, 5))}


def test_a_request_without_a_constraint_asks_no_canary(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = [FREE]
    with model_at(server, tmp_path) as opened:
        opened.model.ask(asks())
        assert Role.CANARY not in opened.accounts.snapshot()


def test_a_fault_while_the_endpoint_is_asked_says_nothing_of_what_it_can_do(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = [Fault(401)]
    with model_at(server, tmp_path) as opened:
        with pytest.raises(Declined):
            opened.model.ask(asks(constraint=JSON))
        server.script = lambda request: Fault(503)
        with pytest.raises(Overloaded):
            opened.model.ask(asks(constraint=JSON))
        server.script = by_schema
        assert opened.model.ask(asks(constraint=JSON)).constrained
        assert opened.accounts.total() == Account(Tally(2, Usage(20, 10)), Tally(2, Usage(20, 10)), retries=2)


def test_a_replay_asks_no_canary(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = by_schema
    with model_at(server, tmp_path) as opened:
        kept = opened.model.ask(asks(constraint=JSON))
    with model_at(server, tmp_path, replay=True) as opened:
        assert opened.model.ask(asks(constraint=JSON)) == kept
        with pytest.raises(NotRecorded):
            opened.model.ask(asks(constraint=GRAMMAR))


def test_a_grammar_that_llguidance_cannot_read_is_told_and_not_sent(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = llama_cpp_with_llguidance
    wrong = GrammarReply("step", {"llguidance": 'start: "go" | ("stay"'})
    with model_at(server, tmp_path) as opened:
        opened.model.ask(asks(constraint=GRAMMAR))
        sent = len(server.completions)
        with pytest.raises(Declined, match="the grammar step is not one that llguidance reads"):
            opened.model.ask(asks(constraint=wrong))
    assert len(server.completions) == sent


@pytest.mark.parametrize("way", GRAMMAR_WAYS, ids=lambda way: way.name)
def test_a_grammar_that_is_not_given_in_a_servers_form_is_left_out(way: Any) -> None:
    constrained = asks(constraint=GrammarReply("step", {"lark": "start:"}))
    assert wire("m", constrained, Support(grammar=way.name)) == wire("m", asks(), Support())


def test_providers_of_many_models_are_asked_for_no_grammar_that_they_do_not_have(
    server: ScriptedServer, tmp_path: Path
) -> None:
    with model_at(server, tmp_path, model="anthropic/claude", api_base=None) as opened:
        assert opened.model.prober.support(GRAMMAR) == Support()
    assert server.requests == []
