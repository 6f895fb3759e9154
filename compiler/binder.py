"""Bind: the variables of a checked scenario to entities of the data store.

The `let`s, the checks that speak only of data, what the goal, operations and actions need, and what novelty
demands become one conjunctive query. A seed picks among its answers. Where there is none, QuickXplain
(Junker 2004) finds a smallest set of constraints that conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random

import attrs

from skillsandbox.compiler import errors
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.checker import is_data, type_of
from skillsandbox.compiler.coinage import brings_about
from skillsandbox.compiler.diagnostics import Diagnostic, Span
from skillsandbox.compiler.environment import SourceTask, Store, TooCostly
from skillsandbox.compiler.interface import Interface, Parameter, Signature, Table
from skillsandbox.compiler.printer import print_expression
from skillsandbox.compiler.resolver import Resolved, actions, checks, operations
from skillsandbox.compiler.values import Binding, Entity, Value

_HOLE = re.compile(r"\{(\w+)\}")
_CONTEXT = "context"
_LONGEST_CHAIN = 100
_SQL_OPERATORS = {"==": "=", "!=": "<>"}


@attrs.frozen
class Sql:
    """A piece of an SQL condition, its parameters, and the variables whose aliases it uses."""

    text: str
    parameters: tuple[str | int, ...] = ()
    variables: frozenset[str] = frozenset()


@attrs.frozen
class Constraint:
    """A conjunct of the query, as the program says it and as SQL; `need` is why, if it only implies it."""

    text: str
    span: Span
    sql: Sql
    need: str | None = None


@attrs.frozen
class Novelty:
    """What the scenario must differ from: the source task, and the dimensions' values of each sibling."""

    source: SourceTask | None = None
    siblings: tuple[tuple[Value, ...], ...] = ()


@attrs.frozen
class Query:
    """A scenario's variables, by name and type, and the constraints on them in the given context, if any."""

    variables: tuple[tuple[str, str], ...]
    constraints: tuple[Constraint, ...]
    novelty: tuple[Sql, ...] = ()
    context: str | None = None


def query_of(resolved: Resolved, interface: Interface, novelty: Novelty, context: str | None = None) -> Query:
    """Return the query of a checked scenario."""
    translator = _Translator(resolved, interface)
    types = tuple((name, let.type) for name, let in resolved.lets.items())
    return Query(types, tuple(translator.constraints()), tuple(translator.novelty(novelty)), context)


