"""Well-typed scenario programs, drawn from an environment's interface; and texts that no longer are."""

from __future__ import annotations

import re
from typing import Any

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.checker import Stage
from skillsandbox.compiler.interface import Interface, Parameter, Role, Signature

DEEPEST = 3
_ORDERED = ("Int", "Money")
_CONTROL = "".join(map(chr, [*range(32), 127]))

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True) | st.sampled_from(
    ["scenario", "for", "goal", "in", "let", "not", "open", "condition", "agent", "x1"]
)
LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=_CONTROL), max_size=12)
TEXTS = LINES | st.text(st.sampled_from('ab "\\\n\t{}#?'), max_size=8)


def comment_text(text: str) -> str:
    """Return a line as the text of a comment."""
    return text.strip()


COMMENTS = st.builds(
    s.Comments,
    above=st.lists(LINES.map(comment_text), max_size=1).map(tuple),
    behind=st.none() | LINES.map(comment_text),
)


def is_function(signature: Signature) -> bool:
    """Say whether a symbol is written like a function, so that it can stand inside other terms."""
    return signature.role is Role.FUNCTION and re.match(r"\w+\(", signature.syntax) is not None


@attrs.frozen
class Scope:
    """What an expression may speak of: the vocabulary, the types of the variables, and the stage."""

    interface: Interface
    variables: dict[str, str]
    stage: Stage = Stage.DATA

    def fields(self, type: str) -> list[s.Expression]:
        """Return every field of a variable that has a type and is known at this stage."""
        return [
            s.Field(s.Variable(name), field.name)
            for name, subject in self.variables.items()
            for field in self.interface.fields
            if field.subject == subject and field.result == type and self._is_known(field.column)
        ]

    def functions(self, type: str) -> list[Signature]:
        """Return the functions that yield a type, can be called here, and are known at this stage."""
        return [
            one
            for one in self.interface.signatures
            if is_function(one) and one.result == type and self._is_known(one.sql) and self.can_call(one)
        ]

    def relations(self) -> list[Signature]:
        """Return the relations that can stand here."""
        return [
            one
            for one in self.interface.signatures
            if one.role is Role.FUNCTION
            and not is_function(one)
            and self._is_known(one.sql)
            and self.can_call(one)
        ]

    def calls(self, role: Role) -> list[Signature]:
        """Return the symbols of a role for whose parameters there are variables."""
        return [one for one in self.interface.signatures if one.role is role and self.can_call(one)]

    def can_call(self, signature: Signature) -> bool:
        """Say whether there are variables for all parameters that are entities."""
        types = {parameter.type for parameter in signature.parameters if self.is_entity(parameter.type)}
        return types <= set(self.variables.values())

    def is_entity(self, type: str) -> bool:
        """Say whether a type is one of entities."""
        return self.interface.type_named[type].table is not None

    def _is_known(self, source: str | None) -> bool:
        return self.stage is not Stage.DATA or source is not None


def literals(interface: Interface, type: str) -> SearchStrategy[Any] | None:
    """Return the literals of a type, None where it has none."""
    match type:
        case "Int":
            return st.integers(0, 999_999_999).map(s.Number)
        case "Money":
            return st.integers(0, 99_999).map(s.Money)
        case "Text":
            return TEXTS.map(s.Text)
        case _:
            found = interface.type_named[type]
            if found.words is not None:
                return TEXTS.map(s.Text)
            return st.sampled_from(found.values).map(s.Constant) if found.values else None


@st.composite
def terms(draw: DrawFn, scope: Scope, type: str, depth: int = 1, *, constant: bool = True) -> s.Expression:
    """Draw a term of a type; without `constant`, not a literal where there is anything else."""
    choices: list[SearchStrategy[s.Expression]] = []
    if type in scope.interface.type_named and scope.is_entity(type):
        return s.Variable(draw(st.sampled_from(_names(scope, type))))
    if fields := scope.fields(type):
        choices.append(st.sampled_from(fields))
    if depth and (functions := scope.functions(type)):
        choices.append(st.sampled_from(functions).flatmap(lambda one: calls(scope, one, depth - 1)))
    literal = None if type.startswith("[") else literals(scope.interface, type)
    if literal is not None and (constant or not choices):
        choices.append(literal)
    return draw(st.one_of(choices))


