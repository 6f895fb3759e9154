"""Says what is wrong where a text does not parse, in its author's words rather than in the grammar's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cached_property

import attrs

from skillsandbox.compiler import errors
from skillsandbox.compiler.diagnostics import Diagnostic, Note, Span
from skillsandbox.compiler.interface import Interface
from skillsandbox.compiler.scanner import Header, Section, Token
from skillsandbox.compiler.suggestion import closest
from skillsandbox.grammar.lalr import END, Parser, Terminal, Tree, UnexpectedInput
from skillsandbox.grammar.loader import SECTIONS

KEYWORD_OF = {name: name for name in SECTIONS} | {"base": "from"}
"""The word that begins a section, by the grammar's rule for the section."""

KEYWORDS = frozenset(KEYWORD_OF.values())

MOST_OPTIONS = 8
_VALUES = {"VARIABLE", "CONSTANT", "NUMBER", "STRING"}
_EXPRESSION = {"VARIABLE", "NOT", "LPAR"}
_PHRASES = {
    "NAME": "a name (such as `my_scenario`)",
    "LABEL": "a label (such as `within_reach:`)",
    "VARIABLE": "a variable (such as `?food`)",
    "CONSTANT": "a constant (such as `Fridge`)",
    "NUMBER": "a number",
    "MONEY": "an amount (such as `$50`)",
    "STRING": 'a text (such as `"…"`)',
    "TEMPLATE_PLAIN": 'a text (such as `"…"`)',
    "TEMPLATE_START": 'a text (such as `"…"`)',
    "TEMPLATE_MIDDLE": "`}`",
    "TEMPLATE_END": "`}`",
    "COMPARATOR": "a comparison (such as `==`)",
    "DOT": "`.` and a field",
    END: "the next section",
}
_LAST = ("DOT", END)
_FOREIGN = {
    "=": "==",
    "===": "==",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "is": "==",
    "equals": "==",
}
_WORD = re.compile(r"[?$]?[^\W\d]\w*:?|\$?[0-9]+|[=<>!&|]+|\S")
_LEFT_OF_WORD = re.compile(r"[?$]?\w*\Z")
_LONGEST_WORD = 60
_IGNORED = re.compile(r"(?:\s|#[^\n]*)*")
_CLOSED_TEXT = re.compile(r'["}](?:[^"\\\n]|\\.)*"')
_UNKNOWN_ESCAPE = re.compile(r'(?:[^"\\\n]|\\["\\n{}])*(\\[^"\\n{}\n])')
_BARE_BRACE = re.compile(r'(?:[^"\\\n{}]|\\["\\n{}])*([{}])')


@attrs.define(frozen=True, slots=False)
class Language:
    """The parser of an environment's language, and the interface that says what its words mean."""

    parser: Parser
    interface: Interface

    def parse(self, text: str, span: Span, start: str) -> Tree:
        """Parse a stretch of a text from a start rule."""
        return self.parser.parse(text, start, span.start, span.end)

    @cached_property
    def literals(self) -> dict[str, tuple[str, ...]]:
        """Return the words that each terminal stands for, none where it is a true regular expression."""
        return {terminal.name: _literals(terminal) for terminal in self.parser.terminals}


@attrs.frozen
class Passage:
    """A stretch of text that is parsed by itself, the start rule for it, and what a message calls it."""

    span: Span
    start: str
    part: str


def _literals(terminal: Terminal) -> tuple[str, ...]:
    if terminal.literal is not None:
        return (terminal.literal,)
    body = (terminal.pattern or "").removeprefix("(?:").removesuffix(")")
    return tuple(body.split("|")) if re.fullmatch(r"[A-Za-z_|]+", body) else ()


def explain(error: UnexpectedInput, text: str, passage: Passage, language: Language) -> Diagnostic:
    """Return the diagnostic for an error that came of parsing a passage of a text."""
    offset, expected = error.offset, error.expected
    if offset is None:
        return _unexpected_end(text, passage, expected, language)
    begins_text = text[offset] == '"' or (text[offset] == "}" and "TEMPLATE_END" in expected)
    if begins_text and (lexical := _text_fault(text, offset, expected)):
        return lexical
    return _Unexpected(text, passage, language, _word_at(text, offset), offset, expected).diagnostic()


def _unexpected_end(text: str, passage: Passage, expected: frozenset[str], language: Language) -> Diagnostic:
    span = passage.span
    end = span.start + len(text[span.start : span.end].rstrip())
    place = Span(max(span.start, end - 1), end)
    found, opening = f"end of `{passage.part}`", text.find("{", span.start, span.end)
    if "RBRACE" in expected and opening >= 0:
        note = Note(Span(opening, opening + 1), "this brace is still open")
        return errors.UnexpectedInput(place, found, ("`}`",), None, "close it with `}`", note)
    return errors.UnexpectedInput(place, found, _options(_words(expected, language), expected))


