"""The grammars: LALR(1) without collisions, fit for constrained decoders, one to one with the interface."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject
from installed import ENVIRONMENTS, INTERFACES
from programs import mutilated, programs

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.interface import FieldSignature, Parameter, Role, Signature
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.printer import print_expression, print_program
from skillsandbox.compiler.treebuilder import expression
from skillsandbox.grammar.lalr import END, Parser, Tables, Token, Tree, UnexpectedInput
from skillsandbox.grammar.loader import build_parser, compile_grammar, compose, grammar_text, load_parser

ENVIRONMENT = pytest.mark.parametrize("environment", sorted(ENVIRONMENTS))
ROLE_OF = {
    "_base": Role.BASE,
    "_goal": Role.GOAL,
    "_operation": Role.OPERATION,
    "_action": Role.ACTION,
    "_relation": Role.FUNCTION,
    "_function": Role.FUNCTION,
    "_event": Role.EVENT,
    "_dimension": Role.DIMENSION,
    "_clause": Role.CLAUSE,
    "_wish": Role.CLAUSE,
    "_difference": Role.CLAUSE,
}
"""Where the alternatives of each role stand; a grammar need not have all of these rules."""
NOT_ACCEPTED = {
    "look-around": r"\(\?[=!<]",
    "back-reference": r"\\[1-9]",
    "lazy quantifier": r"[*+?}]\?",
    "priority": r"^\w+(\.\d+)\s*:",
    "template": r"^\w+\{",
    "%declare, %override, %extend": r"%(declare|override|extend)",
    "import of anything but common": r"%import (?!common\.)",
}


def own_grammar(environment: str) -> str:
    text: str = ENVIRONMENTS[environment]().grammar()
    return text


def alternatives(grammar: str, rule: str) -> list[str]:
    """Return the alternatives of a rule, as they are written."""
    body = re.search(rf"^{rule}:((?:.*\n)(?:[ \t]+\|.*\n)*)", grammar + "\n", re.MULTILINE)
    assert body is not None, rule
    return [one.strip().strip('"') for one in body[1].split("|")]


def without_comments(grammar: str) -> str:
    return re.sub(r"^//.*$", "", grammar, flags=re.MULTILINE)


@ENVIRONMENT
def test_no_two_terminals_of_a_state_match_the_same_text(environment: str) -> None:
    build_parser(compose(own_grammar(environment)), strict=True)


@ENVIRONMENT
@pytest.mark.parametrize("construct", sorted(NOT_ACCEPTED))
def test_constructs_that_decoders_refuse_are_not_used(environment: str, construct: str) -> None:
    grammar = without_comments(compose(own_grammar(environment)))
    assert re.findall(NOT_ACCEPTED[construct], grammar, re.MULTILINE) == []


@pytest.mark.parametrize(
    ("construct", "grammar"),
    [
        ("look-around", "A: /(?!x)y/"),
        ("back-reference", r"A: /(x)\1/"),
        ("lazy quantifier", "A: /x*?/"),
        ("priority", 'A.2: "x"'),
        ("template", "sep{x, y}: x (y x)*"),
        ("%declare, %override, %extend", "%declare A"),
        ("import of anything but common", "%import other.A"),
    ],
)
def test_the_search_for_refused_constructs_finds_them(construct: str, grammar: str) -> None:
    assert re.findall(NOT_ACCEPTED[construct], grammar, re.MULTILINE)


@ENVIRONMENT
def test_what_is_optional_leaves_no_placeholder(environment: str) -> None:
    """`[x]` puts a placeholder for some symbols and none for others; `(x)?` always leaves nothing."""
    grammar = re.sub(
        r'"[^"\n]*"|/(?:\\.|[^/\\\n])+/', "", without_comments(compose(own_grammar(environment)))
    )
    assert "[" not in grammar


@ENVIRONMENT
def test_no_state_accepts_both_a_keyword_and_a_name(environment: str) -> None:
    """Decoders have no reserved words: where a keyword could be read as a name, they would differ from us."""
    tables = compile_grammar(compose(own_grammar(environment)))
    keywords = {terminal.name for terminal in tables.terminals if (terminal.literal or "").isalpha()}
    states = list(accepting(tables))
    assert any("NAME" in state for state in states)
    for state in states:
        assert not ("NAME" in state and state & keywords), state


@ENVIRONMENT
def test_no_state_knows_both_the_end_of_a_hole_and_the_end_of_a_block(environment: str) -> None:
    """The rest of a wording begins with a brace and holds any text: it would swallow what follows a block."""
    for state in accepting(compile_grammar(compose(own_grammar(environment)))):
        assert not ("RBRACE" in state and state & {"TEMPLATE_MIDDLE", "TEMPLATE_END"})


def accepting(tables: Tables) -> Iterator[set[str]]:
    """Yield the names of the terminals that each state of the LALR automaton accepts."""
    for actions in tables.actions:
        yield {name for name in actions if name.isupper()}


@ENVIRONMENT
def test_every_alternative_has_its_signature_and_every_signature_its_alternative(environment: str) -> None:
    grammar = own_grammar(environment)
    written = {
        (symbol, role)
        for rule, role in ROLE_OF.items()
        if re.search(rf"^{rule}:", grammar, re.MULTILINE)
        for symbol in alternatives(grammar, rule)
    }
    assert written == {(one.symbol, one.role) for one in INTERFACES[environment].signatures}


@ENVIRONMENT
def test_every_field_and_type_of_the_grammar_is_in_the_interface(environment: str) -> None:
    grammar, interface = own_grammar(environment), INTERFACES[environment]
    assert set(alternatives(grammar, "FIELD")) == {field.name for field in interface.fields}
    assert set(alternatives(grammar, "TYPE")) == {type.name for type in interface.types if type.table}
    assert alternatives(grammar, "ENVIRONMENT") == [environment]


@ENVIRONMENT
def test_the_interface_speaks_of_its_own_types_only(environment: str) -> None:
    interface = INTERFACES[environment]
    named = {type.name for type in interface.types}
    parameters = {one.type for signature in interface.signatures for one in signature.parameters}
    assert parameters | {field.subject for field in interface.fields} <= named
    assert {field.result.strip("[]") for field in interface.fields} <= named
    assert len(interface.signature_of) == len(interface.signatures)
    assert len(interface.fields_of) == len(interface.fields)


@ENVIRONMENT
def test_every_value_of_an_enumeration_can_be_written(environment: str) -> None:
    tables = compile_grammar(compose(own_grammar(environment)))
    patterns = [one.pattern for one in tables.terminals if one.pattern and one.name not in ("NAME", "FIELD")]
    for type in INTERFACES[environment].types:
        for value in type.values:
            assert any(re.fullmatch(pattern, value) for pattern in patterns), value


def samples(environment: str) -> list[Signature]:
    return list(INTERFACES[environment].signatures)


SIGNATURES = [(environment, one) for environment in sorted(ENVIRONMENTS) for one in samples(environment)]


def argument(environment: str, parameter: Parameter, number: int) -> s.Expression:
    type = INTERFACES[environment].type_named[parameter.type]
    if type.table is not None:
        return s.Variable(f"{parameter.name}{number}")
    if parameter.type == "Int":
        return s.Number(parameter.range[0] if parameter.range else 3)
    if parameter.type == "Money":
        return s.Money(450)
    for clause in INTERFACES[environment].signatures:
        if clause.role is Role.CLAUSE and clause.result == parameter.type:
            return sample(environment, clause)
    return s.Constant(type.values[-1]) if type.values else s.Text("some words")


def sample(environment: str, signature: Signature, repeated: int = 1) -> s.Call:
    """Return a call of a symbol."""
    arguments = [
        argument(environment, parameter, number)
        for parameter in signature.parameters
        for number in range(repeated if parameter.many else 1)
    ]
    return s.Call(signature.symbol, tuple(arguments))


def around(environment: str, clause: s.Call, type: str) -> tuple[Signature, s.Call]:
    """Return a symbol that takes a clause, and a call of it with this one."""
    for holder in INTERFACES[environment].signatures:
        if any(parameter.type == type for parameter in holder.parameters):
            arguments = (
                clause if parameter.type == type else argument(environment, parameter, 0)
                for parameter in holder.parameters
            )
            return holder, s.Call(holder.symbol, tuple(arguments))
    raise AssertionError(f"nothing takes a {type}")


def place(signature: Signature, text: str) -> tuple[str, str]:
    """Return a start rule, and a text for it in which a use of a symbol stands."""
    match signature.role:
        case Role.BASE:
            return "base", f"from {text}"
        case Role.GOAL:
            return "goal", f"goal {text}"
        case Role.OPERATION:
            return "build", f"build {{ {text} }}"
        case Role.ACTION:
            return "history", f"history {{ {text} }}"
        case Role.DIMENSION:
            return "novel", f"novel in {text}"
        case _:
            return "encounter", f"encounter {{ it: {text} }}"


def used(tree: Tree) -> s.Expression:
    """Return the expression that stands in such a text."""
    item = tree.children[-1]
    if item.kind in ("operation", "action", "occurrence"):
        item = item.children[-1]
    return expression(item)


@pytest.mark.parametrize(
    ("environment", "signature"), SIGNATURES, ids=lambda one: getattr(one, "symbol", one)
)
def test_a_symbol_is_written_as_its_signature_says(environment: str, signature: Signature) -> None:
    interface, parser = INTERFACES[environment], load_parser(own_grammar(environment))
    for repeated in (0, 1, 3) if any(one.many for one in signature.parameters) else (1,):
        if repeated == 0 and "[" not in signature.syntax:
            continue
        call = sample(environment, signature, repeated)
        holder = signature
        if signature.role is Role.CLAUSE:
            holder, call = around(environment, call, signature.result)
        start, text = place(holder, print_expression(call, interface))
        assert used(parser.parse(text, start=start)) == call


@pytest.mark.parametrize(
    ("environment", "field"),
    [(name, field) for name in sorted(ENVIRONMENTS) for field in INTERFACES[name].fields],
    ids=lambda one: f"{one.subject}.{one.name}" if isinstance(one, FieldSignature) else one,
)
def test_a_field_is_written_behind_a_dot(environment: str, field: FieldSignature) -> None:
    parser = load_parser(own_grammar(environment))
    written = s.Field(s.Variable("it"), field.name)
    assert used(parser.parse(f"novel in ?it.{field.name}", start="novel")) == written


def test_an_operation_of_another_environment_does_not_parse() -> None:
    text = 'scenario a for market { condition "c" arises in rollout goal buy Fruit say "" build { open ?x }'
    found = parse(Source("test", text), ENVIRONMENTS).diagnostics
    assert text[found[0].span.start : found[0].span.end] == "open"


@functools.cache
def made_by_lark(environment: str) -> lark.Lark:
    return build_parser(compose(own_grammar(environment)))


def as_lark_sees_it(environment: str, text: str) -> Tree | int | None:
    """Return Lark's tree as ours, or where Lark stops."""
    try:
        tree: Tree = ours(made_by_lark(environment).parse(text, start="program"))
        return tree
    except lark.exceptions.UnexpectedToken as error:
        return None if error.token.type == END else error.token.start_pos
    except lark.exceptions.UnexpectedCharacters as error:
        return error.pos_in_stream


