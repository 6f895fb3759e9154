"""Check: the types of a resolved scenario, and the rules of the language that no grammar expresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum

import attrs

from skillsandbox.compiler import errors
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Diagnostic, Note
from skillsandbox.compiler.interface import FieldSignature, Interface, Parameter, Role, Type
from skillsandbox.compiler.printer import print_expression
from skillsandbox.compiler.resolver import Resolved, actions, checks, operations
from skillsandbox.compiler.suggestion import closest, nearest

MOST_VARIABLES = 30
"""A query that joins more entities than this would be no situation that anybody can picture."""

_ORDERED = ("Int", "Money")


class Stage(IntEnum):
    """What is known where an expression stands: the data, the built configuration, or the run as well."""

    DATA = 0
    CONFIGURATION = 1
    RUN = 2


@attrs.frozen
class Wanted:
    """The type that an expression must have, its part in the program, and the other place that demands it."""

    type: str
    where: str
    because: Note | None = None


@attrs.frozen
class Word:
    """A text in a program, and the type whose words the data store knows.

    `altered` says that it speaks of what the operations leave, and may be a word that they bring in.
    """

    text: s.Text
    type: Type
    altered: bool


@attrs.frozen
class Words:
    """The texts of a scenario that must be words, and by type those that its operations bring in."""

    used: tuple[Word, ...]
    coined: Mapping[str, frozenset[str]]


def check(resolved: Resolved, interface: Interface) -> tuple[Diagnostic, ...]:
    """Return all that is wrong with the types of a scenario; of unknown names the resolver has spoken."""
    checker = _Checker(resolved, interface)
    return tuple(checker.scenario())


def words(resolved: Resolved, interface: Interface) -> Words:
    """Return the texts of a scenario that stand where words of the data are wanted, and new words."""
    checker = _Checker(resolved, interface)
    checker.scenario()
    return Words(tuple(checker.words), {type: frozenset(texts) for type, texts in checker.coined.items()})


def is_data(
    expression: s.Expression, types: dict[str, str], interface: Interface, *, altered: bool = False
) -> bool:
    """Say whether an expression speaks of the data alone, given the types of the variables.

    After operations, what they can alter is no longer known from the data.
    """
    for part in s.walk(expression):
        match part:
            case s.Field(subject=subject, name=name):
                field = interface.fields_of[types[subject.name], name]
                if field.column is None or (altered and field.alterable):
                    return False
            case s.Call(symbol=symbol):
                signature = interface.signature_of[symbol]
                if signature.sql is None or (altered and signature.alterable):
                    return False
            case _:
                pass
    return True


def type_of(term: s.Expression, types: dict[str, str], interface: Interface) -> str:
    """Return the type of a variable, field or call, given the types of the variables; nothing for others."""
    match term:
        case s.Variable(name=name):
            return types[name]
        case s.Field(subject=subject, name=name):
            return interface.fields_of[types[subject.name], name].result
        case s.Call(symbol=symbol):
            return interface.signature_of[symbol].result
        case _:
            return ""


class _Checker:
    """Checks one scenario; while types are inferred, `_found` collects what is wrong, `words` the words, and
    `coined` the new ones.
    """

    def __init__(self, resolved: Resolved, interface: Interface) -> None:
        self._scenario = resolved.scenario
        self._lets = resolved.lets
        self._interface = interface
        self._found: list[Diagnostic] = []
        self.words: list[Word] = []
        self.coined: dict[str, set[str]] = {}
        self._altered = False
        self._stage = Stage.DATA

    def scenario(self) -> list[Diagnostic]:
        scenario = self._scenario
        self._variables()
        for let in scenario.lets:
            if let.where is not None:
                self._check(let.where, Wanted("Bool", "the condition of a `let`"))
        self._altered = True
        if scenario.base is not None:
            self._call(scenario.base.call)
        if scenario.goal is not None:
            self._call(scenario.goal.call)
        self._say(scenario.say)
        for operation in operations(scenario):
            self._call(operation.call)
        for action in actions(scenario):
            self._call(action.call)
        self._checks(scenario.require, Stage.CONFIGURATION)
        self._checks(scenario.encounter, Stage.RUN)
        self._novel(scenario.novel)
        self._found += self._mode()
        return self._found

    def _variables(self) -> None:
        if len(self._scenario.lets) > MOST_VARIABLES:
            place = self._scenario.lets[MOST_VARIABLES].variable.span
            self._found.append(errors.TooManyVariables(place, len(self._scenario.lets), MOST_VARIABLES))

    def _checks(self, block: s.Block | None, stage: Stage) -> None:
        self._stage = stage
        for one in checks(block):
            self._check(one.condition, Wanted("Bool", f"the check `{one.label}`"))
        self._stage = Stage.DATA

    def _say(self, say: s.Say | None) -> None:
        for part in say.parts if say else ():
            actual = None if isinstance(part, s.Text) else self._infer(part)
            if actual is not None and (self._is_entity(actual) or actual == "Bool"):
                self._mismatch(part, Wanted("Text", "what fills a hole of the wording"), actual)

    def _novel(self, novel: s.Novel | None) -> None:
        for dimension in novel.dimensions if novel else ():
            self._infer(dimension)
            if not isinstance(dimension, s.Call) and not s.variables(dimension):
                self._found.append(errors.FixedDimension(dimension.span, self._text(dimension)))

    def _text(self, expression: s.Expression) -> str:
        return print_expression(expression, self._interface)

    def _mode(self) -> Iterator[Diagnostic]:
        condition, history = self._scenario.condition, self._scenario.history
        if self._scenario.unread:
            return
        if condition.mode is not None and (condition.mode == "history") != (history is not None):
            yield errors.ModeMismatch(condition.span, condition.mode, history.span if history else None)

    def _is_entity(self, type: str) -> bool:
        found = self._interface.type_named.get(type)
        return found is not None and found.table is not None

    def _check(self, expression: s.Expression, wanted: Wanted) -> None:
        """Check that an expression has a type, and report where it does not."""
        if isinstance(expression, s.Constant):
            self._constant(expression, wanted)
            return
        type = self._interface.type_named.get(wanted.type)
        if isinstance(expression, s.Text) and type is not None and type.words is not None:
            self.words.append(Word(expression, type, self._altered))
            return
        actual = self._infer(expression)
        if actual is not None and actual != wanted.type and not self._is_text(actual, wanted.type):
            self._mismatch(expression, wanted, actual)

    def _is_text(self, actual: str, wanted: str = "Text") -> bool:
        """Say whether a type is `Text`, or one of words, which are texts too, where a text is wanted."""
        found = self._interface.type_named.get(actual)
        return wanted == "Text" and (actual == "Text" or (found is not None and found.words is not None))

    def _constant(self, constant: s.Constant, wanted: Wanted) -> None:
        values = self._values(wanted.type)
        if constant.name in values:
            return
        others = self._interface.enumerations_with.get(constant.name)
        if others:
            self._mismatch(constant, wanted, others[0])
        else:
            self._unknown_constant(constant, wanted.type, values)

    def _values(self, type: str) -> tuple[str, ...]:
        found = self._interface.type_named.get(type)
        return found.values if found else ()

    def _unknown_constant(self, constant: s.Constant, type: str | None, values: Iterable[str]) -> None:
        suggestion, near = closest(constant.name, values), nearest(constant.name, values)
        self._found.append(errors.UnknownConstant(constant.span, constant.name, type, suggestion, near))

    def _mismatch(self, expression: s.Expression, wanted: Wanted, actual: str) -> None:
        suggestion = self._instead(expression, wanted.type, actual)
        usable = () if suggestion else self._usable(wanted.type)
        self._found.append(
            errors.TypeMismatch(
                expression.span, wanted.type, actual, wanted.where, wanted.because, suggestion, usable
            )
        )

    def _instead(self, expression: s.Expression, wanted: str, actual: str) -> str | None:
        """Return what most likely was meant: a constant without its quotes, or a field of a variable."""
        match expression:
            case s.Text(value=text):
                return closest(text, self._values(wanted))
            case s.Variable(name=name):
                fitting = [
                    field.name
                    for field in self._interface.fields
                    if field.subject == actual
                    and (field.result == wanted or self._can_be_said(field, wanted))
                ]
                return f"?{name}.{fitting[0]}" if len(fitting) == 1 else None
            case _:
                return None

    def _can_be_said(self, field: FieldSignature, wanted: str) -> bool:
        return wanted == "Text" and bool(self._values(field.result)) and field.column is not None

    def _usable(self, wanted: str) -> tuple[str, ...]:
        """Return what the scenario's variables offer of a type."""
        if wanted == "Bool":
            return ()
        variables = [f"?{name}" for name, let in self._lets.items() if let.type == wanted]
        fields = [
            f"?{name}.{field.name}"
            for name, let in self._lets.items()
            for field in self._interface.fields
            if field.subject == let.type and field.result == wanted
        ]
        return (*variables, *fields)

    def _infer(self, node: s.Expression) -> str | None:
        """Return the type of an expression, None where a mistake in it has been reported."""
        match node:
            case s.Variable(name=name):
                return self._lets[name].type if name in self._lets else None
            case s.Field():
                return self._field(node)
            case s.Number():
                return "Int"
            case s.Money():
                return "Money"
            case s.Text():
                return "Text"
            case s.Constant():
                return self._bare_constant(node)
            case s.Call():
                return self._call(node)
            case s.Compare():
                return self._compare(node)
            case s.Member():
                return self._member(node)
            case s.Contains():
                return self._contains(node)
            case s.AtStart(operand=operand):
                if any(isinstance(part, s.Temporal) for part in s.walk(operand)):
                    self._found.append(errors.TemporalAtStart(node.span))
                return self._connective(node)
            case _:
                return self._connective(node)

    def _connective(self, node: s.Expression) -> str:
        for operand in s.children(node):
            self._check(operand, Wanted("Bool", "an operand here"))
        return "Bool"

    def _bare_constant(self, constant: s.Constant) -> str | None:
        types = self._interface.enumerations_with.get(constant.name)
        if types:
            return types[0]
        self._unknown_constant(constant, None, self._interface.enumerations_with)
        return None

    def _field(self, field: s.Field) -> str | None:
        let = self._lets.get(field.subject.name)
        if let is None:
            return None
        signature = self._interface.fields_of.get((let.type, field.name))
        if signature is None:
            names = tuple(sorted(name for type, name in self._interface.fields_of if type == let.type))
            self._found.append(
                errors.NoSuchField(
                    field.name_span, field.name, let.type, names, closest(field.name, names), let.type_span
                )
            )
            return None
        if self._stage is Stage.DATA and signature.column is None:
            self._found.append(errors.NotData(field.span, self._text(field)))
        return signature.result

    def _call(self, call: s.Call) -> str | None:
        signature = self._interface.signature_of[call.symbol]
        for index, parameter in enumerate(signature.parameters):
            given = call.arguments[index:] if parameter.many else call.arguments[index : index + 1]
            for argument in given:
                self._check(
                    argument, Wanted(parameter.type, f"the {parameter.name} of `{_verb(signature.syntax)}`")
                )
                self._range(argument, parameter)
                self._coin(argument, parameter)
        if self._stage is Stage.DATA and signature.role is Role.FUNCTION and signature.sql is None:
            self._found.append(errors.NotData(call.span, self._text(call)))
        return signature.result

    def _range(self, argument: s.Expression, parameter: Parameter) -> None:
        if parameter.range is None or not isinstance(argument, s.Number):
            return
        least, most = parameter.range
        if not least <= argument.value <= most:
            self._found.append(errors.OutOfRange(argument.span, argument.value, least, most, parameter.why))

    def _coin(self, argument: s.Expression, parameter: Parameter) -> None:
        if parameter.coined is not None and isinstance(argument, s.Text):
            coined = self.coined.setdefault(parameter.coined.type, set())
            coined.add(parameter.coined.written(argument.value))

    def _compare(self, node: s.Compare) -> str:
        first, second = (
            (node.right, node.left) if isinstance(node.left, s.Constant | s.Text) else (node.left, node.right)
        )
        type = self._infer(first)
        if node.left == node.right:
            self._found.append(errors.Repeated(node.span, self._text(node)))
        elif type is not None:
            self._check(
                second, Wanted(type, "what it is compared with", Note(first.span, f"this is {_a(type)}"))
            )
            if node.operator not in ("==", "!=") and type not in _ORDERED:
                self._found.append(errors.Unordered(node.span, node.operator, type))
        return "Bool"

    def _member(self, node: s.Member) -> str:
        type = self._infer(node.item)
        if type is not None:
            because = Note(node.item.span, f"this is {_a(type)}")
            for option in node.options.items:
                self._check(option, Wanted(type, "an element of the list", because))
        return "Bool"

    def _contains(self, node: s.Contains) -> str:
        type = self._infer(node.whole)
        if type is None:
            return "Bool"
        if not self._is_text(type) and not type.startswith("["):
            self._mismatch(node.whole, Wanted("Text", "what stands before `contains`"), type)
            return "Bool"
        because = Note(node.whole.span, f"this is {_a(type)}")
        wanted = type.strip("[]") if type.startswith("[") else "Text"
        self._check(node.part, Wanted(wanted, "what stands after `contains`", because))
        return "Bool"


def _a(type: str) -> str:
    return f"an {type}" if type[0] in "AEIOU" else f"a {type}"


def _verb(syntax: str) -> str:
    """Return the fixed words of a syntax up to its first hole, to name it in a message."""
    return syntax.split("{")[0].split("(")[0].strip() or syntax.replace("{", "").replace("}", "")