def _text_fault(text: str, offset: int, expected: frozenset[str]) -> Diagnostic | None:
    """Return what is wrong inside a quoted text that no terminal matches."""
    if _CLOSED_TEXT.match(text, offset) is None:
        return errors.UnclosedText(Span(offset, _line_end(text, offset)))
    if escape := _UNKNOWN_ESCAPE.match(text, offset + 1):
        return errors.Unescaped(Span(*escape.span(1)), escape[1], f"\\{escape[1]}")
    if expected & {"TEMPLATE_PLAIN", "TEMPLATE_END"} and (brace := _BARE_BRACE.match(text, offset + 1)):
        return errors.Unescaped(Span(*brace.span(1)), brace[1], f"\\{brace[1]}")
    return None


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def _word_at(text: str, offset: int) -> Span:
    """Return the place of the word around an offset; a mistake may show only inside (`cooler` for `cool`)."""
    start = offset
    if re.match(r"\w", text[offset]):
        window = text[max(0, offset - _LONGEST_WORD) : offset]
        start -= len(window) - _LEFT_OF_WORD.search(window).start()  # type: ignore[union-attr]  # it may be empty
    match = _WORD.match(text, start)
    return Span(start, match.end()) if match and match.end() > offset else Span(offset, offset + 1)


class Healing(IntEnum):
    """How far parsing comes with a suggestion: not behind it, just behind it, or beyond what follows."""

    NOT_AT_ALL = 0
    ITSELF = 1
    FURTHER = 2


@attrs.frozen
class _Unexpected:
    """A word where the grammar does not allow it: its place, and where in it the parser expected what."""

    text: str
    passage: Passage
    language: Language
    place: Span
    offset: int
    expected: frozenset[str]

    @property
    def word(self) -> str:
        return self.text[self.place.start : self.place.end]

    @property
    def words(self) -> tuple[str, ...]:
        """The fixed words that may stand here."""
        if "FIELD" in self.expected:
            return self._fields()
        return _words(self.expected, self.language)

    def diagnostic(self) -> Diagnostic:
        if self.place.start < self.offset:
            return attrs.evolve(self, offset=self.place.start, expected=self._expected_before()).diagnostic()
        if self.word[:-1] and self.word.endswith(":") and "LABEL" not in self.expected:
            return attrs.evolve(self, place=Span(self.place.start, self.place.end - 1)).diagnostic()
        meant = ((one, self._healing(one)) for one in self._suggestions())
        suggestion, healing = next(((one, how) for one, how in meant if how), (None, Healing.NOT_AT_ALL))
        return errors.UnexpectedInput(
            self.place,
            f"`{self.word}`",
            _options(self.words, self.expected),
            suggestion,
            advice=None if suggestion else self._advice(),
            is_safe=healing is Healing.FURTHER,
        )

    def _expected_before(self) -> frozenset[str]:
        """Return what may stand where the word begins, whose first letters were taken for another word."""
        try:
            self.language.parse(
                self.text, Span(self.passage.span.start, self.place.start), self.passage.start
            )
        except UnexpectedInput as error:
            return error.expected
        return frozenset({END})

    def _fields(self) -> tuple[str, ...]:
        """Return the fields of the variable before the dot, or all if its type is not known."""
        variable = re.search(r"\?(\w+)\s*\.\s*\Z", self.text[self.passage.span.start : self.place.start])
        declared = re.search(rf"let\s+\?{variable[1]}\s*:\s*(\w+)", self.text) if variable else None
        names = {name for type, name in self.language.interface.fields_of if declared and type == declared[1]}
        return tuple(sorted(names)) or _words(self.expected, self.language)

    def _suggestions(self) -> Iterator[str]:
        """Yield what may have been meant: a word, constant, variable or name of the right spelling."""
        if self.word in _FOREIGN:
            yield _FOREIGN[self.word]
        bare = self.word.strip("?:$")
        if not bare.isidentifier():
            return
        yield from self._misspelt(bare)
        yield from (word for word in self.words if len(word) > 1 and bare.startswith(word))
        name = _snake_case(bare)
        if "VARIABLE" in self.expected and (self.word.startswith("?") or f"?{name}" in self._variables()):
            yield f"?{name}"
        if "NAME" in self.expected:
            yield name
        if "LABEL" in self.expected and "OR" not in self.expected:
            yield f"{name}:"

    def _misspelt(self, bare: str) -> Iterator[str]:
        words = set(self.words)
        if END in self.expected:
            words |= KEYWORDS
        if "CONSTANT" in self.expected:
            words |= set(self.language.interface.enumerations_with)
        spelt = {name: name for name in sorted(words)}
        if "VARIABLE" in self.expected:
            spelt |= {name[1:]: name for name in sorted(self._variables())}
        nearest = closest(bare, spelt) if len(bare) > 2 else None
        if nearest:
            yield spelt[nearest]

    def _variables(self) -> set[str]:
        return set(re.findall(r"\?[a-z][a-z0-9_]*\b", self.text)) - {self.word}

    def _healing(self, suggestion: str) -> Healing:
        """Say how far parsing comes when a suggestion stands in place of the word."""
        if suggestion == self.word:
            return Healing.NOT_AT_ALL
        if END in self.expected and suggestion in KEYWORDS:
            return Healing.FURTHER
        start, end = self.passage.span.start, self.passage.span.end
        healed = self.text[start : self.place.start] + suggestion
        text = healed + self.text[self.place.end : end]
        try:
            self.language.parse(text, Span(0, len(text)), self.passage.start)
        except UnexpectedInput as error:
            if error.offset is not None and error.offset <= len(healed):
                return Healing.NOT_AT_ALL
            follows = _IGNORED.match(text, len(healed))
            return Healing.ITSELF if follows and error.offset == follows.end() else Healing.FURTHER
        return Healing.FURTHER

    def _advice(self) -> str | None:
        word, before = self.word, self.text[max(0, self.place.start - 1) : self.place.start]
        if word == "not" and "IN" in self.expected:
            return "put `not` before the whole comparison: `not ?food.type in [ … ]`"
        if word in ("/", "--", ";", ","):
            return "comments begin with `#`; only white space stands between sections, operations and checks"
        if word == "-" and before.isalnum():
            return "names consist of lower-case letters, digits and `_`"
        if word == "{" and self.expected == {"FOR"}:
            return "say which environment it is for: `scenario NAME for ENVIRONMENT {`"
        if word == "'":
            return 'texts stand between double quotes: `"…"`'
        if before == '"' and word.isidentifier():
            return 'write `\\"` for a quote inside a text'
        if word[0].isdigit() and len(word) > 9:
            return "numbers have nine digits at most"
        if word[0].isupper() and "LSQB" in self.expected:
            return "write a list: `[Bread, Apple]`"
        if word[0].islower() and "CONSTANT" in self.expected:
            return "variables begin with `?`; types and other constants with a capital letter"
        return None


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


