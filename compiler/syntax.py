"""The abstract syntax of a scenario program: plain frozen values, equal when they say the same.

Spans and nothing else are left out of equality, so that parse(print(program)) == program can be asked.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from skillsandbox.compiler.diagnostics import Span

NOWHERE = Span(0, 0)


@attrs.frozen
class Node:
    """What has a place in the source; the place is not part of what the node says."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Variable(Node):
    """`?food`; the name is kept without its sigil."""

    name: str


@attrs.frozen
class Field(Node):
    """`?food.type`."""

    subject: Variable
    name: str
    name_span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen
class Number(Node):
    """A whole number."""

    value: int


@attrs.frozen
class Money(Node):
    """`$50` or `$49.95`, kept in cents."""

    cents: int


@attrs.frozen
class Text(Node):
    """A quoted text, kept without quotes and escapes."""

    value: str


@attrs.frozen
class Constant(Node):
    """A value of an enumeration, such as `Fridge`."""

    name: str


@attrs.frozen
class ListOf(Node):
    """`[Bread, Apple]`, and the arguments of a call that may be given several times."""

    items: tuple[Expression, ...]


@attrs.frozen
class Call(Node):
    """A use of an environment's own vocabulary: a function, operation, action, goal, event or dimension.

    `symbol` is the name of the grammar's alternative and of its row in the environment's interface table.
    """

    symbol: str
    arguments: tuple[Expression, ...]


@attrs.frozen
class Compare(Node):
    """A comparison with `==`, `!=`, `<`, `<=`, `>` or `>=`."""

    operator: str
    left: Expression
    right: Expression


@attrs.frozen
class Member(Node):
    """`?food.type in [Bread, Apple]`."""

    item: Expression
    options: ListOf


@attrs.frozen
class Contains(Node):
    """`?target.title contains "backpack"`."""

    whole: Expression
    part: Expression


@attrs.frozen
class Not(Node):
    """Negation, of an expression or of a formula."""

    operand: Expression


@attrs.frozen
class And(Node):
    """Conjunction of two or more."""

    operands: tuple[Expression, ...]


@attrs.frozen
class Or(Node):
    """Disjunction of two or more."""

    operands: tuple[Expression, ...]


@attrs.frozen
class Eventually(Node):
    """Some instant from now on satisfies the operand (LTLf: F)."""

    operand: Expression


@attrs.frozen
class Always(Node):
    """Every instant from now on satisfies the operand (LTLf: G)."""

    operand: Expression


@attrs.frozen
class Never(Node):
    """No instant from now on satisfies the operand (LTLf: G not)."""

    operand: Expression


@attrs.frozen
class Within(Node):
    """One of the instants now, …, `steps` actions from now satisfies the operand."""

    steps: int
    operand: Expression


@attrs.frozen
class AtStart(Node):
    """The first instant of the run satisfies the operand."""

    operand: Expression


@attrs.frozen
class Before(Node):
    """The left comes about, and until then and at that instant the right does not.

    In LTLf: not right U (left and not right).
    """

    left: Expression
    right: Expression


@attrs.frozen
class Then(Node):
    """The left comes about at some instant and the right strictly later (LTLf: F (left and X F right))."""

    left: Expression
    right: Expression


Temporal = Eventually | Always | Never | Within | AtStart | Before | Then
Expression = (
    Variable
    | Field
    | Number
    | Money
    | Text
    | Constant
    | ListOf
    | Call
    | Compare
    | Member
    | Contains
    | Not
    | And
    | Or
    | Temporal
)


@attrs.frozen
class Comments:
    """The comments that belong to an item or a brace: on the lines above it, and behind it on its last line.

    Each text is kept without `#` and the blanks around it. A comment inside an item counts as one above it.
    """

    above: tuple[str, ...] = ()
    behind: str | None = None


NO_COMMENTS = Comments()


