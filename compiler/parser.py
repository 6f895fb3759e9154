"""Parse: from a source text to its syntax tree, or to everything that is wrong with its syntax.

The grammar is tried on each scenario as a whole first. Only where that fails is each section parsed by
itself, so that a mistake in one does not hide those in the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs

from skillsandbox.compiler import errors, scanner, syntaxerror
from skillsandbox.compiler.diagnostics import Diagnostic, Source, Span
from skillsandbox.compiler.environment import Environment
from skillsandbox.compiler.suggestion import closest
from skillsandbox.compiler.syntax import Program, Scenario
from skillsandbox.compiler.syntaxerror import KEYWORD_OF, KEYWORDS
from skillsandbox.compiler.treebuilder import TreeBuilder, deeper_than
from skillsandbox.grammar.lalr import Tree, UnexpectedInput
from skillsandbox.grammar.loader import SECTIONS, load_parser

LARGEST_TEXT = 1_000_000
LARGEST_SCENARIO = 20_000
DEEPEST_BRACKETS = 50
DEEPEST_TREE = 100
MOST_DIAGNOSTICS = 100
"""After so many mistakes in the syntax of a text no more are looked for: it is no program, most likely."""

_START_OF = {keyword: start for start, keyword in KEYWORD_OF.items()}
_ORDER = tuple(KEYWORD_OF[name] for name in SECTIONS)
_DEMANDED = ("condition", "goal", "say", "encounter")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UNSUPPORTED = re.compile(r'condition\s+"(?:[^"\\\n]|\\.)*"\s+unsupported\b')


@attrs.frozen
class Parsed:
    """What came of parsing: the scenarios whose syntax is right, and what is wrong with the text.

    `fragments` holds what could be read of the other scenarios, for the passes that look for more mistakes.
    """

    program: Program
    diagnostics: tuple[Diagnostic, ...]
    fragments: tuple[Scenario, ...] = ()


def decode(data: bytes, name: str) -> Source | Diagnostic:
    """Return the text of a file, or the diagnostic that it is none."""
    try:
        return Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return errors.NotText(Span(0, 0), reason=f"byte {error.start:,} is not UTF-8")


def parse(source: Source, environments: Mapping[str, Callable[[], Environment]]) -> Parsed:
    """Parse a program in the languages of the given environments."""
    text = source.text
    if refusal := _refusal(text):
        return Parsed(Program(()), (refusal,))
    outline = scanner.outline(text, DEEPEST_BRACKETS)
    if outline.too_deep is not None:
        return Parsed(Program(()), (errors.TooDeep(outline.too_deep, "brackets are", DEEPEST_BRACKETS),))
    builder = TreeBuilder(text, outline.comments)
    diagnostics = list(_before_first(text, outline.scenarios))
    scenarios: list[Scenario] = []
    fragments: list[Scenario] = []
    for span in outline.scenarios:
        if len(diagnostics) >= MOST_DIAGNOSTICS:
            break
        parsed = _ScenarioParser(text, span, environments).parse(builder)
        diagnostics += parsed.diagnostics
        scenarios += parsed.program.scenarios
        fragments += parsed.fragments
    program = Program(tuple(scenarios), builder.comments_to(len(text)))
    return Parsed(program, tuple(diagnostics), tuple(fragments))


def _refusal(text: str) -> Diagnostic | None:
    if len(text) > LARGEST_TEXT:
        return errors.TooLarge(Span(0, 0), "text", LARGEST_TEXT)
    if control := _CONTROL.search(text):
        reason = f"it contains the control character U+{ord(control.group()):04X}"
        return errors.NotText(Span(*control.span()), reason=reason)
    return None


def _before_first(text: str, scenarios: tuple[Span, ...]) -> Iterator[Diagnostic]:
    """Report what is wrong before the first scenario: something stands there, or there is no scenario."""
    end = scenarios[0].start if scenarios else len(text)
    tokens = (token for token in scanner.scan(text, 0, end) if token.kind != "comment")
    stray = next(tokens, None)
    if stray is not None and (scenarios or closest(stray.text, ("scenario",))):
        yield syntaxerror.explain_stray(text, stray.span.start)
    elif not scenarios:
        yield errors.NoScenario(Span(0, 0) if stray is None else stray.span)


def _refused(*diagnostics: Diagnostic) -> Parsed:
    return Parsed(Program(()), diagnostics)


class _Recovered:
    """What comes of parsing a scenario section by section: trees, mistakes, and which sections have any."""

    def __init__(self, language: syntaxerror.Language, text: str) -> None:
        self._language = language
        self._text = text
        self.trees: list[Tree] = []
        self.found: list[Diagnostic] = []
        self.unread: set[str] = set()

    def read(self, sections: Iterable[scanner.Section]) -> None:
        """Parse the sections."""
        for section in sections:
            unsupported = _UNSUPPORTED.match(self._text, section.span.start)
            start = "unsupported" if unsupported else _START_OF[section.keyword]
            try:
                tree = self._language.parse(self._text, section.span, start)
            except UnexpectedInput as error:
                passage = syntaxerror.Passage(section.span, start, section.keyword)
                self.found.append(syntaxerror.explain(error, self._text, passage, self._language))
                self.unread.add(section.keyword)
            else:
                if not unsupported and not deeper_than(tree, DEEPEST_TREE):
                    self.trees.append(tree)


class _ScenarioParser:
    """Parses the one scenario that stands in a stretch of text."""

    def __init__(self, text: str, span: Span, environments: Mapping[str, Callable[[], Environment]]) -> None:
        self._text = text
        self._span = span
        self._environments = environments
        self._header = scanner.header(text, span, KEYWORDS)

    def parse(self, builder: TreeBuilder) -> Parsed:
        """Return the scenario, or everything that is wrong with its syntax and what could be read of it."""
        size = self._span.end - self._span.start
        if size > LARGEST_SCENARIO:
            return _refused(errors.TooLarge(self._header.keyword.span, "scenario", LARGEST_SCENARIO))
        unknown, language = self._language()
        if language is None:
            return _refused(*unknown)
        recovered = _Recovered(language, self._text)
        if unknown:
            recovered.read(self._sections())
            return _refused(*unknown, *recovered.found)
        tree = self._whole(language)
        if isinstance(tree, Diagnostic):
            return self._recover(recovered, tree)
        if deep := deeper_than(tree, DEEPEST_TREE):
            return _refused(errors.TooDeep(deep, "expressions are", DEEPEST_TREE))
        return Parsed(Program((builder.scenario(tree.children[0]),)), ())

    def _language(self) -> tuple[list[Diagnostic], syntaxerror.Language | None]:
        """Return the language of the scenario; where its header names none, the first that it mentions."""
        installed = tuple(self._environments)
        word = self._header.environment
        if word is None:
            mentioned = [name for name in installed if name in self._header.words]
            return [], self._load((mentioned or installed)[0])
        if word.text in self._environments:
            return [], self._load(word.text)
        suggestion = closest(word.text, installed)
        complaint = errors.UnknownEnvironment(word.span, word.text, installed, suggestion)
        return [complaint], self._load(suggestion) if suggestion else None

    def _load(self, name: str) -> syntaxerror.Language:
        environment = self._environments[name]()
        return syntaxerror.Language(load_parser(environment.grammar()), environment.interface())

    def _whole(self, language: syntaxerror.Language) -> Tree | Diagnostic:
        try:
            return language.parse(self._text, self._span, "program")
        except UnexpectedInput as error:
            passage = syntaxerror.Passage(self._span, "program", "scenario")
            return syntaxerror.explain(error, self._text, passage, language)

    def _recover(self, recovered: _Recovered, whole: Diagnostic) -> Parsed:
        sections = self._sections()
        recovered.read(sections)
        header_end = sections[0].span.start if sections else self._span.end
        is_empty = self._text[whole.span.start : whole.span.end] == "}"
        header = [whole] if whole.span.start < header_end and not is_empty else []
        found = header + recovered.found
        found = [*found, *self._misplaced(sections, found), *self._stray(sections, found)] or [whole]
        return Parsed(Program(()), tuple(found), tuple(self._fragment(recovered)))

    def _fragment(self, recovered: _Recovered) -> Iterator[Scenario]:
        name, environment = self._header.name, self._header.environment
        if name is not None and environment is not None and environment.text in self._environments:
            builder, unread = TreeBuilder(self._text, ()), frozenset({"scenario", *recovered.unread})
            yield builder.fragment(name, environment, self._span, recovered.trees, unread)

    def _sections(self) -> tuple[scanner.Section, ...]:
        return scanner.sections(self._text, self._span, KEYWORDS)

    def _misplaced(
        self, sections: tuple[scanner.Section, ...], found: list[Diagnostic]
    ) -> Iterator[Diagnostic]:
        """Report sections that are missing, stand twice or too late, unless a misspelt word explains it."""
        if _UNSUPPORTED.match(self._text, sections[0].span.start if sections else self._span.start):
            return
        last: dict[str, scanner.Section] = {}
        for section in sections:
            place = Span(section.span.start, section.span.start + len(section.keyword))
            later = [other for other in last.values() if _rank(other) > _rank(section)]
            if section.keyword != "let" and section.keyword in last:
                yield errors.Misplaced(place, section.keyword, section.keyword, _head(last[section.keyword]))
            elif later:
                yield errors.Misplaced(place, section.keyword, later[0].keyword, _head(later[0]))
            last.setdefault(section.keyword, section)
        misspelt = {one.suggestion for one in found if isinstance(one, errors.UnexpectedInput)}
        name = self._header.name or self._header.keyword
        missing = tuple(one for one in _DEMANDED if one not in last and one not in misspelt)
        if missing:
            yield errors.MissingSection(name.span, missing)

    def _stray(self, sections: tuple[scanner.Section, ...], found: list[Diagnostic]) -> Iterator[Diagnostic]:
        """Report the first thing that stands between sections or behind the scenario's end.

        What follows a section in which something is wrong already is most likely a part of that.
        """
        for section in sections:
            tokens = scanner.scan(self._text, section.span.end, section.end)
            rest = [token for token in tokens if token.kind != "comment"]
            is_last = section is sections[-1]
            if any(section.span.start <= one.span.start < section.end for one in found):
                continue
            if is_last and not rest:
                yield syntaxerror.unclosed_scenario(section, self._header)
            elif len(rest) > is_last:
                yield syntaxerror.stray(rest[is_last], closed=rest[0] if is_last else None)
                return


def _rank(section: scanner.Section) -> int:
    return _ORDER.index(section.keyword)


def _head(section: scanner.Section) -> Span:
    return Span(section.span.start, section.span.start + len(section.keyword))