def ours(part: Any) -> Any:
    if isinstance(part, lark.Token):
        return Token(part.type, str(part), part.start_pos or 0, part.end_pos or 0)
    return Tree(part.data, tuple(map(ours, part.children)), part.meta.start_pos, part.meta.end_pos)


def as_we_see_it(environment: str, text: str) -> Tree | int | None:
    try:
        return load_parser(own_grammar(environment)).parse(text, "program")
    except UnexpectedInput as error:
        return error.offset


@ENVIRONMENT
@settings(
    max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)
@given(data=st.data())
def test_the_tables_parse_what_lark_parses_to_the_same_tree(environment: str, data: DataObject) -> None:
    text = print_program(data.draw(programs(environment, INTERFACES[environment])), INTERFACES)
    for version in (text, data.draw(mutilated(text))):
        assert as_we_see_it(environment, version) == as_lark_sees_it(environment, version)


def test_a_stretch_of_a_text_is_parsed_as_if_it_stood_alone() -> None:
    parser = load_parser(own_grammar("market"))
    text = "let ?a: Product let ?b: Stall # } goal buy Fruit"
    tree = parser.parse(text, "let", 16, 30)
    assert tree == Tree("let", (Token("VARIABLE", "?b", 20, 22), Token("TYPE", "Stall", 24, 29)), 16, 29)
    with pytest.raises(UnexpectedInput) as caught:
        parser.parse(text, "let", 16, 23)
    assert caught.value.offset is None
    assert caught.value.expected == {"TYPE"}


