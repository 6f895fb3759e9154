"""What an endpoint can do is found out by asking it: a server can take a constraint and ignore it.

A canary is a request whose reply could only be guessed, unless the constraint is kept: the one reply that
schema or grammar allows is a word that stands nowhere in the prompt.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from functools import reduce

import attrs
import msgspec

from skillsandbox.runtime.models.accounting import NOTHING, added
from skillsandbox.runtime.models.cache import Data, cache_key
from skillsandbox.runtime.models.faults import Lasting, Passing, said
from skillsandbox.runtime.models.memory import Memory, Recall, to_data
from skillsandbox.runtime.models.request import (
    Constraint,
    GrammarReply,
    JsonReply,
    Message,
    Request,
    Role,
)
from skillsandbox.runtime.models.retries import Retries
from skillsandbox.runtime.models.sender import Sender
from skillsandbox.runtime.models.wire import (
    GRAMMAR_WAYS,
    Completion,
    GrammarWay,
    Support,
    Wire,
    most_tokens,
    wire,
)

VERSION = 2
_WORD = "tafelberg"
_PROMPT = "Name a colour."
_TOKENS = 256
_RETRIES = Retries(tries=3)
_UNSUPPORTED = frozenset({400, 404, 405, 415, 422, 500, 501})
_SELF_HOSTED = frozenset(
    {
        "custom_openai",
        "hosted_vllm",
        "llamafile",
        "lm_studio",
        "ollama",
        "ollama_chat",
        "openai_like",
        "xinference",
    }
)
_OPENAI = frozenset({"openai", "azure"})

JSON_CANARY = JsonReply(
    "canary",
    {
        "type": "object",
        "properties": {
            "word": {"type": "string", "enum": [_WORD], "maxLength": len(_WORD), "pattern": f"^{_WORD}$"}
        },
        "required": ["word"],
        "additionalProperties": False,
    },
)
GRAMMAR_CANARY = GrammarReply(
    "canary",
    {
        "gbnf": f'root ::= "{_WORD}"\n',
        "llguidance": f'start: "{_WORD}"\n',
        "openai": f'start: "{_WORD}"\n',
    },
)


@attrs.frozen(eq=False)
class Prober:
    """Says which constraints an endpoint keeps; asked once, then kept with the replies."""

    sender: Sender
    memory: Memory

    def support(self, constraint: Constraint | None) -> Support:
        """Return what is to be known for a constraint. Raises `ModelFault`."""
        return self._found(constraint, self.memory.recall)

    def renewed(self, constraint: Constraint) -> Support:
        """Ask the endpoint again, whatever was known. Raises `ModelFault`."""
        return self._found(constraint, self.memory.replace)

    def _found(self, constraint: Constraint | None, recall: Recall) -> Support:
        ways = self._ways(constraint)
        if constraint is None or not ways:
            return Support()
        key = cache_key(
            canary=VERSION, kind=type(constraint).__name__, identity=self.sender.endpoint.identity
        )
        most = reduce(added, (most_tokens(self._sent(way)) for way in ways))
        data = recall(Role.CANARY, key, most, lambda: self._probed(ways))
        return msgspec.convert(data["support"], Support)

    def _ways(self, constraint: Constraint | None) -> tuple[Support, ...]:
        match constraint:
            case None:
                return ()
            case JsonReply():
                return (Support(json=True, text_limits=True), Support(json=True))
            case GrammarReply():
                return tuple(Support(grammar=way.name) for way in self._grammar_ways())

    def _grammar_ways(self) -> Iterable[GrammarWay]:
        """Return the ways that the server may take: providers of several models take none, but OpenAI."""
        provider = self.sender.endpoint.name.partition("/")[0]
        if self.sender.endpoint.address is not None or provider in _SELF_HOSTED:
            return GRAMMAR_WAYS
        return (way for way in GRAMMAR_WAYS if way.name == "openai" and provider in _OPENAI)

    def _probed(self, ways: tuple[Support, ...]) -> Data:
        """Try one way after the other until one is kept."""
        usage, support = NOTHING, Support()
        for way in ways:
            try:
                completion = self.sender.try_to_complete(Role.CANARY, self._sent(way), _RETRIES)
            except (Lasting, Passing) as fault:
                if fault.status not in _UNSUPPORTED:
                    raise said(fault, self.sender.endpoint.name) from None
                continue
            usage = added(usage, completion.usage)
            if _is_kept(completion, way):
                support = way
                break
        return {"support": to_data(support), "usage": to_data(usage)}

    def _sent(self, way: Support) -> Wire:
        constraint = JSON_CANARY if way.json else GRAMMAR_CANARY
        messages = (Message("user", _PROMPT),)
        request = Request(
            Role.CANARY, messages, temperature=0, seed=0, max_tokens=_TOKENS, constraint=constraint
        )
        return wire(self.sender.endpoint.name, request, way)


def _is_kept(completion: Completion, way: Support) -> bool:
    if completion.finish != "stop":
        return False
    if way.grammar is not None:
        return completion.text == _WORD
    with suppress(ValueError):
        return bool(json.loads(completion.text) == {"word": _WORD})
    return False