def _words(expected: frozenset[str], language: Language) -> tuple[str, ...]:
    literals = (literal for name in expected - set(_PHRASES) for literal in language.literals.get(name, ()))
    return tuple(sorted(literals))


def _options(words: tuple[str, ...], expected: frozenset[str]) -> tuple[str, ...]:
    """Return phrases for what may stand at a place, the most useful first."""
    if expected >= _EXPRESSION:
        return ("a formula (such as `eventually …`)",) if "EVENTUALLY" in expected else ("an expression",)
    left, phrases = set(expected), []
    if left >= _VALUES:
        phrases.append("a value (such as `?food`, `Fridge`, `4`)")
        left -= {*_VALUES, "MONEY"}
    phrases += [phrase for name, phrase in _PHRASES.items() if name in left and name not in _LAST]
    sections = [word for word in words if word in KEYWORDS]
    phrases += [f"`{word}`" for word in (*(word for word in words if word not in sections), *sections)]
    phrases += [_PHRASES[name] for name in _LAST if name in left]
    return _shortened(tuple(dict.fromkeys(phrases)))


def _shortened(phrases: tuple[str, ...]) -> tuple[str, ...]:
    if len(phrases) <= MOST_OPTIONS:
        return phrases
    return (*phrases[: MOST_OPTIONS - 1], f"one of {len(phrases) - MOST_OPTIONS + 1} other words")


def explain_stray(text: str, offset: int) -> Diagnostic:
    """Return the diagnostic for something that stands before the first scenario."""
    place = _word_at(text, offset)
    word = text[place.start : place.end]
    return errors.UnexpectedInput(place, f"`{word}`", ("`scenario`",), closest(word, ("scenario",)))


def stray(token: Token, closed: Token | None) -> Diagnostic:
    """Return the diagnostic for something between sections, or behind the brace that closes the scenario."""
    if closed is None:
        advice = (
            "this brace closes the scenario too early: take it away, or add the `{` that is missing above"
        )
        return errors.UnexpectedInput(token.span, f"`{token.text}`", ("the next section",), None, advice)
    note = Note(closed.span, "this brace closes the scenario")
    options = ("the next scenario", "the end")
    return errors.UnexpectedInput(token.span, f"`{token.text}`", options, None, None, note)


def unclosed_scenario(last: Section, header: Header) -> Diagnostic:
    """Return the diagnostic for a scenario without a closing brace."""
    name = header.name or header.keyword
    place = Span(max(last.span.start, last.span.end - 1), last.span.end)
    note = Note(name.span, "this scenario is not closed")
    return errors.UnexpectedInput(place, "end of the scenario", ("`}`",), None, "close it with `}`", note)