def _names(scope: Scope, type: str) -> list[str]:
    return [name for name, own in scope.variables.items() if own == type]


@st.composite
def calls(draw: DrawFn, scope: Scope, signature: Signature, depth: int = 0) -> s.Call:
    """Draw a call of a symbol with arguments of the right types."""
    arguments: list[s.Expression] = []
    for parameter in signature.parameters:
        if parameter.many:
            least = 0 if "[" in signature.syntax else 1
            arguments += draw(st.lists(_arguments(scope, parameter, depth), min_size=least, max_size=3))
        else:
            arguments.append(draw(_arguments(scope, parameter, depth)))
    return s.Call(signature.symbol, tuple(arguments))


def _arguments(scope: Scope, parameter: Parameter, depth: int) -> SearchStrategy[Any]:
    if parameter.range is not None:
        return st.integers(*parameter.range).map(s.Number)
    if parameter.type in ("Int", "Money", "Text"):
        literal = literals(scope.interface, parameter.type)
        assert literal is not None
        return literal
    if clauses := [one for one in scope.calls(Role.CLAUSE) if one.result == parameter.type]:
        return st.sampled_from(clauses).flatmap(lambda one: calls(scope, one))
    if scope.interface.type_named[parameter.type].words is not None:
        return TEXTS.map(s.Text)
    return terms(scope, parameter.type, depth)


def comparable(scope: Scope) -> list[str]:
    """Return the types of which something other than a literal can be said here."""
    types = [one.name for one in scope.interface.types]
    entities = [name for name in types if scope.is_entity(name) and len(_names(scope, name)) > 1]
    return entities + [
        name for name in types if not scope.is_entity(name) and (scope.fields(name) or scope.functions(name))
    ]


@st.composite
def comparisons(draw: DrawFn, scope: Scope) -> s.Expression:
    """Draw a comparison of two different terms, or a membership in a list."""
    type = draw(st.sampled_from(comparable(scope)))
    left = draw(terms(scope, type, constant=False))
    if not scope.is_entity(type) and literals(scope.interface, type) is not None and draw(st.booleans()):
        listed = draw(st.lists(terms(scope, type), min_size=1, max_size=3))
        return s.Member(left, s.ListOf(tuple(listed)))
    right = draw(terms(scope, type).filter(lambda term: term != left))
    operators = ["==", "!=", *(["<", "<=", ">", ">="] if type in _ORDERED else [])]
    sides = (left, right) if draw(st.booleans()) else (right, left)
    return s.Compare(draw(st.sampled_from(operators)), *sides)


@st.composite
def containments(draw: DrawFn, scope: Scope) -> s.Expression:
    """Draw `… contains …`, of a text or a list of texts."""
    type = draw(st.sampled_from([one for one in _containers(scope) if scope.fields(one)]))
    return s.Contains(draw(st.sampled_from(scope.fields(type))), draw(terms(scope, type.strip("[]"))))


def _containers(scope: Scope) -> list[str]:
    lists = {field.result for field in scope.interface.fields if field.result.startswith("[")}
    return ["Text", *sorted(lists)]


def atoms(scope: Scope) -> list[SearchStrategy[Any]]:
    """Return what is true or false and has no connective in it; there may be nothing."""
    choices: list[SearchStrategy[Any]] = []
    if comparable(scope):
        choices.append(comparisons(scope))
    if any(map(scope.fields, _containers(scope))):
        choices.append(containments(scope))
    if scope.fields("Bool") or scope.functions("Bool"):
        choices.append(terms(scope, "Bool"))
    if relations := scope.relations():
        choices.append(st.sampled_from(relations).flatmap(lambda one: calls(scope, one, 1)))
    return choices


@st.composite
def expressions(draw: DrawFn, scope: Scope, depth: int = DEEPEST) -> s.Expression:
    """Draw an expression that is true or false."""
    kinds = ["atom", "atom", "not", "and", "or"] if depth else ["atom"]
    kind = draw(st.sampled_from(kinds))
    chosen = st.one_of(atoms(scope)) if kind == "atom" else _connectives(kind, expressions(scope, depth - 1))
    drawn: s.Expression = draw(chosen)
    return drawn


