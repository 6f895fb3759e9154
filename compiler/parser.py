"""Parse: from a source text to its syntax tree, or to everything that is wrong with its syntax.

The grammar is tried on the whole text first. Only where that fails is each section parsed by itself, so that a
mistake in one does not hide those in the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs
import lark

from skillsandbox.compiler import errors, scanner
from skillsandbox.compiler.diagnostics import Diagnostic, Source, Span
from skillsandbox.compiler.environment import Environment
from skillsandbox.compiler.suggestion import closest
from skillsandbox.compiler.syntax import Program, Scenario
from skillsandbox.compiler.treebuilder import TreeBuilder
from skillsandbox.grammar.loader import SECTIONS, load_parser

LARGEST_TEXT = 1_000_000
DEEPEST_NESTING = 50
_KEYWORD_OF = {"base": "from"} | {name: name for name in SECTIONS if name != "base"}
_START_OF = {keyword: start for start, keyword in _KEYWORD_OF.items()}
_PHRASES = {
    "NAME": "a name such as `my_scenario`",
    "LABEL": "a label such as `within_reach:`",
    "VARIABLE": "a variable such as `?food`",
    "CONSTANT": "a constant such as `Fridge`",
    "NUMBER": "a number",
    "MONEY": "an amount such as `$50`",
    "STRING": 'a text such as `"…"`',
    "TEMPLATE_PLAIN": 'a text such as `"…"`',
    "TEMPLATE_START": 'a text such as `"…"`',
    "TEMPLATE_MIDDLE": "`}`",
    "TEMPLATE_END": "`}`",
    "COMPARATOR": "a comparison",
    "$END": "the end",
}
_WORD = re.compile(r"[?.]?[A-Za-z_][A-Za-z0-9_]*:?|\d+|\S")


@attrs.frozen
class Parsed:
    """What came of parsing: the program as far as it could be read, and what is wrong with the text."""

    program: Program
    diagnostics: tuple[Diagnostic, ...]


def decode(data: bytes, name: str) -> Source | Diagnostic:
    """Return the text of a file, or the diagnostic that it is none."""
    try:
        return Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return errors.NotText(Span(0, 0), reason=f"byte {error.start:,} is not UTF-8")


def parse(source: Source, environments: dict[str, Callable[[], Environment]]) -> Parsed:
    """Parse a program in the languages of the given environments."""
    if refusal := _refusal(source.text):
        return Parsed(Program(()), (refusal,))
    builder = TreeBuilder(source.text)
    found = scanner.chunks(source.text, frozenset(_START_OF))
    if not found:
        return Parsed(Program((), builder.comments_to(len(source.text))), (errors.NoScenario(Span(0, 0)),))
    diagnostics: list[Diagnostic] = list(_before_first(source.text, found[0].span.start))
    scenarios: list[Scenario] = []
    for chunk in found:
        environment = _environment(chunk, environments)
        if isinstance(environment, Diagnostic):
            diagnostics.append(environment)
            continue
        scenario = _scenario(source.text, chunk, load_parser(environments[environment]().grammar()), builder)
        if isinstance(scenario, Scenario):
            scenarios.append(scenario)
        else:
            diagnostics += scenario
    return Parsed(Program(tuple(scenarios), builder.comments_to(len(source.text))), tuple(diagnostics))


def _refusal(text: str) -> Diagnostic | None:
    if len(text) > LARGEST_TEXT:
        return errors.TooLarge(Span(0, 0), size=len(text), limit=LARGEST_TEXT)
    control = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
    if control:
        reason = f"it contains the control character U+{ord(control.group()):04X}"
        return errors.NotText(Span(control.start(), control.end()), reason=reason)
    depth, place = scanner.deepest(text)
    if depth > DEEPEST_NESTING:
        return errors.TooDeep(place, depth=depth, limit=DEEPEST_NESTING)
    return None


def _before_first(text: str, start: int) -> tuple[Diagnostic, ...]:
    """Report the first thing that stands before the first scenario, if anything does."""
    stray = next((token for token in scanner.scan(text[:start]) if token.kind != "comment"), None)
    if stray is None:
        return ()
    return (_unexpected(text, stray.span.start, ("`scenario`",), {"scenario"}),)


def _environment(chunk: scanner.Chunk, environments: dict[str, Callable[[], Environment]]) -> str | Diagnostic:
    """Return the environment of a scenario; one whose header is broken is read in the first that is installed."""
    if chunk.environment is None:
        return next(iter(environments))
    name = chunk.environment.text
    if name in environments:
        return name
    installed = tuple(environments)
    return errors.UnknownEnvironment(chunk.environment.span, name, installed, closest(name, installed))


def _scenario(
    text: str, chunk: scanner.Chunk, parser: lark.Lark, builder: TreeBuilder
) -> Scenario | list[Diagnostic]:
    try:
        tree = _parse(parser, text, chunk.span, "program")
    except lark.exceptions.UnexpectedInput as error:
        whole = _explain(error, text, chunk.span, parser)
        header_end = chunk.sections[0].span.start if chunk.sections else chunk.span.end
        header = [whole] if whole.span.start < header_end else []
        return header + _recovered(text, chunk, parser) or _stray(text, chunk) or [whole]
    return builder.scenario(tree.children[0])


def _recovered(text: str, chunk: scanner.Chunk, parser: lark.Lark) -> list[Diagnostic]:
    """Parse section by section and return what is wrong in each, and in the header."""
    found: list[Diagnostic] = []
    for section in chunk.sections:
        try:
            _parse(parser, text, section.span, _START_OF[section.keyword])
        except lark.exceptions.UnexpectedInput as error:
            if not (section.keyword == "condition" and "unsupported" in text[section.span.start : section.span.end]):
                found.append(_explain(error, text, section.span, parser))
    return found


def _stray(text: str, chunk: scanner.Chunk) -> list[Diagnostic]:
    if chunk.stray is None:
        return []
    advice = "a brace above closes the scenario too early: take one `}` away, or add the `{` that is missing"
    return [errors.UnexpectedInput(chunk.stray.span, f"`{chunk.stray.text}`", ("`scenario`",), None, advice)]


def _parse(parser: lark.Lark, text: str, span: Span, start: str) -> lark.Tree[lark.Token]:
    return parser.parse(lark.TextSlice(text, span.start, span.end), start=start)


def _explain(error: lark.exceptions.UnexpectedInput, text: str, span: Span, parser: lark.Lark) -> Diagnostic:
    terminals = {terminal.name: terminal for terminal in parser.terminals}
    match error:
        case lark.exceptions.UnexpectedToken(token=token) if token.type == "$END":
            offset, expected = len(text[: span.end].rstrip()), error.accepts or error.expected
            options = _options(expected, terminals)
            place = Span(max(0, offset - 1), offset)
            return errors.UnexpectedInput(place, "end of the section" if span.end < len(text) else "end", options)
        case lark.exceptions.UnexpectedToken(token=token):
            offset, expected = token.start_pos or span.start, error.accepts or error.expected
        case lark.exceptions.UnexpectedCharacters():
            offset, expected = error.pos_in_stream, error.allowed
        case _:
            offset, expected = span.start, set()
    if text[offset] == '"' and _is_unclosed(text, offset):
        return errors.UnclosedText(Span(offset, _line_end(text, offset)))
    return _unexpected(text, offset, _options(expected, terminals), _words(expected, terminals))


def _unexpected(text: str, offset: int, options: tuple[str, ...], words: set[str]) -> Diagnostic:
    match = _WORD.match(text, offset)
    word = match.group() if match else text[offset]
    bare = word.strip("?.:")
    suggestion = closest(bare, tuple(sorted(words))) if bare.isidentifier() else None
    start = offset + word.find(bare) if bare and suggestion else offset
    place = Span(start, start + len(bare)) if suggestion else Span(offset, offset + len(word))
    return errors.UnexpectedInput(place, f"`{word}`", options, suggestion)


def _is_unclosed(text: str, offset: int) -> bool:
    return re.compile(r'"(?:[^"\\\n]|\\.)*"').match(text, offset) is None


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def _literals(pattern: lark.lexer.Pattern) -> tuple[str, ...]:
    """Return the words that a terminal stands for, none where it is a true regular expression."""
    if isinstance(pattern, lark.lexer.PatternStr):
        return (pattern.value,)
    body = pattern.value.removeprefix("(?:").removesuffix(")")
    return tuple(body.split("|")) if re.fullmatch(r"[A-Za-z_|]+", body) else ()


def _options(expected: set[str], terminals: dict[str, lark.lexer.TerminalDef]) -> tuple[str, ...]:
    """Return phrases for the terminals that may stand here, keywords last."""
    phrases: dict[str, None] = {}
    for name in sorted(expected, key=lambda name: (name not in _PHRASES, name)):
        if name in _PHRASES:
            phrases[_PHRASES[name]] = None
        elif name in terminals:
            phrases |= dict.fromkeys(f"`{literal}`" for literal in _literals(terminals[name].pattern))
    return tuple(phrases)


def _words(expected: set[str], terminals: dict[str, lark.lexer.TerminalDef]) -> set[str]:
    return {literal for name in expected if name in terminals for literal in _literals(terminals[name].pattern)}
