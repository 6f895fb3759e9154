"""Syntax errors: each is found in one run, where it is, with what was most likely meant."""

from __future__ import annotations

import re

import pytest
from installed import ENVIRONMENTS, errors_in, program

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Diagnostic, Fix, Source
from skillsandbox.compiler.errors import UnexpectedInput
from skillsandbox.compiler.parser import LARGEST_SCENARIO, decode, parse
from skillsandbox.compiler.rendering import apply_fixes

SOUND = """\
# The skill says: fetch the object first.
scenario bread for alfworld {
  condition "The tool is elsewhere." arises in rollout
  let ?food: Object where ?food.type in [Bread, Apple]
  let ?tool: Receptacle where ?tool.type == Fridge and distance(?tool, ?dest) >= 4
  let ?dest: Receptacle where ?dest.type == CounterTop
  goal put cool ?food.type in ?dest.type
  say "put a cool {?food.type} in {?dest.type}"
  build {
    place ?food on ?dest for near
    close ?tool
    add 2 Mug except on ?dest  # distractors
  }
  require {
    near: ?food on ?dest
    shut: not ?tool.open
  }
  encounter {
    needed: eventually (agent at ?tool and agent holds ?food)
  }
  novel in scene, ?food.type
}
"""


def changed(*changes: tuple[str, str]) -> str:
    """Return the sound program with the first occurrence of each text replaced."""
    text = SOUND
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def places(text: str) -> list[str]:
    """Return what the errors in a text point at."""
    return [text[one.span.start : one.span.end] for one in errors_in(text)]


def only(text: str) -> Diagnostic:
    (one,) = errors_in(text)
    return one


def fix_of(text: str) -> Fix:
    fix = only(text).fix
    assert fix is not None
    return fix


def test_the_sound_program_is_sound() -> None:
    assert errors_in(SOUND) == []


@pytest.mark.parametrize(
    ("old", "new", "found", "meant"),
    [
        ("scenario bread", "scenario FreshBread", "FreshBread", "fresh_bread"),
        ("condition", "conditon", "conditon", "condition"),
        ("in rollout", "in rolout", "rolout", "rollout"),
        ("?food: Object", "food: Object", "food", "?food"),
        (": Object", ": object", "object", "Object"),
        ("== Fridge", "= Fridge", "=", "=="),
        ("== Fridge", "is Fridge", "is", "=="),
        ("== Fridge", "== fridge", "fridge", "Fridge"),
        ("== Fridge", "== Frige", "Frige", "Fridge"),
        ("== Fridge", '== "Fridge"', '"Fridge"', "Fridge"),
        ("Fridge and", "Fridge &&", "&&", "and"),
        ("?tool.type ==", "?tool.typ ==", "typ", "type"),
        ("goal put", "gaol put", "gaol", "goal"),
        ("put cool", "put cooled", "cooled", "cool"),
        ("in ?dest.type\n", "into ?dest.type\n", "into", "in"),
        ("cool ?food.type", "cool ?food", "?food", "?food.type"),
        ("{?food.type}", "{food.type}", "food", "?food"),
        ("{?food.type}", "{?food}", "?food", "?food.type"),
        ("put a cool {", "put a } cool {", "}", "\\}"),
        ("put a cool {", "put a \\cool {", "\\c", "\\\\c"),
        ("for near", "for naer", "naer", "near"),
        ("require {", "requires {", "requires", "require"),
        ("near: ?food", "near ?food", "near", "near:"),
        ("not ?tool.open", "! ?tool.open", "!", "not"),
        ("eventually", "eventualy", "eventualy", "eventually"),
        ("holds ?food", "holds ?fod", "?fod", "?food"),
        ("novel in scene", "novel in scenes", "scenes", "scene"),
    ],
)
def test_what_was_meant_is_suggested_and_the_fix_makes_the_program_sound(
    old: str, new: str, found: str, meant: str
) -> None:
    text = changed((old, new))
    one = only(text)
    assert text[one.span.start : one.span.end] == found
    assert one.fix is not None
    assert [edit.replacement for edit in one.fix.edits] == [meant]
    again = errors_in(apply_fixes(text, [one]))
    assert [other for other in again if other.code != "SCN408"] == []


