"""What the exported grammars leave out: other layouts, comments, control characters, and what has no end."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import attrs
import pytest
from exports import (
    DECODING,
    admits,
    canonical,
    lark_takes,
    made_by_lark,
    parser_takes,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject
from installed import ENVIRONMENTS, program

from skillsandbox.grammar.export import BOUNDS, Form, export
from skillsandbox.grammar.export.bounds import bounded
from skillsandbox.grammar.export.notation import (
    Choice,
    Grammar,
    Name,
    Sequence,
    Text,
)
from skillsandbox.grammar.export.pattern import read_pattern, write_pattern

SMALL = """\
scenario one for alfworld {
  condition "a" arises in rollout

  let ?it: Object where ?it.type == Mug

  goal put ?it.type in Fridge
  say "b"

  encounter {
    c: agent takes ?it
  }
}
"""


def changed(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new, 1)


@DECODING
def test_a_decoder_admits_the_printers_layout(form: Form) -> None:
    assert canonical(program(SMALL)) == SMALL
    assert admits("alfworld", form, SMALL)
    assert admits("alfworld", form, SMALL.removesuffix("\n"))


@DECODING
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one for", "one  for"),
        ("one for", "one\nfor"),
        ("scenario one", "scenarioone"),
        ("takes ?it", "takes?it"),
        ("rollout\n\n", "rollout\n\n\n"),
        ("rollout\n", "rollout \n"),
        ("}\n}\n", "}\n}\n\n"),
        ("\n    c", "\n     c"),
        ("rollout", "rollout # so"),
    ],
)
def test_a_decoder_admits_no_other_white_space_and_no_comment(form: Form, old: str, new: str) -> None:
    assert not admits("alfworld", form, changed(old, new))


@DECODING
@pytest.mark.parametrize(
    ("old", "new", "within"),
    [
        ('"a"', f'"{"a" * 200}"', True),
        ('"a"', f'"{"a" * 201}"', False),
        ('"b"', '"' + '\\"' * 200 + '"', True),
        ('"b"', '"' + "b" * 201 + '"', False),
        ("one", "o" * 61, True),
        ("one", "o" * 62, False),
    ],
)
def test_a_decoder_admits_no_longer_words_and_texts_than_its_bounds_say(
    form: Form, old: str, new: str, within: bool
) -> None:
    assert admits("alfworld", form, changed(old, new)) == within


@pytest.mark.parametrize("form", [Form.GBNF, Form.LLGUIDANCE])
@pytest.mark.parametrize(
    ("old", "new", "within"),
    [
        ("?it.type == Mug", "?it.type in [Mug" + ", Mug" * 16 + "]", True),
        ("?it.type == Mug", "?it.type in [Mug" + ", Mug" * 17 + "]", False),
        ("c: agent", "c: " + "eventually " * 6 + "agent", True),
        ("c: agent", "c: " + "eventually " * 7 + "agent", False),
    ],
)
def test_a_decoder_for_small_models_admits_no_more_than_its_bounds_say(
    form: Form, old: str, new: str, within: bool
) -> None:
    assert admits("alfworld", form, changed(old, new)) == within


@pytest.mark.parametrize("form", [Form.GBNF, Form.LLGUIDANCE])
def test_expressions_nest_no_deeper_than_the_bounds_say(form: Form) -> None:
    text = changed("c: agent takes ?it", "c: " + "not (" * 4 + "agent takes ?it" + ")" * 4)
    assert not admits("alfworld", form, text)
    assert admits("alfworld", form, text, attrs.evolve(BOUNDS, depth=8))


def test_our_parser_takes_the_deepest_program_that_is_admitted() -> None:
    deepest = "distance(" * 6 + "1, 1)" + ", 1)" * 5 + " == 1"
    level = "1 == 1 or 1 == 1 and 1 == 1 then "
    text = changed("agent takes ?it", (level + "not (") * 3 + level + deepest + ")" * 3)
    assert admits("alfworld", Form.LLGUIDANCE, text, attrs.evolve(BOUNDS, depth=10))
    assert parser_takes(text)


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("code", [*range(0x20), 0x7F, 0x85, 0xA0, 0x2028, 0xFEFF, 0x1F600])
def test_a_text_holds_the_characters_that_our_parser_takes(form: Form, code: int) -> None:
    text = changed('"a"', f'"{chr(code)}"')
    assert admits("alfworld", form, text) == parser_takes(text)


@pytest.mark.parametrize(
    ("text", "admitted"),
    [
        (changed("?it.type == Mug", "?it.type==Mug"), True),
        (changed('"b"', '"b {?it.type}"'), True),
        (changed('"b"', '"b { ?it.type}"'), False),
        (changed("one for", "onefor"), False),
        (changed("scenario one", "scenarioone"), False),
        (changed("scenario one", "scenario# two\none"), True),
        (SMALL + changed("one", "two"), True),
        (changed("agent takes ?it", "?it.open and?it.open"), True),
        (changed("agent takes ?it", "?itand ?it.open"), False),
    ],
)
@pytest.mark.parametrize("parser", ["lalr", "earley"])
def test_larks_form_says_what_may_touch(parser: str, text: str, admitted: bool) -> None:
    assert lark_takes("alfworld", text, parser) == admitted
    assert parser_takes(text) or not admitted


def test_every_run_exports_the_same_bytes() -> None:
    code = (
        "from installed import ENVIRONMENTS\n"
        "from skillsandbox.grammar.export import Form, export\n"
        "for name, opened in ENVIRONMENTS.items():\n"
        "    for form in Form:\n"
        "        print(export(opened().grammar(), form))\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(runs) == 1


OWN = ENVIRONMENTS["market"]().grammar()


@pytest.mark.parametrize(
    "line",
    [
        "A: /(?=b)c/",
        "A: /b*?/",
        r"A: /(b)\1/",
        r"A: /\w/",
        "A: /b/i",
        'A: "b"i',
        'A.2: "b"',
        'a: ["b"]',
        'a: "b" -> c',
        "%import common.INT",
        "%declare A",
        'a: ("b")? "c"',
        'SPACE_OR_BREAK: " "',
    ],
)
@DECODING
def test_what_decoders_would_not_read_alike_is_refused(form: Form, line: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        export(f"{OWN}\n{line}\n", form)


def test_a_rule_that_is_named_as_the_copy_of_another_is_refused() -> None:
    again = Sequence((Text("b"), Name("start"), Name("start_1")))
    rules = {"start": Choice((Text("a"), again)), "start_1": Text("c")}
    with pytest.raises(ValueError, match="start_1"):
        bounded(Grammar(rules, {}, "start"), BOUNDS)


def patterns() -> Iterator[str]:
    for environment in ENVIRONMENTS:
        for one in made_by_lark(environment).terminals:
            if one.pattern.type == "re" and "\\b" not in one.pattern.value:
                yield one.pattern.value
    yield from [r"a{2}b{3,}(c|de)?", r"[\]\^\-\[&~]+", r"\x41\t[^\x00-\x1f]", "(?:ab)+|c*", r"\.\$\(\)"]


@pytest.mark.parametrize("pattern", sorted(set(patterns())))
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_pattern_is_written_as_it_was_read(pattern: str, data: DataObject) -> None:
    again = write_pattern(read_pattern(pattern))
    assert read_pattern(again) == read_pattern(pattern)
    text = data.draw(st.from_regex(pattern, fullmatch=True) | st.text(max_size=5))
    assert bool(re.fullmatch(again, text)) == bool(re.fullmatch(pattern, text))