def _connectives(kind: str, operands: SearchStrategy[Any]) -> SearchStrategy[Any]:
    if kind == "not":
        return operands.map(s.Not)
    several = st.lists(operands, min_size=2, max_size=3).map(tuple)
    return several.map(s.And if kind == "and" else s.Or)


_UNARY: dict[str, Any] = {"eventually": s.Eventually, "always": s.Always, "never": s.Never}
_BINARY: dict[str, Any] = {"before": s.Before, "then": s.Then}


@st.composite
def formulas(draw: DrawFn, scope: Scope, depth: int = DEEPEST) -> s.Expression:
    """Draw a formula over a run."""
    kinds = ["not", "and", "or", "within", *(["start"] if atoms(scope) else []), *_UNARY, *_BINARY]
    inner = formulas(scope, depth - 1)
    chosen: SearchStrategy[Any]
    match draw(st.sampled_from(["atom", *kinds] if depth else ["atom"])):
        case "atom":
            chosen = st.one_of([*atoms(scope), *(calls(scope, one) for one in scope.calls(Role.EVENT))])
        case "within":
            chosen = st.builds(s.Within, st.integers(0, 40), inner)
        case "start":
            chosen = expressions(scope, 1).map(s.AtStart)
        case kind if kind in _UNARY:
            chosen = inner.map(_UNARY[kind])
        case kind if kind in _BINARY:
            chosen = st.builds(_BINARY[kind], inner, inner)
        case kind:
            chosen = _connectives(kind, inner)
    drawn: s.Expression = draw(chosen)
    return drawn


@st.composite
def _let(draw: DrawFn, scope: Scope, name: str) -> s.Let:
    where = draw(st.none() | expressions(scope, 2)) if atoms(scope) else None
    return s.Let(s.Variable(name), scope.variables[name], where, comments=draw(COMMENTS))


@st.composite
def _say(draw: DrawFn, scope: Scope) -> s.Say:
    types = [one.name for one in scope.interface.types if one.values or one.name in ("Int", "Money")]
    holes = [field for type in types for field in scope.fields(type)]
    parts: list[s.Text | s.Expression] = []
    for _ in range(draw(st.integers(0, 4))):
        if bool(holes) and draw(st.booleans()):
            parts.append(draw(st.sampled_from(holes)))
        elif not parts or not isinstance(parts[-1], s.Text):
            parts.append(s.Text(draw(TEXTS.filter(bool))))
    return s.Say(tuple(parts), comments=draw(COMMENTS))


@st.composite
def _block(draw: DrawFn, items: SearchStrategy[Any], least: int = 0) -> s.Block:
    found = draw(st.lists(items, min_size=least, max_size=3))
    return s.Block(tuple(found), comments=draw(COMMENTS), closing=draw(COMMENTS))


@st.composite
def _operations(draw: DrawFn, scope: Scope, labels: list[str]) -> s.Operation:
    call = draw(st.sampled_from(scope.calls(Role.OPERATION)).flatmap(lambda one: calls(scope, one)))
    label = draw(st.none() | st.sampled_from(labels)) if labels else None
    return s.Operation(call, label, comments=draw(COMMENTS))


@st.composite
def _actions(draw: DrawFn, scope: Scope) -> s.Action:
    call = draw(st.sampled_from(scope.calls(Role.ACTION)).flatmap(lambda one: calls(scope, one)))
    return s.Action(call, comments=draw(COMMENTS))


@st.composite
def _checks(draw: DrawFn, labels: list[str], conditions: SearchStrategy[Any]) -> s.Block:
    items = tuple(s.Check(label, draw(conditions), comments=draw(COMMENTS)) for label in labels)
    return s.Block(items, comments=draw(COMMENTS), closing=draw(COMMENTS))