@pytest.mark.parametrize(
    ("old", "new", "found", "help"),
    [
        ("?food.type in [", "?food.type not in [", "not", "put `not` before the whole comparison"),
        ("[Bread, Apple]", "Bread", "Bread", "write a list"),
        ("== Fridge", "== 'Fridge'", "'", "double quotes"),
        ("a cool {", 'a "cool" {', "cool", 'write `\\"` for a quote'),
        ("close ?tool", "close ?tool;", ";", "comments begin with `#`"),
        ("# distractors", "// distractors", "/", "comments begin with `#`"),
        ("bread for", "fresh-bread for", "-", "lower-case letters, digits and `_`"),
        ("bread for alfworld", "bread", "{", "which environment"),
        (">= 4", ">= 12345678901", "12345678901", "nine digits"),
        ("close ?tool\n", "close tool\n", "tool", "did you mean `?tool`"),
        ("add 2 Mug", "add two Mug", "two", None),
    ],
)
def test_common_slips_are_explained(old: str, new: str, found: str, help: str | None) -> None:
    text = changed((old, new))
    assert places(text)[0] == found
    assert help is None or help in (errors_in(text)[0].help or "")


def test_a_suggestion_that_leaves_what_follows_wrong_is_no_fix() -> None:
    text = changed(("where ?food.type in [Bread, Apple]", "here is bread"))
    assert places(text)[0] == "here"
    assert errors_in(text)[0].help == "did you mean `where`?"
    assert errors_in(text)[0].fix is None
    better = changed(("where ?food.type", "here ?food.type"))
    assert [edit.replacement for edit in fix_of(better).edits] == ["where"]


def test_what_is_expected_is_said_in_a_few_words() -> None:
    for length in range(1, len(SOUND), 3):
        for one in parse(Source("test", SOUND[:length]), ENVIRONMENTS).diagnostics:
            if isinstance(one, UnexpectedInput):
                assert 1 <= len(one.options) <= 8
                assert len(one.expected or "") < 200


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            ((": Object", ": Objct"), ("close ?tool", "shut ?tool"), ("novel in", "novel on")),
            ["Objct", "shut", "on"],
        ),
        ((("bread for", "Bread for"), ("require {", "require {{")), ["Bread", "{"]),
        ((("goal put", "goal place"), ("needed:", "needed")), ["place", "needed"]),
        ((('"The tool is elsewhere."', ""), ("add 2", "add")), ["arises", "Mug"]),
    ],
)
def test_mistakes_in_several_sections_are_all_reported(
    changes: tuple[tuple[str, str], ...], expected: list[str]
) -> None:
    assert places(changed(*changes)) == expected


def test_mistakes_in_several_scenarios_are_all_reported() -> None:
    text = changed((": Object", ": Objct")) + SOUND.replace("bread", "second") + changed(("bread", "Third"))
    assert places(text) == ["Objct", "Third"]


@pytest.mark.parametrize(
    ("syntax", "other", "found"),
    [
        (("goal put", "goal place"), ("holds ?food", "holds ?fod"), ["place", "?fod"]),
        (("novel in", "novel on"), ("close ?tool", "close ?food"), ["?food", "on"]),
        (("eventually", "eventualy"), ("== Fridge", "== Frige"), ["Frige", "eventualy"]),
        (("for near", "near"), ("put cool ?food.type", "put cool ?food"), ["?food", "near"]),
        (("goal put cool ?food.type in ?dest.type\n", ""), ("holds ?food", "holds ?fod"), ["bread", "?fod"]),
        ((": Object", ": Objct"), ("holds ?food", "holds ?fod"), ["Objct"]),
    ],
)
def test_names_and_types_of_the_other_sections_are_checked_as_far_as_they_are_known(
    syntax: tuple[str, str], other: tuple[str, str], found: list[str]
) -> None:
    assert places(changed(syntax, other)) == found


