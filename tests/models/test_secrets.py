"""Keys come from the environment, and go to the endpoint alone."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from asking import asks, model_at
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scripted import Answer, Fault, Received, Say, ScriptedServer

from skillsandbox.runtime.cli import app
from skillsandbox.runtime.models.redaction import redactor
from skillsandbox.runtime.models.request import ModelFault

KEY = "sk-proj-0123456789abcdefghij/+="


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a key in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def echo(request: Received) -> str:
    """Return what an endpoint may say that shows all it got."""
    return f"wrong key: {request.headers['authorization']} in {dict(request.headers)}"


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_an_error_that_shows_the_key_is_told_without_it(
    server: ScriptedServer,
    tmp_path: Path,
    status: int,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    server.script = lambda request: Fault(status, echo(request))
    with (
        caplog.at_level(logging.DEBUG),
        model_at(server, tmp_path, run="run", tries=2) as opened,
        pytest.raises(ModelFault) as raised,
    ):
        opened.model.ask(asks())
    told = "".join(traceback.format_exception(raised.value))
    assert "wrong key" in told
    out, err = capfd.readouterr()
    for text in (told, caplog.text, out, err, *files(tmp_path)):
        assert KEY not in text
    assert server.completions[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_reply_that_shows_the_key_is_given_and_kept_without_it(
    server: ScriptedServer, tmp_path: Path
) -> None:
    def script(request: Received) -> Answer:
        return Say(echo(request))

    server.script = script
    with model_at(server, tmp_path, run="run") as opened:
        reply = opened.model.ask(asks())
    assert "wrong key" in reply.text
    assert KEY not in reply.text
    assert not any(KEY in text for text in files(tmp_path))


def files(folder: Path) -> list[str]:
    return [path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()]


def test_the_identity_of_a_model_holds_no_key(server: ScriptedServer, tmp_path: Path) -> None:
    with model_at(server, tmp_path) as opened:
        assert opened.model.identity == f"openai/scripted at {server.url}"


@pytest.mark.parametrize(
    "address", ["http://user:secret@host/v1", "http://host/v1?key=secret", "host", "ftp://host"]
)
def test_an_address_that_could_hold_a_key_is_refused(address: str) -> None:
    result = CliRunner().invoke(app, ["models", "check", "--model", "openai/x", "--api-base", address])
    assert result.exit_code == 2
    assert "secret" not in result.output.replace(f"'{address}'", "")


def test_a_server_of_ones_own_needs_no_key(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    server.script = [Say("a reply")]
    with model_at(server, tmp_path) as opened:
        assert opened.model.ask(asks()).text == "a reply"


def test_a_missing_key_is_told_by_the_name_of_its_variable(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with (
        model_at(server, tmp_path, api_base=None) as opened,
        pytest.raises(ModelFault, match="the environment has no OPENAI_API_KEY"),
    ):
        opened.model.ask(asks())


@given(st.text(min_size=8), st.text(), st.text())
def test_values_of_keys_are_replaced_by_names(value: str, before: str, after: str) -> None:
    redact = redactor({"MY_API_KEY": value, "HOME": before, "SHORT_TOKEN": after[:7]})
    if value not in "[MY_API_KEY]":
        assert value not in redact(f"{before}{value}{after}")


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "azure_password", "X_SECRET"]
)
def test_variables_that_hold_keys_are_known_by_their_names(name: str) -> None:
    assert redactor({name: "12345678"})("key 12345678.") == f"key [{name}]."


def test_a_key_within_another_hides_no_part_of_it() -> None:
    redact = redactor({"A_API_KEY": "abcdefgh", "B_API_KEY": "abcdefghij"})
    assert redact("abcdefghij abcdefgh") == "[B_API_KEY] [A_API_KEY]"


WATCHED = """
import socket, sys
from pathlib import Path
places = []
def watch(event, arguments):
    if event == "socket.getaddrinfo":
        places.append(str(arguments[0]))
    elif event == "socket.connect" and arguments[0].family != socket.AF_UNIX:
        places.append(str(arguments[1][0]))
sys.addaudithook(watch)
from asking import asks
from skillsandbox.runtime.models.options import ModelOptions, open_model
from skillsandbox.runtime.models.request import JsonReply
address, folder = sys.argv[1:]
options = ModelOptions(
    model="openai/gpt-4o-mini",
    api_base=address,
    embedding_model="openai/text-embedding-3-small",
    embedding_api_base=address,
    cache=Path(folder) / "cache",
    budget_dollars=1,
)
with open_model(options, Path(folder) / "run") as opened:
    opened.model.ask(asks())
    opened.model.ask(asks(constraint=JsonReply("reply", {"type": "object"})))
    opened.embedder.embed(("a text",))
    assert opened.price is not None
print(sorted(set(places)))
"""


def test_nothing_is_sent_anywhere_but_to_the_model(server: ScriptedServer, tmp_path: Path) -> None:
    server.script = lambda request: Say("a reply", usage=False)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, "-c", WATCHED, server.url, str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert run.stdout.splitlines()[-1:] == ["['127.0.0.1']"], run.stderr
