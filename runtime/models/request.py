"""What is asked of a language model and what it answers: between the roles and the layer below."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, Protocol

import attrs


class Role(StrEnum):
    """Who asks: tokens and money are accounted by role.

    The canary asks in the layer below, what an endpoint can do.
    """

    PROPOSER = "proposer"
    BUILDER_JUDGE = "builder's judge"
    EXECUTOR = "executor"
    VERIFIER_JUDGE = "verifier's judge"
    DISTILLER = "distiller"
    RETRIEVER = "retriever"
    CANARY = "canary"


class ModelFault(Exception):  # noqa: N818 - it says what is the case with a model or an endpoint
    """A model cannot be asked, or asked on; the text says why, and what to do. What was answered is kept."""


class Declined(ModelFault):
    """The endpoint refused a request for good, such as for a wrong key; another try would not help."""


class Overloaded(ModelFault):
    """The endpoint failed as often as it is asked again: rate limits, faults of the server, time-outs."""


class BudgetSpent(ModelFault):
    """The run's budget in tokens or money is spent; a larger one continues the run."""


class NotRecorded(ModelFault):
    """A request that is not in the cache, while nothing may be sent."""


@attrs.frozen
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@attrs.frozen
class JsonReply:
    """The reply is to be JSON of a schema; `name` is the schema's name for the endpoint."""

    name: str
    schema: Mapping[str, Any]


@attrs.frozen
class GrammarReply:
    """The reply is to be a text of a grammar, given in each form that some endpoint takes.

    The keys of `forms` are the names of the forms of the exported grammar: lark, gbnf, llguidance, openai.
    """

    name: str
    forms: Mapping[str, str]


Constraint = JsonReply | GrammarReply


@attrs.frozen
class Request:
    """A request to a model.

    A constraint is sent where the endpoint can keep it and left out elsewhere: a reply is to be checked
    either way. `attempt` tells requests apart that are otherwise equal, so that asking again after a reply
    that was of no use gives another one.
    """

    role: Role
    messages: tuple[Message, ...]
    temperature: float
    seed: int
    max_tokens: int
    constraint: Constraint | None = None
    attempt: int = 0


@attrs.frozen
class Usage:
    """What a reply took: tokens, those of the prompt that the provider had cached among them, and money.

    `cost` is in US dollars, None where no price is known.
    """

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    cost: Decimal | None = None


@attrs.frozen
class Reply:
    """What a model answered.

    `finish` is the provider's word for why it ends: "stop" for a finished reply, "length" for one that
    `max_tokens` cut off, "content_filter" for a refusal of the provider's. `constrained` says that the
    constraint was sent.
    """

    text: str
    finish: str
    usage: Usage
    constrained: bool


class LanguageModel(Protocol):
    """A model at an endpoint; may be asked by several threads at once."""

    @property
    def identity(self) -> str:
        """Return the model's name and all else that determines replies besides the request."""

    def ask(self, request: Request) -> Reply:
        """Return the reply; the same request gives the same reply for ever. Raises `ModelFault`."""


class Embedder(Protocol):
    """A model of texts as vectors."""

    @property
    def identity(self) -> str:
        """Return the model's name and all else that determines vectors."""

    def embed(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """Return one vector of length 1 for each text. Raises `ModelFault`."""