def test_what_is_expected_is_what_can_follow() -> None:
    parser = load_parser(own_grammar("market"))
    for text in (
        "let ?a: Product where ",
        "let ?a: Product where not ?a",
        "let ?a: Product where ?a.fragile ",
        "goal buy",
    ):
        with pytest.raises(UnexpectedInput) as caught:
            parser.parse(f"{text}%", text.split(" ")[0])
        for terminal in parser.terminals:
            sample = terminal.literal or SAMPLES[terminal.name]
            follows = is_viable(parser, f"{text} {sample}", text.split(" ")[0])
            assert follows == (terminal.name in caught.value.expected) or sample in LIKE_ANOTHER, sample


SAMPLES = {
    "MODE": "initial",
    "COMPARATOR": "==",
    "NAME": "xy",
    "LABEL": "xy:",
    "VARIABLE": "?x",
    "CONSTANT": "Xy",
    "NUMBER": "1",
    "MONEY": "$1",
    "STRING": '"x"',
    "TEMPLATE_PLAIN": '"x"',
    "TEMPLATE_START": '"x{',
    "TEMPLATE_MIDDLE": "}x{",
    "TEMPLATE_END": '}x"',
    "COMMENT": "#",
    "WHITE_SPACE": " ",
    "ENVIRONMENT": "market",
    "TYPE": "Stall",
    "FIELD": "left",
}
LIKE_ANOTHER = {"#", " ", '"x"', "Stall"}
"""What is ignored, and samples that another terminal matches where their own is not expected."""


