"""Texts as vectors: by a model that comes as a package, or by one that is asked."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path

import pytest
from asking import model_at
from scripted import DIMENSIONS, ScriptedServer

from skillsandbox.runtime.models.accounting import Account, Price, Tally
from skillsandbox.runtime.models.embedding import PackagedEmbedder
from skillsandbox.runtime.models.request import BudgetSpent, Declined, NotRecorded, Role, Usage

EMBEDDING = "openai/text-embedding-3-small"
TEXTS = ("heat the mug", "cool the apple", "heat the mug")


def test_the_packaged_model_gives_directions_and_sends_nothing() -> None:
    vectors = PackagedEmbedder().embed(TEXTS)
    assert [len(vector) for vector in vectors] == [256] * 3
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1] * 3, abs=1e-5)
    assert vectors[0] == vectors[2] != vectors[1]
    assert PackagedEmbedder().embed(()) == ()
    assert PackagedEmbedder().identity.startswith("wordllama ")


def test_the_packaged_model_is_the_one_that_is_there_by_default(
    server: ScriptedServer, tmp_path: Path
) -> None:
    with model_at(server, tmp_path) as opened:
        assert opened.embedder.identity == PackagedEmbedder().identity
        opened.embedder.embed(TEXTS)
    assert server.requests == []


def test_each_text_is_asked_for_once_and_kept(server: ScriptedServer, tmp_path: Path) -> None:
    chosen = {"embedding_model": EMBEDDING, "embedding_api_base": server.url}
    with model_at(server, tmp_path, run="one", **chosen) as opened:
        vectors = opened.embedder.embed(TEXTS)
        assert opened.embedder.identity == f"{EMBEDDING} at {server.url}"
        usage = opened.accounts.snapshot()[Role.RETRIEVER].used.usage
    assert [len(vector) for vector in vectors] == [DIMENSIONS] * 3
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1] * 3)
    assert vectors[0] == vectors[2] != vectors[1]
    assert len(server.requests) == 2
    assert (usage.prompt_tokens, usage.completion_tokens) == (6, 0)
    assert usage.cost is not None
    with model_at(server, tmp_path, run="other", replay=True, **chosen) as opened:
        assert opened.embedder.embed(TEXTS) == vectors
        assert opened.accounts.snapshot()[Role.RETRIEVER].sent == Tally()
        with pytest.raises(NotRecorded):
            opened.embedder.embed(("unheard",))
    assert len(server.requests) == 2


def test_embeddings_are_within_the_budget(server: ScriptedServer, tmp_path: Path) -> None:
    chosen = {"embedding_model": "openai/unpriced", "embedding_api_base": server.url}
    with model_at(server, tmp_path, budget_tokens=20, **chosen) as opened:
        opened.embedder.embed(("heat the mug",))
        with pytest.raises(BudgetSpent):
            opened.embedder.embed(("a text of more than twenty bytes",))
        assert opened.accounts.total() == Account(Tally(1, Usage(3, 0)), Tally(1, Usage(3, 0)))


def test_the_price_that_is_given_is_the_language_models_alone(server: ScriptedServer, tmp_path: Path) -> None:
    chosen = {"embedding_model": EMBEDDING, "embedding_api_base": server.url}
    price = Price(Decimal(1_000_000), Decimal(1_000_000))
    with model_at(server, tmp_path, price=price, budget_dollars=Decimal(1), **chosen) as opened:
        opened.embedder.embed(("heat the mug",))
        cost = opened.accounts.total().used.usage.cost
    assert cost is not None
    assert 0 < cost < Decimal("0.000001")


def test_an_embedding_model_that_is_refused_is_told(server: ScriptedServer, tmp_path: Path) -> None:
    wrong = server.url.removesuffix("/v1")
    with (
        model_at(server, tmp_path, embedding_model=EMBEDDING, embedding_api_base=wrong) as opened,
        pytest.raises(Declined),
    ):
        opened.embedder.embed(("a text",))