class _Translator:
    """Translates the expressions of one scenario to SQL; the alias of a variable is `v_` and its name."""

    def __init__(self, resolved: Resolved, interface: Interface) -> None:
        self._scenario = resolved.scenario
        self._types = {name: let.type for name, let in resolved.lets.items()}
        self._interface = interface

    def constraints(self) -> Iterator[Constraint]:
        """Yield every constraint on the variables in the order of the program, each once."""
        met = set[Sql]()
        for constraint in self._constraints():
            if constraint.sql not in met:
                met.add(constraint.sql)
                yield constraint

    def _constraints(self) -> Iterator[Constraint]:
        for let in self._scenario.lets:
            name = let.variable.name
            yield Constraint(f"let ?{name}: {let.type}", let.variable.span, Sql("1", (), frozenset([name])))
            if let.where is not None:
                yield from self._conjuncts(let.where)
        if self._scenario.goal is not None:
            yield from self._needs(self._scenario.goal.call)
        before: list[s.Call] = []
        for operation in operations(self._scenario):
            if not any(brings_about(earlier, operation.call, self._interface) for earlier in before):
                yield from self._needs(operation.call)
            before.append(operation.call)
        for action in actions(self._scenario):
            yield from self._needs(action.call)
        for check in checks(self._scenario.require):
            if is_data(check.condition, self._types, self._interface, altered=True):
                yield from self._conjuncts(check.condition)

    def novelty(self, novelty: Novelty) -> Iterator[Sql]:
        """Yield what novelty demands where the data decide it; the rest is checked on the built scenario."""
        dimensions = self._scenario.novel.dimensions if self._scenario.novel else ()
        known = [part for part in dimensions if is_data(part, self._types, self._interface)]
        if novelty.source is not None:
            for dimension in known:
                excluded = sorted(novelty.source.values.get(self._type(dimension), ()))
                if excluded:
                    yield self._not_among(self.sql(dimension), excluded)
        if dimensions and len(known) == len(dimensions):
            for sibling in novelty.siblings:
                if len(sibling) == len(dimensions):
                    yield self._not_all(list(zip(dimensions, sibling, strict=True)))

    def _type(self, term: s.Expression) -> str:
        return type_of(term, self._types, self._interface)

    def _not_among(self, sql: Sql, values: Sequence[str]) -> Sql:
        marks = ", ".join("?" for _ in values)
        return attrs.evolve(sql, text=f"{sql.text} NOT IN ({marks})", parameters=(*sql.parameters, *values))

    def _not_all(self, pairs: Sequence[tuple[s.Expression, Value]]) -> Sql:
        parts = [(self.sql(part), value.key if isinstance(value, Entity) else value) for part, value in pairs]
        return Sql(
            f"NOT ({' AND '.join(f'{sql.text} = ?' for sql, _ in parts)})",
            tuple(x for sql, value in parts for x in (*sql.parameters, value)),  # type: ignore[misc]
            frozenset().union(*(sql.variables for sql, _ in parts)),
        )

    def _conjuncts(self, expression: s.Expression) -> Iterator[Constraint]:
        if isinstance(expression, s.And):
            for operand in expression.operands:
                yield from self._conjuncts(operand)
        else:
            yield Constraint(
                print_expression(expression, self._interface), expression.span, self.sql(expression)
            )

    def _needs(self, call: s.Call) -> Iterator[Constraint]:
        for argument in call.arguments:
            if isinstance(argument, s.Call):
                yield from self._needs(argument)
        signature = self._interface.signature_of[call.symbol]
        text = print_expression(call, self._interface)
        for need in signature.needs:
            yield Constraint(
                text, call.span, self._template(need.sql, signature, call.arguments), need.reason
            )

    def _template(self, template: str, signature: Signature, arguments: tuple[s.Expression, ...]) -> Sql:
        """Fill an SQL template: `{entity}` by the variable's alias, `{value}` by the value's SQL."""
        given = {
            parameter.name: (parameter, argument) for parameter, argument in _pairs(signature, arguments)
        }
        parts, parameters, used, end = [], list[str | int](), set[str](), 0
        for hole in _HOLE.finditer(template):
            parts.append(template[end : hole.start()])
            end = hole.end()
            if hole[1] == _CONTEXT:
                parts.append("c.context")
                continue
            parameter, argument = given[hole[1]]
            piece = self._argument(parameter, argument)
            parts.append(piece.text)
            parameters += piece.parameters
            used |= piece.variables
        return Sql("".join(parts) + template[end:], tuple(parameters), frozenset(used))

    def _argument(self, parameter: Parameter, argument: s.Expression) -> Sql:
        is_entity = self._interface.type_named[parameter.type].table is not None
        if is_entity and isinstance(argument, s.Variable):
            return Sql(f"v_{argument.name}", (), frozenset([argument.name]))
        return self.sql(argument)

    def _column(self, variable: str, field: str) -> str:
        column = self._interface.fields_of[self._types[variable], field].column
        assert column is not None
        return column.replace("{}", f"v_{variable}") if "{}" in column else f"v_{variable}.{column}"

    def _contains(self, whole: s.Expression, part: s.Expression) -> Sql:
        if self._type(whole).startswith("["):
            return _joined(" IN ", [self.sql(part), self.sql(whole)])
        found = _joined("), fold(", [self.sql(whole), self.sql(part)])
        return attrs.evolve(found, text=f"INSTR(fold{found.text}) > 0")

    def sql(self, node: s.Expression) -> Sql:
        """Return an expression of the data as SQL."""
        match node:
            case s.Variable(name=name):
                table = self._interface.type_named[self._types[name]].table
                assert table is not None
                return Sql(f"v_{name}.{table.key}", (), frozenset([name]))
            case s.Field(subject=subject, name=field):
                return Sql(self._column(subject.name, field), (), frozenset([subject.name]))
            case s.Number(value=value) | s.Money(cents=value):
                return Sql("?", (value,))
            case s.Text(value=text) | s.Constant(name=text):
                return Sql("?", (text,))
            case s.Call(symbol=symbol, arguments=arguments):
                signature = self._interface.signature_of[symbol]
                assert signature.sql is not None
                return self._template(signature.sql, signature, arguments)
            case s.Compare(operator=operator, left=left, right=right):
                return _joined(
                    f" {_SQL_OPERATORS.get(operator, operator)} ", [self.sql(left), self.sql(right)]
                )
            case s.Member(item=item, options=options):
                listed = _joined(", ", [self.sql(option) for option in options.items])
                return _joined(" IN ", [self.sql(item), listed])
            case s.Contains(whole=whole, part=part):
                return self._contains(whole, part)
            case s.Not(operand=operand):
                inner = self.sql(operand)
                return attrs.evolve(inner, text=f"(NOT {inner.text})")
            case s.And(operands=operands):
                return _joined(" AND ", [self.sql(operand) for operand in operands])
            case s.Or(operands=operands):
                return _joined(" OR ", [self.sql(operand) for operand in operands])
            case _:
                raise TypeError(f"not an expression of the data: {node!r}")


