"""The exported grammars where they are used: a small model under llama.cpp writes programs that parse."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.environment import environments
from skillsandbox.compiler.parser import parse
from skillsandbox.grammar.export import BOUNDS, Bounds, Form, export
from skillsandbox.runtime.models.local import local_endpoint

FORM = pytest.mark.parametrize("form", [Form.GBNF, Form.LLGUIDANCE])
ENVIRONMENT = pytest.mark.parametrize("environment", ["alfworld", "webshop"])
SHORT = Bounds(text=12, name=6, items=1, depth=1)
"""Bounds within which a model without sense is done after some hundred tokens."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with local_endpoint(serve=True) as endpoint:
        assert endpoint.address is not None
        yield endpoint.address.removesuffix("/v1")


def asked(server: str, environment: str, form: Form, bounds: Bounds, tokens: int, seed: int) -> Any:
    """Return llama.cpp's answer to a prompt; the model is hot enough to write whatever it is let."""
    body = {
        "prompt": f"Write a scenario for {environment}.\n",
        "grammar": export(environments()[environment]().grammar(), form, bounds),
        "n_predict": tokens,
        "temperature": 1.5,
        "top_k": 0,
        "seed": seed,
    }
    request = urllib.request.Request(
        f"{server}/completion", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@ENVIRONMENT
@FORM
def test_llama_cpp_keeps_to_the_grammar(server: str, environment: str, form: Form) -> None:
    """A server may drop a grammar that it cannot read without a word."""
    assert asked(server, environment, form, BOUNDS, 12, 0)["content"].startswith("scenario ")


@ENVIRONMENT
@pytest.mark.parametrize(("form", "seed"), [(Form.GBNF, 1), (Form.LLGUIDANCE, 2)])
def test_what_a_model_has_finished_parses(server: str, environment: str, form: Form, seed: int) -> None:
    """The seeds are such that it writes a whole scenario, and does not call the condition unsupported."""
    answer = asked(server, environment, form, SHORT, 400, seed)
    assert answer["stop_type"] == "eos"
    assert parse(Source("reply", answer["content"]), environments()).diagnostics == ()
