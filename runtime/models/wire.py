"""Requests and replies as they go over the wire."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import attrs

from skillsandbox.runtime.models.request import Constraint, GrammarReply, JsonReply, Request, Usage

_LLGUIDANCE = "%llguidance"
MESSAGE_TOKENS = 16
REQUEST_TOKENS = 64
_TEXT_LIMITS = frozenset({"maxLength", "minLength", "pattern"})

Wire = Mapping[str, Any]
"""A request as litellm's keyword arguments, without address and key: JSON data."""


@attrs.frozen
class Completion:
    """What came back: the reply's text, the provider's word for why it ends, and what it took."""

    text: str
    finish: str
    usage: Usage


@attrs.frozen
class GrammarWay:
    """A way of sending a grammar: the exported form that is sent, and what holds it in the request."""

    name: str
    form: str

    def fields(self, grammar: GrammarReply) -> Wire:
        """Return what a grammar adds to a request; nothing where the form is not given."""
        text = grammar.forms.get(self.form)
        if text is None:
            return {}
        match self.name:
            case "vllm":
                return {"extra_body": {"structured_outputs": {"grammar": text}}}
            case "vllm-guided":
                return {"extra_body": {"guided_grammar": text}}
            case "sglang":
                return {"extra_body": {"ebnf": text}}
            case "openai":
                return _custom_tool(_name(grammar), text)
            case "llguidance" if not text.startswith(_LLGUIDANCE):
                return {"extra_body": {"grammar": f"{_LLGUIDANCE} {{}}\n{text}"}}
            case _:
                return {"extra_body": {"grammar": text}}


def _custom_tool(name: str, grammar: str) -> Wire:
    tool = {
        "name": name,
        "description": "Takes the whole reply.",
        "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": grammar}},
    }
    return {"tools": [{"type": "custom", "custom": tool}], "tool_choice": "required"}


GRAMMAR_WAYS = (
    GrammarWay("llguidance", "llguidance"),
    GrammarWay("gbnf", "gbnf"),
    GrammarWay("vllm", "gbnf"),
    GrammarWay("vllm-guided", "gbnf"),
    GrammarWay("sglang", "gbnf"),
    GrammarWay("openai", "openai"),
)
"""The ways that some server takes, in the order in which an unknown one is asked."""


@attrs.frozen
class Support:
    """Which constraints an endpoint keeps: JSON schemas, and grammars in the way of a name, if in any.

    `text_limits` says that a schema may limit texts by length and pattern, which some providers refuse.
    """

    json: bool = False
    grammar: str | None = None
    text_limits: bool = False

    @property
    def grammar_way(self) -> GrammarWay | None:
        """Return the way in which grammars are sent."""
        return next((form for form in GRAMMAR_WAYS if form.name == self.grammar), None)


def wire(model: str, request: Request, support: Support) -> Wire:
    """Return a request as it is sent; a constraint that the endpoint does not keep is left out."""
    return {
        "model": model,
        "messages": [{"role": one.role, "content": one.content} for one in request.messages],
        "temperature": request.temperature,
        "seed": request.seed,
        "max_tokens": request.max_tokens,
        **constraint_fields(request.constraint, support),
    }


def constraint_fields(constraint: Constraint | None, support: Support) -> Wire:
    """Return what a constraint adds to a request; nothing where the endpoint does not keep it."""
    match constraint:
        case JsonReply() if support.json:
            sent = constraint.schema if support.text_limits else without_text_limits(constraint.schema)
            schema = {"name": _name(constraint), "strict": True, "schema": dict(sent)}
            return {"response_format": {"type": "json_schema", "json_schema": schema}}
        case GrammarReply() if support.grammar_way is not None:
            return support.grammar_way.fields(constraint)
        case _:
            return {}


def without_text_limits(schema: Any) -> Any:
    """Return a JSON schema without the keywords that limit the length or the form of texts."""
    match schema:
        case {"properties": properties, **rest}:
            kept = {name: without_text_limits(one) for name, one in properties.items()}
            return {"properties": kept, **without_text_limits(rest)}
        case Mapping():
            return {
                keyword: without_text_limits(part)
                for keyword, part in schema.items()
                if keyword not in _TEXT_LIMITS
            }
        case list():
            return [without_text_limits(part) for part in schema]
        case _:
            return schema


def _name(constraint: Constraint) -> str:
    """Return a constraint's name with such characters only as OpenAI takes, which are at most 64."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", constraint.name)[:64]


def most_tokens(sent: Wire) -> Usage:
    """Return the most that a request can take, without its cost.

    A token is at least one byte, so a text has at most as many tokens as it has bytes in UTF-8; what a
    chat template puts around messages is bounded by 16 tokens each and 64 in all.
    """
    texts = sum(len(message["content"].encode()) for message in sent["messages"])
    constraint = {name: sent[name] for name in ("response_format", "tools") if name in sent}
    schema = len(json.dumps(constraint).encode()) if constraint else 0
    prompt = texts + schema + MESSAGE_TOKENS * len(sent["messages"]) + REQUEST_TOKENS
    return Usage(prompt, sent["max_tokens"])
