"""The exported grammars: what they admit our parser takes, and what the printer writes they admit."""

from __future__ import annotations

import functools
import re
from random import Random
from typing import Any

import lark
import llguidance
import pytest
from decoders import is_admitted, matcher, written
from exports import (
    DECODERS,
    DECODING,
    ENVIRONMENT,
    MOST_OPEN,
    SPECS,
    TIGHT,
    WIDE,
    admits,
    canonical,
    grammar,
    lark_takes,
    made_by_lark,
    parser_takes,
    recogniser,
    spec,
)
from gbnf import Letter, Part, Times, read_gbnf
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject
from installed import INTERFACES
from programs import mutilated, programs

from skillsandbox.compiler.printer import print_program
from skillsandbox.compiler.syntax import Program
from skillsandbox.grammar.export import Form
from skillsandbox.grammar.export.notation import (
    Characters,
    Choice,
    Node,
    Repeat,
    Sequence,
    Text,
)
from skillsandbox.grammar.export.pattern import read_pattern

DRAWN = settings(
    max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def one_scenario(data: DataObject, environment: str) -> str:
    """Draw a program of one scenario, in canonical form."""
    drawn = data.draw(programs(environment, INTERFACES[environment]))
    return canonical(Program(drawn.scenarios[:1]))


@ENVIRONMENT
@pytest.mark.parametrize("parser", ["lalr", "earley"])
def test_lark_reads_its_form_without_being_told_anything_else(environment: str, parser: Any) -> None:
    made = lark.Lark(grammar(environment, Form.LARK), parser=parser)
    assert made.parse(f'scenario a for {environment} {{ condition "b" unsupported "c" }}  # d')


@ENVIRONMENT
@pytest.mark.parametrize("form", [Form.LLGUIDANCE, Form.OPENAI])
def test_llguidance_finds_nothing_wrong_with_its_forms(environment: str, form: Form) -> None:
    assert matcher(grammar(environment, form))


@ENVIRONMENT
def test_lark_too_reads_what_is_for_openai(environment: str) -> None:
    """As one would look at it in Lark's own tools before it is sent."""
    assert lark.Lark(grammar(environment, Form.OPENAI), parser="earley")


@ENVIRONMENT
def test_llama_cpp_reads_gbnf(environment: str) -> None:
    assert len(read_gbnf(grammar(environment, Form.GBNF))) > 50


@ENVIRONMENT
def test_openai_gets_the_smallest_form(environment: str) -> None:
    sizes = {form: len(grammar(environment, form)) for form in Form}
    assert min(sizes, key=sizes.__getitem__) is Form.OPENAI


@DECODING
def test_programs_of_the_library_are_admitted(form: Form) -> None:
    refused = [path.stem for path in SPECS if not admits(spec(path)[0], form, spec(path)[1])]
    assert refused == []


@ENVIRONMENT
def test_who_else_reads_gbnf_reads_the_same(environment: str) -> None:
    """vLLM has llguidance read it, by a reader of its own."""
    read = llguidance.grammar_from("grammar", grammar(environment, Form.GBNF))
    own = [text for named, text in map(spec, SPECS) if named == environment]
    assert [text for text in own if not is_admitted(read, text)] == []
    assert not is_admitted(read, "scenario")


def test_programs_of_the_library_parse_with_lark_comments_and_all() -> None:
    refused = [path.stem for path in SPECS if not lark_takes(spec(path)[0], path.read_text("utf-8"))]
    assert refused == []


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_every_program_in_canonical_form_is_admitted(environment: str, data: DataObject) -> None:
    text = one_scenario(data, environment)
    assert [form for form in DECODERS if not admits(environment, form, text, WIDE)] == []


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_lark_takes_every_program_with_its_comments(environment: str, data: DataObject) -> None:
    text = print_program(data.draw(programs(environment, INTERFACES[environment])), INTERFACES)
    assert lark_takes(environment, text)


def test_a_decoder_keeps_few_ways_of_reading_open() -> None:
    """llama.cpp looks at every token once for each way, and ways multiply where alternatives begin alike."""
    for path in SPECS:
        environment, text = spec(path)
        reading = recogniser(grammar(environment, Form.GBNF))
        assert reading.admits(text)
        assert reading.most_open <= MOST_OPEN


def drawn_from(exported: str, random: Random) -> str:
    """Return a text of a grammar in GBNF, any alternative as likely as any other."""
    rules, letters = recogniser(exported).rules, list[str]()
    waiting: list[Part] = ["root"]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            waiting += reversed(random.choice(rules[part]))
        elif isinstance(part, Times):
            assert part.most is not None
            for _ in range(random.randint(part.least, part.most)):
                waiting += reversed(random.choice(part.options))
        else:
            letters.append(random.choice(admitted_letters(part)))
    return "".join(letters)


SOME_LETTERS = [*map(chr, range(0x100)), "\u2028", "漢", "🍞"]


@functools.cache
def admitted_letters(part: Letter) -> tuple[str, ...]:
    return tuple(letter for letter in SOME_LETTERS if part.admits(letter))


@ENVIRONMENT
@settings(DRAWN, max_examples=60)
@given(random=st.integers(0, 2**32).map(Random))
def test_our_parser_takes_what_gbnf_admits(environment: str, random: Random) -> None:
    assert parser_takes(drawn_from(grammar(environment, Form.GBNF, TIGHT), random))


@ENVIRONMENT
@pytest.mark.parametrize("form", [Form.LLGUIDANCE, Form.OPENAI])
@settings(DRAWN, max_examples=25)
@given(random=st.integers(0, 2**32).map(Random))
def test_our_parser_takes_what_llguidance_lets_a_model_write(
    environment: str, form: Form, random: Random
) -> None:
    text = written(grammar(environment, form, TIGHT), random, limit=4_000)
    assume(text is not None)
    assert parser_takes(text or "")


@ENVIRONMENT
@DRAWN
@given(random=st.integers(0, 2**32).map(Random))
def test_the_forms_for_decoders_admit_the_same(environment: str, random: Random) -> None:
    text = drawn_from(grammar(environment, Form.GBNF, TIGHT), random)
    assert is_admitted(grammar(environment, Form.LLGUIDANCE, TIGHT), text)
    assert is_admitted(grammar(environment, Form.OPENAI, TIGHT), text)


SPACES = (" ", "\n", "\t", "\r\n", "  ", " # a\n", '\n#"b {\n#\n', "\n" * 50, "#scenario\n")
STARTS = ("", "\n", "# for\n")
AS_THEY_ARE = {"_SCENARIO": "scenario", "_FOR": "for"}
MOST_TOKENS = 300


def drawn_by_lark(environment: str, random: Random) -> str | None:
    """Return tokens that Lark's parser accepted one by one, with white space and comments of all kinds
    between; None where it comes to no end.
    """
    running, text = made_by_lark(environment).parse_interactive(""), random.choice(STARTS)
    for _ in range(MOST_TOKENS):
        accepted = sorted(running.accepts())
        if "$END" in accepted and random.random() < 0.5:
            return text
        name = random.choice([one for one in accepted if one != "$END"])
        token = drawn_token(environment, name, random)
        running.feed_token(lark.Token(name, token))
        is_apart = any(re.match(r"\W", letter) for letter in (text[-1:], token[0]))
        text += ("" if is_apart and random.random() < 0.5 else random.choice(SPACES)) + token
    return None


def drawn_token(environment: str, name: str, random: Random) -> str:
    if name in AS_THEY_ARE:
        return AS_THEY_ARE[name]
    (pattern,) = (one.pattern for one in made_by_lark(environment).terminals if one.name == name)
    return pattern.value if pattern.type == "str" else drawn_node(read_pattern(pattern.value), random)


def drawn_node(node: Node, random: Random) -> str:
    """Return a text of a regular expression."""
    match node:
        case Text(value=value):
            return value
        case Characters(ranges=ranges, negated=negated):
            return random.choice(admitted_letters(Letter(ranges, negated)))
        case Sequence(parts=parts):
            return "".join(drawn_node(part, random) for part in parts)
        case Choice(options=options):
            return drawn_node(random.choice(options), random)
        case Repeat(part=part, least=least, most=most):
            times = random.randint(least, least + 5 if most is None else most)
            return "".join(drawn_node(part, random) for _ in range(times))
        case _:
            raise AssertionError(node)


@ENVIRONMENT
@DRAWN
@given(random=st.integers(0, 2**32).map(Random))
def test_our_parser_takes_what_larks_form_admits(environment: str, random: Random) -> None:
    text = drawn_by_lark(environment, random)
    assume(text is not None)
    assert lark_takes(environment, text or "")
    assert parser_takes(text or "")


@ENVIRONMENT
@DRAWN
@given(data=st.data())
def test_our_parser_takes_a_mutilated_program_if_lark_takes_it(environment: str, data: DataObject) -> None:
    drawn = data.draw(programs(environment, INTERFACES[environment]))
    text = data.draw(mutilated(print_program(drawn, INTERFACES)))
    assert parser_takes(text) or not lark_takes(environment, text)
