"""Print: from a syntax tree to its canonical text, which parses to the same tree. This is the formatter."""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.interface import Interface, Signature

WIDTH = 100
_PARAMETER = re.compile(r"\{(\w+)\}")
_BINARY = (s.And, s.Or, s.Then, s.Before)
_OPTIONAL = re.compile(r"\[([^\]]*)\]")


def escape(text: str, *, template: bool = False) -> str:
    """Return a text as it stands between quotes; in a template braces are escaped too."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return escaped.replace("{", "\\{").replace("}", "\\}") if template else escaped


def print_program(program: s.Program, interfaces: dict[str, Interface]) -> str:
    """Return the canonical text of a program, given the interface of every environment that it uses."""
    parts = [
        "\n".join(_ScenarioPrinter(interfaces[scenario.environment]).scenario(scenario))
        for scenario in program.scenarios
    ]
    if program.closing:
        parts.append("\n".join(_comment_lines(program.closing)))
    return "\n\n".join(parts) + "\n"


def print_expression(expression: s.Expression, interface: Interface) -> str:
    """Return the canonical text of one expression."""
    return _ScenarioPrinter(interface).expression(expression)


def _comment(text: str) -> str:
    return f"#{text}" if text.startswith("#") else f"# {text}".rstrip()


def _comment_lines(texts: Iterable[str], indent: str = "") -> list[str]:
    return [indent + _comment(text) for text in texts]


def _commented(line: str, comments: s.Comments, indent: str) -> list[str]:
    behind = "" if comments.behind is None else f"  {_comment(comments.behind)}"
    return [*_comment_lines(comments.above, indent), indent + line + behind]


def _closed(comments: s.Comments, indent: str) -> list[str]:
    """Return a closing brace with its comments; those above it are indented like the items."""
    return [
        *_comment_lines(comments.above, f"{indent}  "),
        *_commented("}", attrs.evolve(comments, above=()), indent),
    ]


class _ScenarioPrinter:
    """Prints with one environment's vocabulary."""

    def __init__(self, interface: Interface) -> None:
        self._interface = interface

    def scenario(self, scenario: s.Scenario) -> list[str]:
        head = f"scenario {scenario.name} for {scenario.environment} {{"
        groups = [
            self._condition(scenario.condition),
            [*self._base(scenario.base), *(line for let in scenario.lets for line in self._let(let))],
            [*self._goal(scenario.goal), *self._say(scenario.say)],
            [
                *self._block("build", scenario.build),
                *self._block("history", scenario.history),
                *self._block("require", scenario.require),
                *self._block("encounter", scenario.encounter),
                *self._novel(scenario.novel),
            ],
        ]
        body = "\n\n".join("\n".join(group) for group in groups if group).split("\n")
        return [*_commented(head, scenario.comments, ""), *body, *_closed(scenario.closing, "")]

    def _condition(self, condition: s.Condition) -> list[str]:
        first = f'condition "{escape(condition.text)}"'
        if condition.mode is None:
            second = f'unsupported "{escape(condition.reason or "")}"'
        else:
            second = f"arises in {condition.mode}"
        return _commented(_joined(first, second), condition.comments, "  ")

    def _base(self, base: s.Base | None) -> list[str]:
        return [] if base is None else _commented(f"from {self.expression(base.call)}", base.comments, "  ")

    def _let(self, let: s.Let) -> list[str]:
        head = f"let ?{let.variable.name}: {let.type}"
        line = head if let.where is None else _joined(head, f"where {self.expression(let.where)}")
        return _commented(line, let.comments, "  ")

    def _goal(self, goal: s.Goal | None) -> list[str]:
        return [] if goal is None else _commented(f"goal {self.expression(goal.call)}", goal.comments, "  ")

    def _say(self, say: s.Say | None) -> list[str]:
        if say is None:
            return []
        parts = (
            escape(part.value, template=True) if isinstance(part, s.Text) else f"{{{self.expression(part)}}}"
            for part in say.parts
        )
        return _commented(f'say "{"".join(parts)}"', say.comments, "  ")

    def _novel(self, novel: s.Novel | None) -> list[str]:
        if novel is None:
            return []
        dimensions = ", ".join(map(self.expression, novel.dimensions))
        return _commented(f"novel in {dimensions}", novel.comments, "  ")

    def _block(self, keyword: str, block: s.Block | None) -> list[str]:
        if block is None:
            return []
        items = [line for item in block.items for line in self._item(item)]
        head = _commented(f"{keyword} {{", block.comments, "  ")
        return [*head, *items, *_closed(block.closing, "  ")]

    def _item(self, item: s.Item) -> list[str]:
        match item:
            case s.Operation(call=call, establishes=label):
                line = self.expression(call) + (f" for {label}" if label else "")
            case s.Action(call=call):
                line = self.expression(call)
            case s.Check(label=label, condition=condition):
                line = f"{label}: {self.expression(condition)}"
        return _commented(line, item.comments, "    ")

    def expression(self, node: s.Expression) -> str:
        match node:
            case s.Variable(name=name):
                return f"?{name}"
            case s.Field(subject=subject, name=name):
                return f"?{subject.name}.{name}"
            case s.Number(value=value):
                return str(value)
            case s.Money(cents=cents):
                return f"${cents // 100}" + (f".{cents % 100:02}" if cents % 100 else "")
            case s.Text(value=value):
                return f'"{escape(value)}"'
            case s.Constant(name=name):
                return name
            case s.ListOf(items=items):
                return f"[{', '.join(map(self.expression, items))}]"
            case s.Call():
                return self._call(node)
            case s.Compare(operator=operator, left=left, right=right):
                return f"{self.expression(left)} {operator} {self.expression(right)}"
            case s.Member(item=item, options=options):
                return f"{self.expression(item)} in {self.expression(options)}"
            case s.Contains(whole=whole, part=part):
                return f"{self.expression(whole)} contains {self.expression(part)}"
            case s.And(operands=operands):
                return " and ".join(self._inside(operand, (s.And, s.Or)) for operand in operands)
            case s.Or(operands=operands):
                return " or ".join(self._inside(operand, (s.Or,)) for operand in operands)
            case s.Then(left=left, right=right):
                return f"{self._inside(left, _BINARY)} then {self._inside(right, (s.And, s.Or))}"
            case s.Before(left=left, right=right):
                return f"{self._inside(left, _BINARY)} before {self._inside(right, _BINARY)}"
            case _:
                return self._unary(node)

    def _unary(self, node: s.Expression) -> str:
        words = {
            s.Not: "not",
            s.Eventually: "eventually",
            s.Always: "always",
            s.Never: "never",
            s.AtStart: "at start",
        }
        match node:
            case s.Within(steps=steps, operand=operand):
                word = f"within {steps} steps"
            case s.Not(operand=operand) | s.Eventually(operand=operand) | s.Always(operand=operand):
                word = words[type(node)]
            case s.Never(operand=operand) | s.AtStart(operand=operand):
                word = words[type(node)]
            case _:
                raise TypeError(f"not an expression: {node!r}")
        return f"{word} {self._inside(operand, _BINARY)}"

    def _inside(self, node: s.Expression, loose: tuple[type, ...]) -> str:
        """Print an operand, in parentheses where it binds more loosely than its place allows."""
        text = self.expression(node)
        return f"({text})" if isinstance(node, loose) else text

    def _call(self, call: s.Call) -> str:
        signature = self._interface.signature_of[call.symbol]
        texts = _argument_texts(signature, [self.expression(argument) for argument in call.arguments])
        syntax = _OPTIONAL.sub(
            lambda part: part[1] if all(texts[n] for n in _PARAMETER.findall(part[1])) else "",
            signature.syntax,
        )
        return _PARAMETER.sub(lambda hole: texts[hole[1]], syntax)


def _argument_texts(signature: Signature, arguments: list[str]) -> dict[str, str]:
    texts = {}
    for index, parameter in enumerate(signature.parameters):
        texts[parameter.name] = parameter.separator.join(
            arguments[index:] if parameter.many else arguments[index : index + 1]
        )
    return texts


def _joined(first: str, second: str) -> str:
    """Join two parts of a line, on a second line where they are too long for one."""
    line = f"{first} {second}"
    return line if len(line) <= WIDTH - 2 else f"{first}\n    {second}"
