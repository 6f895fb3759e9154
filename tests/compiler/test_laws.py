"""Laws of the passes before binding, on programs that are drawn from each environment's interface."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject
from installed import ENVIRONMENTS, INTERFACES, diagnosed, errors_in, program
from programs import LINES, comment_text, mutilated, programs

from skillsandbox.compiler import scanner
from skillsandbox.compiler.diagnostics import Diagnostic, Source
from skillsandbox.compiler.errors import WordingRefused
from skillsandbox.compiler.parser import decode, parse
from skillsandbox.compiler.printer import print_program
from skillsandbox.compiler.rendering import apply_fixes, to_data, to_terminal

ENVIRONMENT = pytest.mark.parametrize("environment", sorted(ENVIRONMENTS))
DRAWN = settings(
    max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def drawn_text(data: DataObject, environment: str) -> str:
    """Draw a program and print it."""
    return print_program(data.draw(programs(environment, INTERFACES[environment])), INTERFACES)


def comments_of(text: str) -> list[str]:
    """Return the texts of all comments, in order."""
    return [comment_text(one.text[1:]) for one in scanner.outline(text, 1000).comments]


def assert_well_formed(diagnostic: Diagnostic, text: str) -> None:
    """Check that a diagnostic speaks of the text, and that it can be shown."""
    places = [diagnostic.span, *(note.span for note in diagnostic.notes)]
    places += [edit.span for edit in diagnostic.fix.edits] if diagnostic.fix else []
    for span in places:
        assert 0 <= span.start <= span.end <= len(text)
    assert re.fullmatch(r"SCN\d{3}", diagnostic.code)
    assert to_data(diagnostic, Source("test", text))["message"]
    assert diagnostic.code in to_terminal(diagnostic, Source("test", text))


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_what_is_printed_parses_to_what_it_was_printed_from(environment: str, data: DataObject) -> None:
    drawn = data.draw(programs(environment, INTERFACES[environment]))
    assert program(print_program(drawn, INTERFACES)) == drawn


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_programs_that_are_well_typed_by_construction_have_no_errors(
    environment: str, data: DataObject
) -> None:
    """An environment may still refuse words: that is no matter of types."""
    found = errors_in(drawn_text(data, environment))
    assert [one for one in found if not isinstance(one, WordingRefused)] == []


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_layout_means_nothing_and_formatting_it_away_changes_no_program(
    environment: str, data: DataObject
) -> None:
    text = drawn_text(data, environment)
    spread = respaced(data, text)
    assert bare(spread) == bare(text)


def bare(text: str) -> str:
    """Return the canonical text of a program without its comments."""
    printed = print_program(program(text), INTERFACES)
    return print_program(program(without_comments(printed)), INTERFACES)


def without_comments(text: str) -> str:
    """Return a text without its comments."""
    for comment in reversed(scanner.outline(text, 1000).comments):
        text = text[: comment.span.start] + text[comment.span.end :]
    return text


def respaced(data: DataObject, text: str) -> str:
    """Draw other white space between the tokens of a text, with comments in it."""
    tokens = [token for token in scanner.scan(text) if token.kind != "comment"]
    places = [token.span.start for token in tokens if not is_glued(text, token.span.start)]
    spaces = st.sampled_from([" ", "\n", "\t", "\r\n", "  ", " # a\n", "\n#b\n#\n"])
    chosen = data.draw(st.lists(st.tuples(st.sampled_from(places), spaces), max_size=8))
    for place, space in sorted(chosen, reverse=True):
        text = text[:place] + space + text[place:]
    return text


def is_glued(text: str, offset: int) -> bool:
    """Say whether what starts here continues a token, such as the `.price` of `$1.price`."""
    return offset > 0 and not text[offset - 1].isspace() and text[offset - 1] not in "([{"


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_formatting_twice_is_formatting_once(environment: str, data: DataObject) -> None:
    once = print_program(program(respaced(data, drawn_text(data, environment))), INTERFACES)
    assert print_program(program(once), INTERFACES) == once


@ENVIRONMENT
@DRAWN
@given(data=st.data(), remarks=st.lists(st.tuples(st.integers(0, 200), LINES, st.booleans()), max_size=5))
def test_comments_survive_formatting_in_their_order(
    environment: str, data: DataObject, remarks: list[tuple[int, str, bool]]
) -> None:
    lines = drawn_text(data, environment).split("\n")
    for number, remark, own_line in remarks:
        place = number % len(lines)
        if own_line:
            lines.insert(place, f"   # {remark}")
        elif "#" not in lines[place]:
            lines[place] += f" # {remark}"
    text = "\n".join(lines)
    assert comments_of(print_program(program(text), INTERFACES)) == comments_of(text)


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_a_mutilated_program_is_diagnosed_or_still_a_program(environment: str, data: DataObject) -> None:
    text = data.draw(mutilated(drawn_text(data, environment)))
    found = diagnosed(text)
    for diagnostic in found:
        assert_well_formed(diagnostic, text)
    parsed = parse(Source("test", text), ENVIRONMENTS)
    if not parsed.diagnostics:
        assert program(print_program(parsed.program, INTERFACES)) == parsed.program


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_a_fix_removes_its_diagnostic(environment: str, data: DataObject) -> None:
    text = data.draw(mutilated(drawn_text(data, environment)))
    for diagnostic in diagnosed(text):
        if diagnostic.fix is not None:
            fixed = apply_fixes(text, [diagnostic])
            left = [(one.code, one.span.start, one.message) for one in diagnosed(fixed)]
            assert (diagnostic.code, diagnostic.span.start, diagnostic.message) not in left


@given(st.text() | st.text(st.sampled_from('scenario for alfworld{}"#\n?. ')))
def test_any_other_text_is_diagnosed(text: str) -> None:
    found = diagnosed(text)
    assert found
    for diagnostic in found:
        assert_well_formed(diagnostic, text)


@given(st.binary())
def test_any_bytes_are_diagnosed(data: bytes) -> None:
    source: Any = decode(data, "test")
    assert isinstance(source, Diagnostic) or diagnosed(source.text)