def _pairs(
    signature: Signature, arguments: tuple[s.Expression, ...]
) -> Iterator[tuple[Parameter, s.Expression]]:
    yield from (
        (parameter, argument)
        for parameter, argument in zip(signature.parameters, arguments, strict=False)
        if not parameter.many
    )


def _joined(separator: str, parts: Sequence[Sql]) -> Sql:
    return Sql(
        f"({_chain(separator, [part.text for part in parts])})",
        tuple(parameter for part in parts for parameter in part.parameters),
        frozenset().union(*(part.variables for part in parts)),
    )


def _chain(separator: str, texts: Sequence[str]) -> str:
    """Join texts; long chains of a logical operator are nested, as SQLite bounds the depth of expressions."""
    if len(texts) <= _LONGEST_CHAIN or separator == ", ":
        return separator.join(texts)
    half = len(texts) // 2
    return f"({_chain(separator, texts[:half])}){separator}({_chain(separator, texts[half:])})"


@attrs.frozen
class _Group:
    """Variables that conditions connect, directly or through others, and these conditions."""

    names: tuple[str, ...]
    conditions: tuple[Sql, ...]


class Binder:
    """Answers one query against one store."""

    def __init__(self, query: Query, interface: Interface, store: Store) -> None:
        self._query = query
        self._interface = interface
        self._store = store
        self._types = dict(query.variables)
        self._costly = False
        self._totals: dict[tuple[str, ...], int] = {}

    def binding(self, seed: str) -> Binding | None:
        """Return the answer that a seed picks, None where there is none or the search for one gave up.

        The seed picks a context first, then the entities, variable by variable, among what remains possible.
        """
        random = Random(seed)
        groups = self._groups(self._conditions)
        try:
            contexts = self._contexts(groups)
            if not contexts:
                return None
            context = random.choice(contexts)
            fixed: dict[str, str] = {}
            group_of = {name: group for group in groups for name in group.names}
            for name, _ in self._query.variables:
                fixed[name] = random.choice(self._candidates(name, group_of[name], context, fixed))
        except TooCostly:
            self._costly = True
            return None
        return Binding(
            context, tuple((name, Entity(type, fixed[name])) for name, type in self._query.variables)
        )

    def conflict(self) -> Diagnostic | None:
        """Return why there is no answer; None if there is one, or if it is novelty that rules out all."""
        constraints = self._query.constraints
        try:
            if self._costly or self._is_satisfiable(constraints):
                return self._gave_up() if self._costly else None
            culprits = self._quickxplain((), False, constraints)
        except TooCostly:
            return self._gave_up()
        if len(culprits) == 1 and culprits[0].need is not None:
            return errors.Impossible(culprits[0].span, culprits[0].text, culprits[0].need)
        return errors.Unsatisfiable(culprits[0].span, tuple(map(self._clause, culprits)))

    def _gave_up(self) -> Diagnostic:
        constraints = self._query.constraints
        return errors.TooManyCombinations(constraints[0].span.to(constraints[-1].span))

    def _quickxplain(
        self, background: tuple[Constraint, ...], changed: bool, candidates: tuple[Constraint, ...]
    ) -> tuple[Constraint, ...]:
        """Return a minimal set of candidates in conflict with the background (Junker 2004, algorithm 1)."""
        if changed and not self._is_satisfiable(background):
            return ()
        if len(candidates) <= 1:
            return candidates
        half = len(candidates) // 2
        left, right = candidates[:half], candidates[half:]
        in_right = self._quickxplain((*background, *left), bool(left), right)
        in_left = self._quickxplain((*background, *in_right), bool(in_right), left)
        return (*in_left, *in_right)

    def _is_satisfiable(self, constraints: Sequence[Constraint]) -> bool:
        groups = self._groups([constraint.sql for constraint in constraints])
        return bool(self._contexts(groups, most=1))

    def _clause(self, constraint: Constraint) -> errors.Clause:
        names = sorted(constraint.sql.variables)
        left, total = self._count(names, (constraint.sql,)), self._total(names)
        text = f"{constraint.text}` needing `{constraint.need}" if constraint.need else constraint.text
        return errors.Clause(text, constraint.span, left, total, self._noun(names))

    def _noun(self, names: Sequence[str]) -> str:
        match names:
            case [name]:
                return f"{self._types[name].lower()}s"
            case [_, _]:
                return "pairs"
            case _:
                return f"{(self._interface.context or 'case').lower()}s"

    def _total(self, names: Sequence[str]) -> int:
        types = tuple(self._types[name] for name in names)
        if types not in self._totals:
            self._totals[types] = self._count(names, ())
        return self._totals[types]

    def _count(self, names: Sequence[str], conditions: tuple[Sql, ...]) -> int:
        """Count the entities or pairs of them that satisfy conditions; for other numbers, the contexts."""
        if len(names) not in (1, 2):
            return len(self._contexts([_Group(tuple(names), conditions)]))
        contexts, parameters = self._context_table()
        where, inner = self._where(names, conditions)
        sql = f"SELECT COUNT(*) FROM {', '.join([contexts, *self._sources(names)])} WHERE {where}"
        return int(self._store.query(sql, [*parameters, *inner])[0][0])

    @cached_property
    def _conditions(self) -> tuple[Sql, ...]:
        return (*(constraint.sql for constraint in self._query.constraints), *self._query.novelty)

    def _groups(self, conditions: Sequence[Sql]) -> list[_Group]:
        """Split conditions into groups that share no variable.

        Groups can be satisfied independently within a context, which keeps the joins small.
        """
        groups: list[tuple[set[str], list[Sql]]] = []
        for condition in conditions:
            names, own = set(condition.variables), [condition]
            apart = []
            for group in groups:
                if names.isdisjoint(group[0]):
                    apart.append(group)
                else:
                    names |= group[0]
                    own = group[1] + own
            groups = [*apart, (names, own)]
        return [_Group(tuple(sorted(names)), tuple(own)) for names, own in groups]

    def _context_table(self) -> tuple[str, list[str | int]]:
        """Return the table `c` of contexts as SQL; without contexts it has one row."""
        if self._interface.context is None:
            return "(SELECT NULL AS context) c", []
        table = self._interface.type_named[self._interface.context].table
        assert table is not None
        only, parameters = "", list[str | int]()
        if self._query.context is not None:
            only, parameters = f" WHERE {table.key} = ?", [self._query.context]
        return f"(SELECT {table.key} AS context FROM {table.name}{only}) c", parameters

    def _sources(self, names: Sequence[str]) -> list[str]:
        return [f"{self._table(name).name} v_{name}" for name in names]

    def _table(self, name: str) -> Table:
        table = self._interface.type_named[self._types[name]].table
        assert table is not None
        return table

    def _where(self, names: Sequence[str], conditions: Sequence[Sql]) -> tuple[str, list[str | int]]:
        """Return the condition of a join of variables with the contexts `c`, and its parameters."""
        tables = ((name, self._table(name)) for name in names)
        shared = [f"v_{name}.{table.context} = c.context" for name, table in tables if table.context]
        texts = [*shared, *(condition.text for condition in conditions)]
        return _chain(" AND ", texts or ["1"]), [
            one for condition in conditions for one in condition.parameters
        ]

    def _contexts(self, groups: Sequence[_Group], most: int = -1) -> list[str | None]:
        """Return the contexts in which all groups can be satisfied, sorted, or the first `most` of them."""
        contexts, parameters = self._context_table()
        tests = ["1"]
        for group in groups:
            where, inner = self._where(group.names, group.conditions)
            tests.append(self._exists(group.names, where))
            parameters += inner
        sql = f"SELECT c.context FROM {contexts} WHERE {' AND '.join(tests)} ORDER BY 1 LIMIT {most}"
        return [row[0] for row in self._store.query(sql, parameters)]

    def _exists(self, names: Sequence[str], where: str) -> str:
        sources = f" FROM {', '.join(self._sources(names))}" if names else ""
        return f"EXISTS (SELECT 1{sources} WHERE {where})"

    def _candidates(
        self, name: str, group: _Group, context: str | None, fixed: Mapping[str, str]
    ) -> list[str]:
        """Return the entities that a variable can still be bound to, sorted, given those that are fixed."""
        known = [other for other in group.names if other in fixed]
        left = [other for other in group.names if other not in fixed and other != name]
        reachable = frozenset([name, *known])
        direct = [one for one in group.conditions if one.variables <= reachable]
        where, parameters = self._where([name, *known], direct)
        pins = [f"v_{other}.{self._table(other).key} = ?" for other in known]
        inner, inner_parameters = self._where(
            left, [one for one in group.conditions if not one.variables <= reachable]
        )
        key = f"v_{name}.{self._table(name).key}"
        rows = self._store.query(
            f"SELECT {key} FROM (SELECT ? AS context) c, {', '.join(self._sources([name, *known]))} "
            f"WHERE {' AND '.join([where, *pins, self._exists(left, inner)])} ORDER BY 1",
            [context, *parameters, *(fixed[other] for other in known), *inner_parameters],
        )
        return [row[0] for row in rows]
