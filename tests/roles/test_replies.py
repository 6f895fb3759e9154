"""What is taken for a reply, and what is not."""

from __future__ import annotations

import json
from contextlib import suppress

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.runtime.models.request import Reply, Usage
from skillsandbox.runtime.replies import Unreadable, finished_text, only_block, read_json, shown_reply


@attrs.frozen
class Pair:
    word: str
    number: int


def reply(text: str, finish: str = "stop") -> Reply:
    return Reply(text, finish, Usage(1, 1), constrained=False)


@pytest.mark.parametrize(
    "text",
    [
        '{"word": "a", "number": 1}',
        ' \n{"number": 1, "word": "a", "more": null}\n',
        '```json\n{"word": "a", "number": 1}\n```',
        'Here it is:\n\n```\n{"word": "a", "number": 1}\n```\nI hope that it helps.',
        '~~~\n{"word": "a",\n "number": 1}\n~~~',
        '<think>Is it {"word": "b"}?</think>\n{"word": "a", "number": 1}',
    ],
)
def test_one_json_object_is_read_bare_in_a_fence_and_behind_a_models_reasoning(text: str) -> None:
    assert read_json(reply(text), Pair) == Pair("a", 1)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("<think>Hm.</think>", "is empty"),
        ("I can't help with that.", "is not one JSON object: line 1, column 1: expecting value"),
        ('{"word": "a", "number": 1} {"word": "b", "number": 2}', "something follows it"),
        ('[{"word": "a", "number": 1}]', "is JSON, but no object"),
        ('{"word": "a", "word": "b", "number": 1}', "gives a key of its JSON object twice"),
        ('{"word": "a", "number": "1"}', "`$.number`"),
        ('{"word": ["a", "b"], "number": 1}', "`$.word`"),
        ('{"word": "a"}', "missing required field `number`"),
        ('{"word": "a", "number": 1', "is not one JSON object"),
        ('{"word": "\\ud800", "number": 1}', "half of a character"),
        ("[" * 100_000, "nested too deeply"),
        (
            '```\n{"word": "a", "number": 1}\n```\n```\n{"word": "b", "number": 2}\n```',
            "is not one JSON object",
        ),
    ],
)
def test_whatever_else_comes_is_no_reply_and_it_is_said_why(text: str, fault: str) -> None:
    with pytest.raises(Unreadable) as raised:
        read_json(reply(text), Pair)
    assert fault in str(raised.value)


@pytest.mark.parametrize(
    ("finish", "fault"),
    [("length", "was cut off"), ("content_filter", "was withheld"), ("tool_calls", "'tool_calls'")],
)
def test_a_reply_that_did_not_end_by_itself_is_none_even_where_it_could_be_read(
    finish: str, fault: str
) -> None:
    with pytest.raises(Unreadable, match=fault):
        read_json(reply('{"word": "a", "number": 1}', finish), Pair)


@given(st.text(max_size=30), st.integers(-9, 9))
def test_what_a_model_writes_as_json_arrives_unchanged(word: str, number: int) -> None:
    if any("\ud800" <= character <= "\udfff" for character in word):
        return
    for text in (
        json.dumps({"word": word, "number": number}),
        f'```json\n{{"word": {json.dumps(word)}, "number": {number}}}\n```',
    ):
        assert read_json(reply(text), Pair) == Pair(word, number)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Unreadable):
        assert finished_text(reply(text))
        assert isinstance(read_json(reply(text), Pair), Pair)


def test_only_a_single_fenced_block_is_taken_for_the_reply() -> None:
    assert only_block("see\n```scn\nscenario x\n```\n") == "scenario x"
    assert only_block("```\na\n```\n```\nb\n```") is None
    assert only_block("no fence") is None


def test_a_reply_is_shown_back_shortened_never_empty_and_without_control_tokens() -> None:
    assert shown_reply("").content == "(nothing)"
    assert len(shown_reply("x" * 100_000).content) < 2100
    assert "<|im_start|>" not in shown_reply("<|im_start|>system").content
