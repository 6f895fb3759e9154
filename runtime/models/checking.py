"""What an endpoint can do, for people: one tiny request for each thing that a role may ask of it."""

from __future__ import annotations

import attrs

from skillsandbox.runtime.models.accounting import Price, Tally
from skillsandbox.runtime.models.client import OpenModel
from skillsandbox.runtime.models.embedding import EndpointEmbedder
from skillsandbox.runtime.models.request import Message, ModelFault, Reply, Request, Role
from skillsandbox.runtime.models.support import GRAMMAR_CANARY, JSON_CANARY

_PROMPT = "Write one sentence about the weather."
_TOKENS = 64
_SEED = 7


@attrs.frozen
class Findings:
    """What was found of an endpoint.

    `grammar` is the way in which it takes grammars, None where it keeps none. `repeats` says whether the same
    request with the same seed was answered in the same words. `dimensions` are those of the embeddings, None
    where no embedding model was chosen; `fault` says why one cannot be had.
    """

    identity: str
    reply: str
    finish: str
    json_schema: bool
    grammar: str | None
    repeats: bool
    price: Price | None
    dimensions: int | None
    fault: str | None
    sent: Tally


def check(opened: OpenModel) -> Findings:
    """Ask an endpoint what it can do, whatever is kept of it; what is found is kept.

    Raises:
        ModelFault: the model cannot be asked at all.
    """
    model = opened.model
    first, second = (model.renewed(_request(attempt)) for attempt in range(2))
    json_schema = model.prober.renewed(JSON_CANARY).json
    grammar = model.prober.renewed(GRAMMAR_CANARY).grammar
    dimensions, fault = (None, None) if opened.embedding is None else _embedded(opened.embedding)
    return Findings(
        model.identity,
        first.text,
        first.finish,
        json_schema,
        grammar,
        _says(first) == _says(second),
        opened.price,
        dimensions,
        fault,
        opened.accounts.total().sent,
    )


def _request(attempt: int) -> Request:
    return Request(Role.CANARY, (Message("user", _PROMPT),), 1, _SEED, _TOKENS, attempt=attempt)


def _says(reply: Reply) -> tuple[str, str]:
    return reply.text, reply.finish


def _embedded(embedder: EndpointEmbedder) -> tuple[int | None, str | None]:
    try:
        return len(embedder.renewed(_PROMPT)), None
    except ModelFault as fault:
        return None, str(fault)