def test_what_is_wrong_with_names_and_types_elsewhere_is_reported_beside_a_mistake_in_the_syntax() -> None:
    text = changed((": Object", ": Objct")) + SOUND.replace("bread", "second").replace(
        "holds ?food", "holds ?fod"
    )
    assert places(text) == ["Objct", "?fod"]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("build {", "build", "place"),
        ("  }\n  require", "  require", "t"),
        ("  }\n  require", "  }\n  }\n  require", "}"),
        ("?food.type\n}", "?food.type\n}\n}", "}"),
        ("?food.type\n}", "?food.type\n} and more", "and"),
        ("?food.type\n}", "?food.type", "e"),
        ("alfworld {", "alfworld", "condition"),
        ("holds ?food)", "holds ?food", "}"),
        ("(agent", "agent", ")"),
        ("Apple]", "Apple", "e"),
    ],
)
def test_a_bracket_too_many_or_too_few_is_found_near_its_place(old: str, new: str, found: str) -> None:
    text = changed((old, new))
    assert found in places(text)
    assert len(places(text)) <= 2


@pytest.mark.parametrize("keyword", ["condition", "goal", "say", "encounter"])
def test_a_missing_section_is_named(keyword: str) -> None:
    section = re.compile(rf"^  {keyword} (?:{{.*?^  }}|[^\n]*)\n", re.MULTILINE | re.DOTALL)
    text = section.sub("", SOUND).replace(" for near", "")
    assert [one.message for one in errors_in(text)] == [f"this scenario has no `{keyword}`"]


def test_a_section_that_stands_too_late_or_twice_is_named() -> None:
    late = changed(
        ('  say "put a cool {?food.type} in {?dest.type}"\n', ""), ("  novel", '  say "x"\n  novel')
    )
    assert only(late).message == "`say` belongs above `build`"
    twice = changed(("  novel", "  novel in scene\n  novel"))
    assert only(twice).message == "there is a second `novel` in this scenario"


@pytest.mark.parametrize("text", ['condition "The', '"', 'say "put a cool {?food.type} in'])
def test_an_unclosed_text_is_said_to_be_one(text: str) -> None:
    place = SOUND.index(text) + len(text)
    broken = SOUND[:place] + SOUND[SOUND.index("\n", place) :]
    assert errors_in(broken)[0].code == "SCN006"


@pytest.mark.parametrize("length", range(0, len(SOUND) - 1, 7))
def test_a_text_that_ends_anywhere_is_diagnosed(length: int) -> None:
    found = errors_in(SOUND[:length])
    assert found
    assert all(one.span.end <= length for one in found)


def test_an_unsupported_condition_needs_no_other_section() -> None:
    text = 'scenario a for alfworld { condition "x" unsupported "y" }'
    assert program(text).scenarios[0].condition == s.Condition("x", None, "y")
    assert errors_in(text.replace('"y"', "y"))[0].code == "SCN005"


@pytest.mark.parametrize("between", [" ", "\n" * 50, " # which?\n", "#a\n#b\n\t"])
def test_scenario_is_a_name_behind_scenario_and_for_whatever_stands_between(between: str) -> None:
    text = changed(
        ("scenario bread", f"scenario{between}scenario"),
        ("for near", f"for{between}scenario"),
        ("near:", "scenario:"),
    )
    assert program(text).scenarios[0].name == "scenario"


def test_a_section_keyword_may_be_a_name() -> None:
    text = changed(("bread for", "goal for"), ("for near", "for scenario"), ("near:", "scenario:"))
    assert errors_in(text) == []
    assert places(text.replace("== Fridge", "= Fridge")) == ["="]


