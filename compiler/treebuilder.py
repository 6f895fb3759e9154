"""Turns the parser's tree of a scenario into the syntax tree, and gives each comment to its item."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from skillsandbox.compiler import scanner
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Span
from skillsandbox.grammar.lalr import Token, Tree

_BLANKS = re.compile(r"[ \t]*")
_OPENING = re.compile(r"(?:\s|#[^\n]*)*\{")
_ESCAPE = re.compile(r"\\(.)")


def unescape(text: str) -> str:
    """Return the text that a literal stands for, given what stands between its delimiters."""
    return _ESCAPE.sub(lambda match: "\n" if match[1] == "n" else match[1], text)


def deeper_than(tree: Any, limit: int) -> Span | None:
    """Return the place of the first part of a tree that lies deeper than a limit, None where none does."""
    level = [tree]
    for _ in range(limit):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return None
    return _span(level[0])


class TreeBuilder:
    """Builds the scenarios of one text in order; it hands out each comment once."""

    def __init__(self, text: str, comments: Sequence[scanner.Token]) -> None:
        self._text = text
        self._comments = comments
        self._taken = 0

    def comments_to(self, offset: int) -> tuple[str, ...]:
        """Return the comments that start before an offset and belong to nothing yet."""
        start = self._taken
        while self._taken < len(self._comments) and self._comments[self._taken].span.start < offset:
            self._taken += 1
        return tuple(comment.text[1:].strip() for comment in self._comments[start : self._taken])

    def _comment_behind(self, offset: int) -> str | None:
        blanks = _BLANKS.match(self._text, offset)
        assert blanks is not None
        if self._text[blanks.end() : blanks.end() + 1] != "#":
            return None
        return self.comments_to(blanks.end() + 1)[-1]

    def _around(self, span: Span) -> s.Comments:
        """Return the comments above an item or inside it, and the one behind it."""
        if self._taken == len(self._comments):
            return s.NO_COMMENTS
        return s.Comments(self.comments_to(span.end), self._comment_behind(span.end))

    def scenario(self, tree: Any) -> s.Scenario:
        """Return the scenario of a tree of the rule `scenario`."""
        name, environment, body = tree.children
        span = _span(tree)
        comments = self._around(Span(span.start, self._behind_brace(environment.end)))
        parts = self._unsupported(body) if body.kind == "unsupported" else self._sections(body.children)
        return s.Scenario(
            name=name.text,
            environment=environment.text,
            span=span,
            name_span=_span(name),
            comments=comments,
            closing=self._around(span),
            **parts,
        )

    def _behind_brace(self, offset: int) -> int:
        opening = _OPENING.match(self._text, offset)
        assert opening is not None
        return opening.end()

    def _unsupported(self, body: Any) -> dict[str, Any]:
        text, reason = body.children
        span = _span(body)
        condition = s.Condition(_text(text), None, _text(reason), span=span, comments=self._around(span))
        return {"condition": condition}

    def fragment(
        self,
        name: scanner.Token,
        environment: scanner.Token,
        span: Span,
        trees: Sequence[Any],
        unread: frozenset[str],
    ) -> s.Scenario:
        """Return as much of a scenario as its readable sections say, given as trees of their rules."""
        parts = {"condition": s.Condition("", None), **self._sections(trees)}
        return s.Scenario(name.text, environment.text, span=span, name_span=name.span, unread=unread, **parts)

    def _sections(self, trees: Sequence[Any]) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        lets: list[s.Let] = []
        for child in trees:
            section = self._section(child)
            if isinstance(section, s.Let):
                lets.append(section)
            else:
                parts[child.kind] = section
        return parts | {"lets": tuple(lets)}

    def _section(self, tree: Any) -> Any:
        builders: dict[str, Callable[[Any], Any]] = {
            "condition": self._condition,
            "base": lambda tree: s.Base(**self._call(tree)),
            "let": self._let,
            "goal": lambda tree: s.Goal(**self._call(tree)),
            "say": self._say,
            "build": lambda tree: self._block(tree, self._operation),
            "history": lambda tree: self._block(tree, lambda item: s.Action(**self._call(item))),
            "require": lambda tree: self._block(tree, self._check),
            "encounter": lambda tree: self._block(tree, self._check),
            "novel": self._novel,
        }
        return builders[tree.kind](tree)

    def _call(self, tree: Any) -> dict[str, Any]:
        span = _span(tree)
        return {"call": expression(tree.children[0]), "span": span, "comments": self._around(span)}

    def _condition(self, tree: Any) -> s.Condition:
        text, mode = tree.children
        span = _span(tree)
        return s.Condition(_text(text), mode.text, span=span, comments=self._around(span))

    def _let(self, tree: Any) -> s.Let:
        variable, type_name, *where = tree.children
        span = _span(tree)
        return s.Let(
            s.Variable(variable.text[1:], span=_span(variable)),
            type_name.text,
            expression(where[0]) if where else None,
            span=span,
            type_span=_span(type_name),
            comments=self._around(span),
        )

    def _say(self, tree: Any) -> s.Say:
        span = _span(tree)
        parts = tuple(part for part in map(_wording_part, tree.children) if part != s.Text(""))
        return s.Say(parts, span=span, comments=self._around(span))

    def _block(self, tree: Any, item: Callable[[Any], s.Item]) -> s.Block:
        span = _span(tree)
        comments = self._around(Span(span.start, self._behind_brace(span.start + len(tree.kind))))
        items = tuple(item(child) for child in tree.children)
        return s.Block(items, span=span, comments=comments, closing=self._around(span))

    def _operation(self, tree: Any) -> s.Operation:
        call, *labels = tree.children
        span = _span(tree)
        return s.Operation(
            expression(call),  # type: ignore[arg-type]  # the grammar has only calls here
            labels[0].text if labels else None,
            span=span,
            label_span=_span(labels[0]) if labels else span,
            comments=self._around(span),
        )

    def _check(self, tree: Any) -> s.Check:
        label, condition = tree.children
        span = _span(tree)
        place = Span(label.start, label.end - 1)
        return s.Check(
            label.text[:-1], expression(condition), span=span, label_span=place, comments=self._around(span)
        )

    def _novel(self, tree: Any) -> s.Novel:
        span = _span(tree)
        return s.Novel(tuple(map(expression, tree.children)), span=span, comments=self._around(span))


def _span(part: Token | Tree) -> Span:
    return Span(part.start, part.end)


def _text(token: Any) -> str:
    return unescape(token.text[1:-1])


def _wording_part(child: Any) -> s.Text | s.Expression:
    """Return a part of a wording: a text, or what stands in a hole."""
    if isinstance(child, Token):
        return s.Text(unescape(child.text[1:-1]), span=_span(child))
    variable, *field = child.children
    subject = s.Variable(variable.text[1:], span=_span(variable))
    if not field:
        return subject
    return s.Field(subject, field[0].text, span=_span(child), name_span=_span(field[0]))


_UNARY: dict[str, Any] = {
    "not": s.Not,
    "formula_not": s.Not,
    "eventually": s.Eventually,
    "always": s.Always,
    "never": s.Never,
    "at_start": s.AtStart,
}
_BINARY: dict[str, Any] = {"before": s.Before, "then": s.Then}
_MANY: dict[str, Any] = {"and": s.And, "formula_and": s.And, "or": s.Or, "formula_or": s.Or}


def expression(tree: Any) -> s.Expression:
    """Return the expression of a tree; a rule that is not the core grammar's is a call."""
    if isinstance(tree, Token):
        return _token(tree)
    kind, parts, span = tree.kind, tree.children, Span(tree.start, tree.end)
    match kind:
        case "variable" | "number" | "money" | "text" | "constant":
            return _token(parts[0])
        case "field":
            subject = s.Variable(parts[0].children[0].text[1:], span=_span(parts[0]))
            return s.Field(subject, parts[1].text, span=span, name_span=_span(parts[1]))
        case "list":
            return s.ListOf(tuple(map(expression, parts)), span=span)
        case "compare":
            return s.Compare(parts[1].text, expression(parts[0]), expression(parts[2]), span=span)
        case "member":
            return s.Member(expression(parts[0]), expression(parts[1]), span=span)  # type: ignore[arg-type]
        case "contains":
            return s.Contains(expression(parts[0]), expression(parts[1]), span=span)
        case "within":
            return s.Within(int(parts[0].text), expression(parts[1]), span=span)
        case _ if kind in _UNARY:
            unary: s.Expression = _UNARY[kind](expression(parts[0]), span=span)
            return unary
        case _ if kind in _BINARY:
            binary: s.Expression = _BINARY[kind](expression(parts[0]), expression(parts[1]), span=span)
            return binary
        case _ if kind in _MANY:
            many: s.Expression = _MANY[kind](tuple(map(expression, parts)), span=span)
            return many
        case _:
            return s.Call(kind, tuple(map(expression, parts)), span=span)


def _token(token: Token) -> s.Expression:
    """Return the expression of a token that an environment's rule takes directly, not through a core rule."""
    match token.type:
        case "VARIABLE":
            return s.Variable(token.text[1:], span=_span(token))
        case "NUMBER":
            return s.Number(int(token.text), span=_span(token))
        case "MONEY":
            return s.Money(_cents(token.text), span=_span(token))
        case "STRING":
            return s.Text(_text(token), span=_span(token))
        case _:
            return s.Constant(token.text, span=_span(token))


def _cents(money: str) -> int:
    dollars, _, cents = money[1:].partition(".")
    return int(dollars) * 100 + int(cents or "0")
