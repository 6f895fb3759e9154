"""One diagnostic, read by a person, by a model and by other tools."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wcwidth import wcswidth

from skillsandbox.compiler.diagnostics import Diagnostic, Edit, Fix, Note, Severity, Source, Span
from skillsandbox.compiler.rendering import apply_fixes, to_data, to_sarif, to_terminal


@attrs.frozen
class Misspelt(Diagnostic):
    """A word is not known.

    Words are written as the reference lists them.
    """

    code = "SCN901"
    word: str
    meant: str | None = None
    seen: Span | None = None

    @property
    def message(self) -> str:
        return f"`{self.word}` is not known"

    @property
    def expected(self) -> str | None:
        return self.meant

    @property
    def found(self) -> str:
        return self.word

    @property
    def help(self) -> str | None:
        return self.meant and "words are listed\nin the reference"

    @property
    def notes(self) -> tuple[Note, ...]:
        return (Note(self.seen, "declared here"),) if self.seen else ()

    @property
    def fix(self) -> Fix | None:
        return Fix(f"write {self.meant}", (Edit(self.span, self.meant),)) if self.meant else None


@attrs.frozen
class Odd(Diagnostic):
    """Something is odd."""

    code = "SCN900"
    severity = Severity.WARNING

    @property
    def message(self) -> str:
        return "this is odd"


@attrs.frozen
class Patch(Diagnostic):
    """A diagnostic that is nothing but its fix."""

    edits: tuple[Edit, ...]

    @property
    def fix(self) -> Fix:
        return Fix("patch", self.edits)


def patch(*edits: tuple[int, int, str]) -> Patch:
    made = tuple(Edit(Span(start, end), text) for start, end, text in edits)
    return Patch(made[0].span, made)


def span_of(part: str, text: str) -> Span:
    start = text.index(part)
    return Span(start, start + len(part))


def marked(text: str, span: Span, width: int = 100) -> list[tuple[str, str]]:
    """Return the excerpt of a warning: each line shown, with what the line below it underlines."""
    rows = [
        row.partition("| ")[2]
        for row in to_terminal(Odd(span), Source("p", text), width=width).split("\n")[3:]
    ]
    return [
        (shown, "".join(char for char, mark in zip(columns(shown), underline, strict=False) if mark == "^"))
        for shown, underline in pairwise(rows)
        if underline.strip(" ") and not underline.strip(" ^")
    ]


def columns(shown: str) -> list[str]:
    """Return for each column of a terminal what is shown there, a wide character in the first of its two."""
    found: list[str] = []
    for char in shown:
        width = wcswidth(char)
        if width == 0 and found:
            found[-1] += char
        else:
            found += [char, *[""] * (width - 1)]
    return found


def test_the_report_of_a_diagnostic_with_all_its_parts() -> None:
    text = "let ?tool\n" + "\n" * 8 + "put on Frige\n"
    diagnostic = Misspelt(span_of("Frige", text), "Frige", "Fridge", span_of("?tool", text))
    assert to_terminal(diagnostic, Source("dir/a.scn", text)) == (
        "error[SCN901]: `Frige` is not known\n"
        "  --> dir/a.scn:10:8\n"
        "   |\n"
        "10 | put on Frige\n"
        "   |        ^^^^^\n"
        "   = expected: Fridge\n"
        "   = found: Frige\n"
        "   = help: words are listed\n"
        "           in the reference\n"
        "   = fix: write Fridge\n"
        "note: declared here\n"
        "  --> dir/a.scn:1:5\n"
        "   |\n"
        " 1 | let ?tool\n"
        "   |     -----\n"
    )


@pytest.mark.parametrize(
    ("part", "shown_as"),
    [
        ("tab", "tab"),
        ("食べ", "食べ"),
        ("🍎", "🍎"),
        ("é́", "é́"),
        ("\x1b", "<U+001B>"),
        ("\u202e", "<U+202E>"),
        ("\u00a0", "<U+00A0>"),
        ("end", "end"),
    ],
)
def test_an_underline_stands_below_what_it_is_about(part: str, shown_as: str) -> None:
    text = "first\n\ttab\t食べ物 🍎 é́ \x1b[2J \u202e \u00a0 end\nlast"
    ((_, underlined),) = marked(text, span_of(part, text))
    assert underlined == shown_as


def test_part_of_a_cluster_underlines_the_whole_cluster() -> None:
    family = "👩\u200d👧"
    report = to_terminal(Odd(Span(3, 4)), Source("p", f"a {family} b"))
    assert report.split("\n")[3:5] == [f"1 | a {family} b", "  |   ^^"]


@pytest.mark.parametrize(
    ("text", "span", "line"),
    [
        ("abc", Span(3, 3), "  |    ^"),
        ("abc\n", Span(3, 4), "  |    ^"),
        ("abc\r\n", Span(3, 5), "  |    ^"),
        ("abc\n", Span(4, 4), "  | ^"),
        ("abc", Span(1, 1), "  |  ^"),
        ("", Span(0, 0), "  | ^"),
    ],
)
def test_an_empty_place_and_a_line_end_have_a_mark_of_their_own(text: str, span: Span, line: str) -> None:
    assert to_terminal(Odd(span), Source("p", text)).split("\n")[4] == line


def test_a_span_over_some_lines_underlines_each_without_its_indentation() -> None:
    text = "build {\n  place x\n\n} goal\nnext"
    lines = [("build {", "{"), ("  place x", "place x"), ("} goal", "}")]
    assert marked(text, Span(6, text.index("}") + 1)) == lines


def test_a_span_that_ends_with_a_line_break_does_not_show_the_next_line() -> None:
    text = "one\ntwo\nthree"
    assert marked(text, Span(0, text.index("three"))) == [("one", "one"), ("two", "two")]


def test_of_a_span_over_many_lines_only_the_ends_are_shown() -> None:
    text = "\n".join(f"line{number}" for number in range(1, 31))
    report = to_terminal(Odd(Span(0, len(text))), Source("p", text))
    assert re.findall(r"line\d+|^\.\.\.$", report, re.MULTILINE) == [
        "line1",
        "line2",
        "line3",
        "...",
        "line30",
    ]


@given(
    before=st.integers(0, 300),
    after=st.integers(0, 300),
    filler=st.sampled_from(["x", "食", "\t", "\x00", "é"]),
)
def test_of_a_long_line_the_part_around_the_span_is_shown(before: int, after: int, filler: str) -> None:
    text = filler * before + "Frige" + filler * after
    ((shown, underlined),) = marked(text, span_of("Frige", text), width=60)
    assert underlined == "Frige"
    assert wcswidth(shown) <= 60 - len("1 | ")


@given(before=st.integers(0, 300), after=st.integers(0, 300), filler=st.sampled_from(["x", "食"]))
def test_what_is_cut_from_a_line_is_marked_by_an_ellipsis(before: int, after: int, filler: str) -> None:
    text = filler * before + "Frige" + filler * after
    ((shown, _),) = marked(text, span_of("Frige", text), width=60)
    assert shown.startswith(("…", f"{filler * before}F"))
    assert shown.endswith(("…", f"e{filler * after}"))


def test_the_head_of_a_span_longer_than_the_page_is_shown() -> None:
    text = "a" * 100 + "b" * 500
    ((shown, underlined),) = marked(text, span_of("b" * 500, text), width=60)
    assert set(underlined) == {"b"}
    assert shown.endswith("b…")
    assert shown.count("b") == len(underlined)


def test_a_span_at_the_end_of_a_long_line_is_shown_with_all_before_it_that_has_room() -> None:
    text = "x" * 100 + "Frige"
    ((shown, _),) = marked(text, span_of("Frige", text), width=60)
    assert re.fullmatch("…x{45,}Frige", shown)


def test_of_a_line_as_long_as_a_program_the_part_around_the_span_is_shown() -> None:
    text = "\u0301" * 5000 + "Frige" + "\u0301" * 5000
    ((shown, underlined),) = marked(text, span_of("Frige", text), width=60)
    assert (shown[0], shown[-1]) == ("…", "…")
    assert underlined.replace("\u0301", "") == "Frige"
    assert len(shown) < 2000


def test_a_tab_leads_to_the_next_multiple_of_four_columns() -> None:
    report = to_terminal(Odd(Span(0, 1)), Source("p", "a\tbcd\tefgh\t食\ti"))
    assert report.split("\n")[3] == "1 | a   bcd efgh    食  i"


HOSTILE = st.text(
    st.characters() | st.sampled_from("\x1b\x9b\r\n\t\x07\u200d\u202e\u2028\u1100🍎é食"), max_size=60
)


@given(HOSTILE, HOSTILE, HOSTILE, st.integers(0, 60), st.integers(0, 60))
@example("\x1b", "\x1b", "\x1b\n\x1b", 0, 1)
def test_no_text_makes_a_report_emit_control_characters(
    name: str, text: str, word: str, start: int, end: int
) -> None:
    span = Span(*sorted((min(start, len(text)), min(end, len(text)))))
    diagnostic, source = Misspelt(span, word, word, span), Source(name, text)
    plain = to_terminal(diagnostic, source, width=40)
    assert all(char.isprintable() or char in "\n\u200c\u200d" for char in plain)
    coloured = to_terminal(diagnostic, source, width=40, colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_a_joiner_is_shown_where_nothing_is_joined() -> None:
    assert "fo<U+200D>od" in to_terminal(Odd(Span(0, 1)), Source("p", "fo\u200dod"))


def test_one_colour_code_opens_and_one_closes_each_painted_part() -> None:
    report = to_terminal(Misspelt(Span(0, 1), "x", "y"), Source("p", "x"), colour=True)
    assert "\x1b[1;31merror[SCN901]\x1b[0m" in report
    codes = re.findall(r"\x1b\[([0-9;]*)m", report)
    assert all(code != "0" for code in codes[::2])
    assert all(code == "0" for code in codes[1::2])


def test_data_names_places_by_line_column_offset_and_text() -> None:
    text = "let ?tool\nput 食 on Frige\n"
    span, seen = span_of("Frige", text), span_of("?tool", text)
    place = {
        "start": {"line": 2, "column": 10, "offset": 19},
        "end": {"line": 2, "column": 15, "offset": 24},
        "text": "Frige",
    }
    data = to_data(Misspelt(span, "Frige", "Fridge", seen), Source("a.scn", text))
    assert data == {
        "code": "SCN901",
        "severity": "error",
        "message": "`Frige` is not known",
        **place,
        "expected": "Fridge",
        "found": "Frige",
        "help": "words are listed\nin the reference",
        "notes": [
            {
                "message": "declared here",
                "start": {"line": 1, "column": 5, "offset": 4},
                "end": {"line": 1, "column": 10, "offset": 9},
                "text": "?tool",
            }
        ],
        "fix": {"title": "write Fridge", "edits": [{**place, "replacement": "Fridge"}]},
    }
    assert json.loads(json.dumps(data)) == data


def test_data_says_none_for_what_a_diagnostic_does_not_say() -> None:
    data = to_data(Odd(Span(0, 0)), Source("a.scn", ""))
    assert (data["severity"], data["expected"], data["help"], data["fix"]) == ("warning", None, None, None)
    assert data["notes"] == []


# The properties of SARIF 2.1.0 (OASIS standard, section 3) that our logs use: for each object those that it
# requires, and then all that it has here.
SARIF: dict[str, tuple[set[str], dict[str, str]]] = {
    "sarifLog": ({"version", "runs"}, {"$schema": "uri", "version": "2.1.0", "runs": "[run]"}),
    "run": (
        {"tool"},
        {"tool": "tool", "columnKind": "columnKind", "artifacts": "[artifact]", "results": "[result]"},
    ),
    "tool": ({"driver"}, {"driver": "toolComponent"}),
    "toolComponent": ({"name"}, {"name": "str", "version": "str", "rules": "[reportingDescriptor]"}),
    "reportingDescriptor": (
        {"id"},
        {
            "id": "str",
            "name": "str",
            "shortDescription": "message",
            "fullDescription": "message",
            "defaultConfiguration": "reportingConfiguration",
        },
    ),
    "reportingConfiguration": (set(), {"level": "level"}),
    "message": ({"text"}, {"text": "str"}),
    "artifact": (set(), {"location": "artifactLocation"}),
    "artifactLocation": (set(), {"uri": "uri"}),
    "result": (
        {"message"},
        {
            "ruleId": "str",
            "ruleIndex": "int",
            "level": "level",
            "message": "message",
            "locations": "[location]",
            "relatedLocations": "[location]",
            "fixes": "[fix]",
        },
    ),
    "location": (set(), {"id": "int", "message": "message", "physicalLocation": "physicalLocation"}),
    "physicalLocation": ({"artifactLocation"}, {"artifactLocation": "artifactLocation", "region": "region"}),
    "region": (
        {"startLine"},
        {"startLine": "place", "startColumn": "place", "endLine": "place", "endColumn": "place"},
    ),
    "fix": ({"artifactChanges"}, {"description": "message", "artifactChanges": "[artifactChange]"}),
    "artifactChange": (
        {"artifactLocation", "replacements"},
        {"artifactLocation": "artifactLocation", "replacements": "[replacement]"},
    ),
    "replacement": ({"deletedRegion"}, {"deletedRegion": "region", "insertedContent": "artifactContent"}),
    "artifactContent": (set(), {"text": "str"}),
}


def assert_conforms(value: Any, kind: str) -> None:
    """Check a part of a SARIF log against what the standard says of its kind."""
    match kind:
        case "str":
            assert isinstance(value, str)
        case "uri":
            assert re.fullmatch(r"[A-Za-z0-9._~:/%-]+", value)
        case "int":
            assert value >= 0
        case "place":
            assert value >= 1
        case "level":
            assert value in ("none", "note", "warning", "error")
        case "columnKind":
            assert value in ("utf16CodeUnits", "unicodeCodePoints")
        case "2.1.0":
            assert value == "2.1.0"
        case _ if kind.startswith("["):
            assert isinstance(value, list)
            for item in value:
                assert_conforms(item, kind[1:-1])
        case _:
            required, allowed = SARIF[kind]
            assert required <= value.keys() <= allowed.keys()
            for name, part in value.items():
                assert_conforms(part, allowed[name])


TEXT = "let ?tool\nput 🍎 on Frige\n"
KINDS = (Misspelt, Odd)
FOUND: dict[Source, list[Diagnostic]] = {
    Source("dir/ä b.scn", TEXT): [
        Misspelt(span_of("Frige", TEXT), "Frige", "Fridge", span_of("?tool", TEXT)),
        Odd(Span(len(TEXT), len(TEXT))),
    ],
    Source("/abs/<x>.scn", "x"): [Odd(Span(0, 0))],
    Source("clean.scn", ""): [],
}


def test_a_sarif_log_has_the_structure_of_the_standard() -> None:
    log = to_sarif(FOUND, KINDS, "1.0")
    assert_conforms(log, "sarifLog")
    assert json.loads(json.dumps(log)) == log


def test_a_sarif_result_points_to_its_rule_and_its_place() -> None:
    (run,) = to_sarif(FOUND, KINDS, "1.0")["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["SCN900", "SCN901"]
    assert rules[1]["shortDescription"]["text"] == "A word is not known."
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert [result["level"] for result in run["results"]] == ["error", "warning", "warning"]
    assert [unquote(artifact["location"]["uri"]) for artifact in run["artifacts"]] == [
        "dir/ä b.scn",
        "file:///abs/<x>.scn",
        "clean.scn",
    ]
    misspelt = run["results"][0]
    assert misspelt["message"]["text"].startswith("`Frige` is not known\nexpected: Fridge\n")
    region = {"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 15}
    assert run["columnKind"] == "unicodeCodePoints"
    assert misspelt["locations"][0]["physicalLocation"]["region"] == region
    assert misspelt["relatedLocations"][0]["message"]["text"] == "declared here"
    (change,) = misspelt["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "Fridge"}}]


@pytest.mark.parametrize(
    ("patches", "expected"),
    [
        ([], "abcdef"),
        ([patch((0, 1, "A")), patch((4, 6, ""))], "Abcd"),
        ([patch((4, 6, "")), patch((0, 1, "AAAA"))], "AAAAbcd"),
        ([patch((0, 3, "x")), patch((2, 4, "y"))], "xdef"),
        ([patch((2, 4, "y")), patch((0, 3, "x"))], "abyef"),
        ([patch((0, 2, "x")), patch((2, 4, "y"))], "xyef"),
        ([patch((2, 2, "x")), patch((2, 4, "y"))], "abxyef"),
        ([patch((4, 4, "x")), patch((2, 4, "y"))], "abyxef"),
        ([patch((3, 3, "x")), patch((2, 4, "y"))], "abcxdef"),
        ([patch((2, 2, "x")), patch((2, 2, "y"))], "abxcdef"),
        ([patch((2, 2, "x")), patch((2, 2, "x"))], "abxcdef"),
        ([patch((0, 1, "A")), patch((0, 1, "B"), (5, 6, "F"))], "Abcdef"),
        ([patch((0, 1, "A"), (5, 6, "F")), patch((2, 3, "C"))], "AbCdeF"),
    ],
)
def test_fixes_are_applied_whole_and_the_first_of_two_that_clash(patches: list[Patch], expected: str) -> None:
    assert apply_fixes("abcdef", patches) == expected


def test_a_diagnostic_without_a_fix_changes_nothing() -> None:
    assert apply_fixes("abc", [Odd(Span(0, 1))]) == "abc"
