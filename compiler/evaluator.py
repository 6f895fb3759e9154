"""Evaluates the expressions of a bound scenario at a moment of a run."""

from __future__ import annotations

import operator
from typing import Any

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.environment import Moment, Refused
from skillsandbox.compiler.interface import Interface, Role
from skillsandbox.compiler.values import Binding, GroundCall, Value, fold

_OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate(node: s.Expression, binding: Binding, moment: Moment) -> Value:
    """Return the value of a checked expression without temporal words.

    Raises:
        Refused: it speaks of what is gone.
    """
    match node:
        case s.Variable(name=name):
            return binding[name]
        case s.Field(subject=subject, name=name):
            return moment.field(binding[subject.name], name)
        case s.Number(value=number) | s.Money(cents=number):
            return number
        case s.Text(value=text) | s.Constant(name=text):
            return text
        case s.ListOf(items=items):
            return tuple(evaluate(item, binding, moment) for item in items)
        case s.Call(symbol=symbol, arguments=arguments):
            return moment.call(symbol, tuple(evaluate(argument, binding, moment) for argument in arguments))
        case s.Compare(operator=sign, left=left, right=right):
            compare: Any = _OPERATORS[sign]
            return bool(compare(evaluate(left, binding, moment), evaluate(right, binding, moment)))
        case s.Member(item=item, options=options):
            return evaluate(item, binding, moment) in [
                evaluate(one, binding, moment) for one in options.items
            ]
        case s.Contains(whole=whole, part=part):
            container: Any = evaluate(whole, binding, moment)
            sought: Any = evaluate(part, binding, moment)
            return _contains(container, sought)
        case s.Not(operand=operand):
            return not evaluate(operand, binding, moment)
        case s.And(operands=operands):
            return all(evaluate(operand, binding, moment) for operand in operands)
        case s.Or(operands=operands):
            return any(evaluate(operand, binding, moment) for operand in operands)
        case _:
            raise TypeError(f"not an expression of one moment: {node!r}")


def gone(condition: s.Expression, binding: Binding, moment: Moment) -> str | None:
    """Return what a condition, which may be temporal, speaks of that is gone, None where all is there."""
    for part in s.walk(condition):
        if isinstance(part, s.Field | s.Call):
            try:
                evaluate(part, binding, moment)
            except Refused as refusal:
                return str(refusal)
    return None


def _contains(whole: Any, part: Any) -> bool:
    return fold(part) in fold(whole) if isinstance(whole, str) else part in whole


def ground(call: s.Call, binding: Binding, moment: Moment, interface: Interface) -> GroundCall:
    """Return a call with the values of its arguments, one for each parameter; clauses are calls in turn."""

    def value(argument: s.Expression) -> Value:
        if isinstance(argument, s.Call) and interface.signature_of[argument.symbol].role is Role.CLAUSE:
            return ground(argument, binding, moment, interface)
        return evaluate(argument, binding, moment)

    values = tuple(map(value, call.arguments))
    parameters = interface.signature_of[call.symbol].parameters
    fixed = [parameter for parameter in parameters if not parameter.many]
    rest = (values[len(fixed) :],) if len(fixed) < len(parameters) else ()
    return GroundCall(call.symbol, (*values[: len(fixed)], *rest))