@attrs.frozen
class Condition(Node):
    """How the skill's condition comes about: its text, and in which part of the run it arises.

    `mode` is `initial`, `history` or `rollout`, or None for a condition that the environment cannot bring
    about; then `reason` says why.
    """

    text: str
    mode: str | None
    reason: str | None = None
    comments: Comments = NO_COMMENTS


@attrs.frozen
class Base(Node):
    """`from game "…"`: where the starting configuration comes from, if not from the data store."""

    call: Call
    comments: Comments = NO_COMMENTS


@attrs.frozen
class Let(Node):
    """A typed variable and the expression that its value must satisfy."""

    variable: Variable
    type: str
    where: Expression | None = None
    type_span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
    comments: Comments = NO_COMMENTS


@attrs.frozen
class Goal(Node):
    """The task's success criterion."""

    call: Call
    comments: Comments = NO_COMMENTS


@attrs.frozen
class Say(Node):
    """The wording of the task: texts and typed holes in turn."""

    parts: tuple[Text | Expression, ...]
    comments: Comments = NO_COMMENTS


@attrs.frozen
class Operation(Node):
    """One edit of the starting configuration, and the label of the requirement that it establishes."""

    call: Call
    establishes: str | None = None
    label_span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
    comments: Comments = NO_COMMENTS


@attrs.frozen
class Action(Node):
    """One admissible action that is executed before the first step."""

    call: Call
    comments: Comments = NO_COMMENTS


@attrs.frozen
class Check(Node):
    """A labelled expression (in `require`) or formula (in `encounter`)."""

    label: str
    condition: Expression
    label_span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
    comments: Comments = NO_COMMENTS


Item = Operation | Action | Check


@attrs.frozen
class Block(Node):
    """The items between two braces, and the comments of the opening and of the closing brace."""

    items: tuple[Item, ...]
    comments: Comments = NO_COMMENTS
    closing: Comments = NO_COMMENTS


@attrs.frozen
class Novel(Node):
    """The dimensions in which scenarios must differ from the source task and from one another."""

    dimensions: tuple[Expression, ...]
    comments: Comments = NO_COMMENTS


@attrs.frozen
class Scenario(Node):
    """One scenario program.

    All but `name`, `environment` and `condition` is absent where the condition is unsupported. In a fragment,
    `unread` holds the keywords of the sections in which the syntax is wrong, and always `scenario`.
    """

    name: str
    environment: str
    condition: Condition
    base: Base | None = None
    lets: tuple[Let, ...] = ()
    goal: Goal | None = None
    say: Say | None = None
    build: Block | None = None
    history: Block | None = None
    require: Block | None = None
    encounter: Block | None = None
    novel: Novel | None = None
    name_span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
    comments: Comments = NO_COMMENTS
    closing: Comments = NO_COMMENTS
    unread: frozenset[str] = frozenset()


@attrs.frozen
class Program:
    """The scenarios of one source text, and the comments behind the last."""

    scenarios: tuple[Scenario, ...]
    closing: tuple[str, ...] = ()


def children(node: Expression) -> tuple[Expression, ...]:
    """Return the expressions directly inside an expression."""
    match node:
        case Field(subject=subject):
            return (subject,)
        case ListOf(items=items):
            return items
        case Call(arguments=arguments):
            return arguments
        case Compare(left=left, right=right) | Before(left=left, right=right) | Then(left=left, right=right):
            return (left, right)
        case Member(item=item, options=options):
            return (item, options)
        case Contains(whole=whole, part=part):
            return (whole, part)
        case And(operands=operands) | Or(operands=operands):
            return operands
        case (
            Not(operand=operand)
            | Eventually(operand=operand)
            | Always(operand=operand)
            | Never(operand=operand)
            | Within(operand=operand)
            | AtStart(operand=operand)
        ):
            return (operand,)
        case _:
            return ()


def walk(node: Expression) -> Iterator[Expression]:
    """Yield an expression and all inside it, outermost first, left to right."""
    yield node
    for child in children(node):
        yield from walk(child)


def variables(node: Expression) -> tuple[str, ...]:
    """Return the names of the variables in an expression, each once, in order of appearance."""
    return tuple(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Variable)))
