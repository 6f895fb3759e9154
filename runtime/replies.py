"""Reading a model's reply: what is taken for one, what is at fault with it, and asking once more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import attrs
import msgspec

from skillsandbox.runtime.models.request import LanguageModel, Message, Reply, Request
from skillsandbox.runtime.prompting import harmless, render

T = TypeVar("T")

RETRIES = 1
"""How often a model is asked again after a reply that could not be read."""

_MOST_SHOWN = 2000
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"^[ \t]*(```+|~~~+)[^`\n]*\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)


class Unreadable(Exception):  # noqa: N818 - it is what a reply is, not an error of the program
    """A reply is not what was asked for; the text completes the sentence "The reply …"."""


@attrs.frozen
class Answer(Generic[T]):
    """What was read from a model's replies: the value, or None where none could be read.

    `text` is the last reply as it came; `faults` says of each reply that was not taken why, in order.
    """

    value: T | None
    text: str
    faults: tuple[str, ...]


def asked(model: LanguageModel, request: Request, read: Callable[[Reply], T]) -> Answer[T]:
    """Ask, and once more where the reply cannot be read, told what was wrong with it.

    Raises:
        ModelFault: the model could not be asked.
    """
    faults: list[str] = []
    asking = request
    while True:
        reply = model.ask(asking)
        try:
            return Answer(read(reply), reply.text, tuple(faults))
        except Unreadable as fault:
            faults.append(str(fault))
        if len(faults) > RETRIES:
            return Answer(None, reply.text, tuple(faults))
        again = (shown_reply(reply.text), Message("user", render("retry", fault=faults[-1])))
        asking = attrs.evolve(request, messages=(*request.messages, *again), attempt=len(faults))


def finished_text(reply: Reply) -> str:
    """Return a reply's text without the reasoning that some models put before it.

    Raises:
        Unreadable: the reply did not end by itself, or says nothing.
    """
    match reply.finish:
        case "stop":
            pass
        case "length":
            raise Unreadable("was cut off before its end; a shorter one is needed")
        case "content_filter":
            raise Unreadable("was withheld by the provider")
        case other:
            raise Unreadable(f"ended with {other!r}")
    text = _THOUGHT.sub("", reply.text).strip()
    if not text:
        raise Unreadable("is empty")
    return text


def only_block(text: str) -> str | None:
    """Return what stands in a text's fenced block of code, if it has one and no more."""
    found = _FENCED.findall(text)
    return found[0][1].strip() if len(found) == 1 else None


def read_json(reply: Reply, kind: type[T]) -> T:
    """Return a reply that is one JSON object, bare or in a fenced block, as a value of a class.

    Keys that the class lacks are left out of account.

    Raises:
        Unreadable: it is no such reply.
    """
    text = finished_text(reply)
    try:
        data = _one_object(text)
    except Unreadable:
        block = only_block(text)
        if block is None:
            raise
        data = _one_object(block)
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise Unreadable(f"is not of the form asked for: {error}") from error


def shown_reply(text: str) -> Message:
    """Return a reply as a turn of the conversation, shortened; endpoints refuse a turn that is empty."""
    shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
    return Message("assistant", harmless(shown).strip() or "(nothing)")


def _one_object(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text, object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is not one JSON object: {_why(error)}") from error
    if not isinstance(data, dict):
        raise Unreadable("is JSON, but no object")
    if _LONE_SURROGATE.search(json.dumps(data, ensure_ascii=False)):
        raise Unreadable("holds half of a character")
    return data


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise Unreadable("gives a key of its JSON object twice")
    return data


def _why(error: Exception) -> str:
    match error:
        case json.JSONDecodeError(msg="Extra data"):
            return "something follows it"
        case json.JSONDecodeError(msg=problem, lineno=line, colno=column):
            return f"line {line}, column {column}: {problem[0].lower()}{problem[1:]}"
        case _:
            return "it is nested too deeply, or holds too long a number"
