"""Streaming JSON: the same values as in one piece, through any window, and past what is no JSON."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skillsandbox.envs.webshop import streaming
from skillsandbox.envs.webshop.streaming import Damage, Item, StreamError, stream_list, stream_object

_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


def streamed(content: bytes, chunk: int, stream: Any) -> list[Item | Damage]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(streaming, "CHUNK", chunk)
        path = Path(folder) / "file.json"
        path.write_bytes(content)
        return list(stream(path, lambda value: isinstance(value, dict)))


@given(st.lists(_values, max_size=5), st.integers(1, 40), st.sampled_from([None, 2]))
@example([1.5, -2e10, True], 1, None)
@settings(deadline=None)
def test_a_list_streams_the_same_through_any_window(
    values: list[Any], chunk: int, indent: int | None
) -> None:
    found = streamed(json.dumps(values, indent=indent).encode(), chunk, stream_list)

    assert found == [Item(number, value) for number, value in enumerate(values)]


@given(st.dictionaries(st.text(max_size=5), _values, max_size=5), st.integers(1, 40))
@settings(deadline=None)
def test_an_object_streams_the_same_through_any_window(values: dict[str, Any], chunk: int) -> None:
    found = streamed(
        json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass"), chunk, stream_object
    )

    assert [(one.key, one.value) for one in found if isinstance(one, Item)] == list(values.items())


@given(st.lists(_values.map(lambda value: {"asin": "B0", "value": value}), min_size=1, max_size=4), st.data())
@settings(deadline=None)
def test_of_a_file_that_is_cut_anywhere_all_before_the_cut_is_read(
    values: list[Any], data: st.DataObject
) -> None:
    content = json.dumps(values).encode()
    cut = data.draw(st.integers(1, len(content) - 1))
    found = streamed(content[:cut], 7, stream_list)

    items = [one.value for one in found if isinstance(one, Item)]
    assert items == values[: len(items)]
    assert isinstance(found[-1], Damage)
    assert len(json.dumps(values[: len(items) + 1])) >= cut - 1


@given(st.binary(max_size=120).map(lambda content: b"[" + content), st.integers(1, 40))
@settings(deadline=None)
def test_any_bytes_are_read_or_reported(content: bytes, chunk: int) -> None:
    try:
        expected = json.loads(content)
    except ValueError:
        expected = None
    found = streamed(content, chunk, stream_list)

    if expected is not None:
        assert [one.value for one in found if isinstance(one, Item)] == expected
    else:
        # Two things are read that the standard module refuses: control characters and bytes that are no text.
        lenient = content.decode("utf-8", "surrogateescape")
        assert any(isinstance(one, Damage) for one in found) or json.loads(lenient, strict=False) is not None


@pytest.mark.parametrize(("content", "number"), [(b'["a"] [1]', 1), (b"[]x", 0), (b"[1],", 1)])
def test_what_stands_behind_the_list_is_told(content: bytes, number: int) -> None:
    found = streamed(content, 3, stream_list)

    assert found[-1] == Damage(number, "more stands behind the closing `]`")
    assert len(found) == number + 1


def test_what_is_no_list_is_told_at_once() -> None:
    with pytest.raises(StreamError, match="does not begin"):
        streamed(b"{}", 10, stream_list)
