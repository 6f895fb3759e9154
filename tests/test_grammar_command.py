"""`skillsandbox grammar`: what it prints, what it writes, and what it says where it can do neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from skillsandbox.compiler.environment import environments
from skillsandbox.grammar.export import Form
from skillsandbox.runtime.cli import NAME, app
from skillsandbox.runtime.grammars import exported


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["grammar", *arguments], prog_name=NAME, catch_exceptions=False)


@pytest.mark.parametrize("environment", ["alfworld", "webshop"])
@pytest.mark.parametrize("form", list(Form))
def test_a_form_is_printed_and_nothing_else(environment: str, form: Form) -> None:
    result = run(environment, "--for", form.value)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout == exported(environments()[environment](), form)


def test_a_form_is_written_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "new" / "alfworld.gbnf"
    result = run("alfworld", "--for", "gbnf", "-o", str(target))
    assert (result.exit_code, result.output) == (0, "")
    assert target.read_text("utf-8") == run("alfworld", "--for", "gbnf").stdout


def test_where_no_file_can_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("alfworld", "--for", "lark", "-o", str(tmp_path / "file" / "grammar"))
    assert result.exit_code == 1
    assert "file" in result.stderr


def test_an_environment_that_is_not_installed_is_named_with_those_that_are() -> None:
    result = run("mars", "--for", "lark")
    assert result.exit_code == 2
    assert "installed here: alfworld, webshop" in result.stderr


@pytest.mark.parametrize("arguments", [["alfworld"], ["alfworld", "--for", "antlr"], ["--for", "lark"]])
def test_the_forms_are_listed_where_none_is_asked_for_rightly(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_grammar_that_no_decoder_would_read_alike_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mars:
        def grammar(self) -> str:
            return "A: /x*?/\n"

    monkeypatch.setattr("skillsandbox.runtime.commands.grammar.environments", lambda: {"mars": Mars})
    result = run("mars", "--for", "lark")
    assert result.exit_code == 1
    assert "the grammar of mars cannot be exported: /x*?/ has a second quantifier" in result.stderr
