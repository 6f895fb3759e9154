"""`skillsandbox models`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from skillsandbox.runtime.complaints import complaining
from skillsandbox.runtime.models.options import ModelOptions, model_options, open_model

if TYPE_CHECKING:
    from rich.table import Table

    from skillsandbox.runtime.models.accounting import Price
    from skillsandbox.runtime.models.checking import Findings


@click.group("models")
def command() -> None:
    """Say what a language model's endpoint can do."""


@command.command("check")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def check(model_options: ModelOptions, as_json: bool) -> None:
    """Send a model the few tiny requests that show what its endpoint can do.

    Which constraints on replies it keeps is found out by a request whose reply could otherwise only be
    guessed, since a server can take a constraint and ignore it. What is found holds for later runs. Exit code
    1 if the model cannot be asked.
    """
    from skillsandbox.runtime.models.checking import check as checked

    if model_options.model is None:
        raise click.UsageError("which model? Give --model PROVIDER/NAME, or --model local.")
    if model_options.replay:
        raise click.UsageError("a check sends requests, and --replay sends none")
    with complaining(), open_model(model_options) as opened:
        findings = checked(opened)
    if as_json:
        click.echo(json.dumps(_data(findings), indent=1))
    else:
        from rich.console import Console

        Console().print(_table(findings))
    raise SystemExit(0 if findings.fault is None else 1)


def _data(findings: Findings) -> dict[str, Any]:
    price, usage = findings.price, findings.sent.usage
    return {
        "model": findings.identity,
        "reply": findings.reply,
        "finish": findings.finish,
        "json_schema": findings.json_schema,
        "grammar": findings.grammar,
        "same_reply_for_same_seed": findings.repeats,
        "dollars_for_a_million_tokens": None if price is None else [str(price.prompt), str(price.completion)],
        "embedding_dimensions": findings.dimensions,
        "embedding_fault": findings.fault,
        "sent": {
            "requests": findings.sent.requests,
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "dollars": None if usage.cost is None else str(usage.cost),
        },
    }


def _table(findings: Findings) -> Table:
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(findings.identity), show_header=False, title_justify="left")
    for name, found in _rows(findings):
        table.add_row(name, escape(found))
    return table


def _rows(findings: Findings) -> list[tuple[str, str]]:
    tokens = findings.sent.usage.prompt_tokens + findings.sent.usage.completion_tokens
    rows = [
        ("reply", f"{_shortened(findings.reply)} ({findings.finish})"),
        ("JSON by a schema", "kept" if findings.json_schema else "not kept: replies are checked"),
        ("text by a grammar", _grammar(findings.grammar)),
        ("same seed, same reply", "yes" if findings.repeats else "no: only the cache repeats replies"),
        ("price of a million tokens", _price(findings.price)),
        ("sent", f"{findings.sent.requests} requests, {tokens} tokens"),
    ]
    if findings.dimensions is not None:
        rows.append(("embeddings", f"{findings.dimensions} dimensions"))
    if findings.fault is not None:
        rows.append(("embeddings", findings.fault))
    return rows


def _grammar(way: str | None) -> str:
    return "not kept: replies are checked" if way is None else f"kept, as {way}"


def _price(price: Price | None) -> str:
    if price is None:
        return "unknown: give --price"
    return f"{price.prompt:f} dollars of prompts, {price.completion:f} of completions"


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:60]}…"