def test_a_comment_may_hold_anything() -> None:
    text = changed(("# distractors", '# } { " scenario'), ("  }\n  require", '  }  # " {\n  require'))
    assert errors_in(text) == []


def test_a_program_on_one_line_parses() -> None:
    text = " ".join(line.split("#")[0] for line in SOUND.split("\n"))
    assert (
        program(text).scenarios == program(SOUND.replace("  # distractors", "").split("\n", 1)[1]).scenarios
    )


def test_a_byte_order_mark_and_windows_line_ends_mean_nothing() -> None:
    source = decode(b"\xef\xbb\xbf" + SOUND.replace("\n", "\r\n").encode(), "test")
    assert isinstance(source, Source)
    assert program(source.text) == program(SOUND)


def test_spans_point_at_what_they_name() -> None:
    scenario = program(SOUND).scenarios[0]
    food = scenario.lets[0]
    assert SOUND[scenario.name_span.start : scenario.name_span.end] == "bread"
    assert SOUND[food.variable.span.start : food.variable.span.end] == "?food"
    assert SOUND[food.type_span.start : food.type_span.end] == "Object"
    assert isinstance(food.where, s.Member)
    assert isinstance(food.where.item, s.Field)
    assert SOUND[food.where.item.span.start : food.where.item.span.end] == "?food.type"
    assert SOUND[food.where.item.name_span.start : food.where.item.name_span.end] == "type"
    assert scenario.build is not None
    place = scenario.build.items[0]
    assert isinstance(place, s.Operation)
    assert SOUND[place.call.span.start : place.call.span.end] == "place ?food on ?dest"
    assert SOUND[place.label_span.start : place.label_span.end] == "near"


BAD = {
    "nothing": ("", "SCN003"),
    "white space": (" \n\t\r\n", "SCN003"),
    "comments": ("# a\n# b", "SCN003"),
    "prose": ("Please make me a scenario in which the bread is cold.", "SCN005"),
    "control characters": ("scenario \x00 for alfworld {}", "SCN001"),
    "10 MB of brackets": ("(" * 10_000_000, "SCN002"),
    "1 MB of brackets": ("[" * 1_000_000, "SCN004"),
    "1 MB of pairs of brackets": ("{}" * 500_000, "SCN003"),
    "1 MB of quotes": ('"' * 1_000_000, "SCN003"),
    "1 MB of `scenario`": ("scenario " * 110_000, "SCN002"),
    "1 MB of scenarios": ("scenario a for alfworld {} " * 37_000, "SCN009"),
    "1 MB of unknown environments": ("scenario a for mars {} " * 43_000, "SCN007"),
    "500 nested parentheses": (changed(("not ?tool.open", "(" * 500 + "?tool.open" + ")" * 500)), "SCN004"),
    "500 nested negations": (changed(("not ?tool.open", "not " * 500 + "?tool.open")), "SCN004"),
    "500 times `then`": (changed(("needed: ", "needed: " + "nothing happens then " * 500)), "SCN004"),
    "a long scenario": (changed(("put a cool", "put a cool" * LARGEST_SCENARIO)), "SCN002"),
    "an unknown environment": (changed(("alfworld", "mars")), "SCN007"),
    "an unknown variable": (changed(("close ?tool", "close ?door")), "SCN101"),
    "an unknown constant": (changed(("Mug", "Unicorn")), "SCN104"),
    "a wrong type": (changed(("close ?tool", "close ?food")), "SCN201"),
}


@pytest.mark.parametrize(("text", "code"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_diagnosed(text: str, code: str) -> None:
    found = errors_in(text)
    assert code in {one.code for one in found}
    assert len(found) <= 200


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", bytes(range(256)), "söme".encode("latin-1")])
def test_what_is_not_utf_8_is_refused(data: bytes) -> None:
    refusal = decode(data, "test")
    assert isinstance(refusal, Diagnostic)
    assert refusal.code == "SCN001"