@st.composite
def _novel(draw: DrawFn, scope: Scope) -> s.Novel:
    dimensions: list[s.Expression] = [s.Call(one.symbol, ()) for one in scope.calls(Role.DIMENSION)]
    dimensions += [s.Variable(name) for name in scope.variables]
    dimensions += [
        field
        for one in scope.interface.types
        if not scope.is_entity(one.name)
        for field in scope.fields(one.name)
    ]
    chosen = draw(st.lists(st.sampled_from(dimensions), min_size=1, max_size=3, unique=True))
    return s.Novel(tuple(chosen), comments=draw(COMMENTS))


@st.composite
def scenarios(draw: DrawFn, environment: str, interface: Interface, name: str = "one") -> s.Scenario:
    """Draw a scenario that is well-typed by construction; variables may be unused, or have no binding."""
    text, reason = draw(TEXTS), draw(TEXTS)
    mode = draw(st.sampled_from(["initial", "history", "rollout", None]))
    shared: dict[str, Any] = {"comments": draw(COMMENTS), "closing": draw(COMMENTS)}
    if mode is None:
        # The environment cannot bring the condition about, and nothing else stands in the scenario.
        return s.Scenario(
            name, environment, s.Condition(text, None, reason, comments=draw(COMMENTS)), **shared
        )
    entities = [one.name for one in interface.types if one.table is not None]
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    data = Scope(interface, {one: draw(st.sampled_from(entities)) for one in names})
    built, run = (attrs.evolve(data, stage=stage) for stage in (Stage.CONFIGURATION, Stage.RUN))
    labels = draw(st.lists(NAMES, max_size=3, unique=True)) if atoms(built) else []
    goals = st.sampled_from(data.calls(Role.GOAL)).flatmap(lambda one: calls(data, one, 1))
    bases = st.sampled_from(data.calls(Role.BASE)).flatmap(lambda one: calls(data, one))
    return s.Scenario(
        name,
        environment,
        s.Condition(text, mode, comments=draw(COMMENTS)),
        base=s.Base(draw(bases), comments=draw(COMMENTS)) if draw(st.booleans()) else None,
        lets=tuple(draw(_let(data, one)) for one in names),
        goal=s.Goal(draw(goals), comments=draw(COMMENTS)),
        say=draw(_say(data)),
        build=draw(st.none() | _block(_operations(data, labels))) if data.calls(Role.OPERATION) else None,
        history=draw(_block(_actions(data), 1)) if mode == "history" else None,
        require=draw(_checks(labels, expressions(built) if labels else st.nothing())),
        encounter=draw(_checks(draw(st.lists(NAMES, min_size=1, max_size=2, unique=True)), formulas(run))),
        novel=draw(st.none() | _novel(data)),
        **shared,
    )


@st.composite
def programs(draw: DrawFn, environment: str, interface: Interface) -> s.Program:
    """Draw a program of one or two scenarios."""
    names = draw(st.lists(NAMES, min_size=1, max_size=2, unique=True))
    closing = tuple(draw(st.lists(LINES.map(comment_text), max_size=1)))
    return s.Program(tuple(draw(scenarios(environment, interface, name)) for name in names), closing)


_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*|[?.$]?\w+:?|\s+|.')


def pieces(text: str) -> list[str]:
    """Cut a text into words, quoted texts, comments, white space and single characters."""
    return _PIECE.findall(text)


@st.composite
def mutilated(draw: DrawFn, text: str) -> str:
    """Draw a text that differs from another in a few places: pieces dropped, doubled, swapped or replaced."""
    left = pieces(text)
    for _ in range(draw(st.integers(1, 4))):
        where = draw(st.integers(0, len(left) - 1))
        other = draw(st.integers(0, len(left) - 1))
        match draw(st.sampled_from(["drop", "double", "swap", "replace", "insert", "cut"])):
            case "drop":
                left[where] = ""
            case "double":
                left[where] *= 2
            case "swap":
                left[where], left[other] = left[other], left[where]
            case "replace":
                left[where] = left[other]
            case "insert":
                left[where] += draw(st.text(max_size=3) | st.sampled_from(list('{}()[]"?.,:#$=!<>')))
            case _:
                left = [*left[:where], ""]
    return "".join(left)