def is_viable(parser: Parser, text: str, start: str) -> bool:
    """Say whether a text begins something that follows the rule."""
    try:
        parser.parse(text, start)
    except UnexpectedInput as error:
        return error.offset is None
    return True


def test_tables_from_the_cache_parse_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLSANDBOX_CACHE", str(tmp_path))
    grammar = grammar_text("alfworld")
    made = load_parser.__wrapped__(grammar)
    kept = load_parser.__wrapped__(grammar)
    text = "let ?food: Object where ?food.type in [Bread, Apple] and not ?food.sliceable"
    assert list(tmp_path.iterdir())
    assert made.parse(text, start="let") == kept.parse(text, start="let")


def test_a_damaged_cache_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLSANDBOX_CACHE", str(tmp_path))
    load_parser.__wrapped__(grammar_text("alfworld"))
    (kept,) = tmp_path.iterdir()
    for damage in (b"", b"damaged", kept.read_bytes()[:1000]):
        kept.write_bytes(damage)
        assert load_parser.__wrapped__(grammar_text("alfworld")).parse("let ?it: Object", start="let")
    kept.unlink()
    kept.mkdir()
    assert load_parser.__wrapped__(grammar_text("alfworld")).parse("let ?it: Object", start="let")
    assert list(tmp_path.iterdir()) == [kept]
