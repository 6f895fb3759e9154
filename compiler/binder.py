"""Bind: the variables of a checked scenario to entities of the data store.

The `let`s, the checks that speak only of data, what the goal, operations and actions need, and what novelty
demands become one conjunctive query. A seed picks among its answers. Where there is none, QuickXplain
(Junker 2004) finds a smallest set of constraints that conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

import attrs

from skillsandbox.compiler import errors
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.checker import is_data
from skillsandbox.compiler.diagnostics import Diagnostic, Span
from skillsandbox.compiler.environment import SourceTask, Store
from skillsandbox.compiler.interface import Interface, Parameter, Signature, Table
from skillsandbox.compiler.printer import print_expression
from skillsandbox.compiler.resolver import Resolved, actions, checks, operations
from skillsandbox.compiler.values import Binding, Entity, Value

_HOLE = re.compile(r"\{(\w+)\}")
_CONTEXT = "context"
_SQL_OPERATORS = {"==": "=", "!=": "<>"}


@attrs.frozen
class Sql:
    """A piece of an SQL condition, its parameters, and the variables whose aliases it uses."""

    text: str
    parameters: tuple[str | int, ...] = ()
    variables: frozenset[str] = frozenset()


@attrs.frozen
class Constraint:
    """One conjunct of the query: how the program says it, where, and as SQL; `need` is set for an implied one."""

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
    """A scenario's constraints over its variables, given by name and type; `context` fixes the shared context."""

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
        for let in self._scenario.lets:
            if let.where is not None:
                yield from self._conjuncts(let.where)
        if self._scenario.goal is not None:
            yield from self._needs(self._scenario.goal.call)
        for item in (*operations(self._scenario), *actions(self._scenario)):
            yield from self._needs(item.call)
        for check in checks(self._scenario.require):
            if is_data(check.condition, self._types, self._interface):
                yield from self._conjuncts(check.condition)

    def novelty(self, novelty: Novelty) -> Iterator[Sql]:
        dimensions = self._scenario.novel.dimensions if self._scenario.novel else ()
        known = [part for part in dimensions if is_data(part, self._types, self._interface)]
        if novelty.source is not None:
            for dimension in known:
                excluded = sorted(novelty.source.values.get(self._type(dimension), ()))
                if excluded:
                    yield self._not_among(self.sql(dimension), excluded)
        for sibling in novelty.siblings:
            pairs = [(part, value) for part, value in zip(dimensions, sibling, strict=True) if part in known]
            if len(pairs) == len(dimensions) and pairs:
                yield self._not_all(pairs)

    def _type(self, dimension: s.Expression) -> str:
        match dimension:
            case s.Variable(name=name):
                return self._types[name]
            case s.Field(subject=subject, name=name):
                return self._interface.fields_of[self._types[subject.name], name].result
            case s.Call(symbol=symbol):
                return self._interface.signature_of[symbol].result
            case _:
                return ""

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

    def sql(self, node: s.Expression) -> Sql:
        """Return an expression of the data as SQL."""
        match node:
            case s.Variable(name=name):
                table = self._interface.type_named[self._types[name]].table
                assert table is not None
                return Sql(f"v_{name}.{table.key}", (), frozenset([name]))
            case s.Field(subject=subject, name=field):
                column = self._interface.fields_of[self._types[subject.name], field].column
                return Sql(f"v_{subject.name}.{column}", (), frozenset([subject.name]))
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
                found = _joined(", ", [self.sql(whole), self.sql(part)])
                return attrs.evolve(found, text=f"INSTR{found.text} > 0")
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
        f"({separator.join(part.text for part in parts)})",
        tuple(parameter for part in parts for parameter in part.parameters),
        frozenset().union(*(part.variables for part in parts)),
    )


class Binder:
    """Answers one query against one store."""

    def __init__(self, query: Query, interface: Interface, store: Store) -> None:
        self._query = query
        self._interface = interface
        self._store = store

    def binding(self, seed: str) -> Binding | None:
        """Return the answer that a seed picks: first a context, then variable by variable among what remains possible."""
        random = Random(seed)
        conditions = [*(constraint.sql for constraint in self._query.constraints), *self._query.novelty]
        contexts = self._contexts(conditions)
        if not contexts:
            return None
        context = random.choice(contexts)
        fixed: dict[str, str] = {}
        for name, _ in self._query.variables:
            fixed[name] = random.choice(self._candidates(name, conditions, context, fixed))
        entities = tuple((name, Entity(type, fixed[name])) for name, type in self._query.variables)
        return Binding(context, entities)

    def conflict(self) -> Diagnostic | None:
        """Return why there is no answer, or None where there is one."""
        constraints = [constraint.sql for constraint in self._query.constraints]
        if self._contexts([*constraints, *self._query.novelty]):
            return None
        if self._contexts(constraints):
            return None
        culprits = self._quickxplain([], False, list(self._query.constraints))
        if not culprits:
            culprits = list(self._query.constraints[:1])
        if len(culprits) == 1 and culprits[0].need is not None:
            return errors.Impossible(culprits[0].span, culprits[0].text, culprits[0].need)
        return errors.Unsatisfiable(culprits[0].span, tuple(map(self._clause, culprits)))

    def _quickxplain(
        self, background: list[Constraint], changed: bool, candidates: list[Constraint]
    ) -> list[Constraint]:
        """Return a smallest subset of the candidates that conflicts with the background (Junker 2004, algorithm 1)."""
        if changed and not self._contexts([constraint.sql for constraint in background]):
            return []
        if len(candidates) <= 1:
            return candidates
        half = len(candidates) // 2
        left, right = candidates[:half], candidates[half:]
        in_right = self._quickxplain([*background, *left], bool(left), right)
        in_left = self._quickxplain([*background, *in_right], bool(in_right), left)
        return [*in_left, *in_right]

    def _clause(self, constraint: Constraint) -> errors.Clause:
        names = sorted(constraint.sql.variables)
        counted = names if len(names) <= 2 else []
        types = dict(self._query.variables)
        noun = (
            f"{types[names[0]].lower()}s"
            if len(names) == 1
            else "pairs"
            if len(counted) == 2
            else "scenarios' contexts"
        )
        left, total = (self._count(names, conditions, counted) for conditions in ([constraint.sql], []))
        text = f"{constraint.text}` needing `{constraint.need}" if constraint.need else constraint.text
        return errors.Clause(text, constraint.span, left, total, noun)

    def _count(self, names: list[str], conditions: list[Sql], counted: list[str]) -> int:
        if counted:
            sources, where, parameters = self._join(names, conditions)
            rows = self._store.query(f"SELECT COUNT(*) FROM {', '.join(sources)} WHERE {where}", parameters)
            return int(rows[0][0])
        return len(self._contexts(conditions))

    def _context_table(self) -> tuple[str, list[str | int]]:
        """Return the table `c` of contexts as SQL; without contexts it has one row."""
        if self._interface.context is None:
            return "(SELECT NULL AS context) c", []
        table = self._interface.type_named[self._interface.context].table
        assert table is not None
        if self._query.context is None:
            return f"(SELECT {table.key} AS context FROM {table.name}) c", []
        return f"(SELECT {table.key} AS context FROM {table.name} WHERE {table.key} = ?) c", [
            self._query.context
        ]

    def _join(
        self, names: Sequence[str], conditions: Sequence[Sql]
    ) -> tuple[list[str], str, list[str | int]]:
        """Return the sources, the condition and the parameters of a join of contexts and variables."""
        contexts, parameters = self._context_table()
        clauses, inner = self._conditions(names, conditions)
        return [contexts, *self._sources(names)], clauses, [*parameters, *inner]

    def _sources(self, names: Sequence[str]) -> list[str]:
        return [f"{self._table(name).name} v_{name}" for name in names]

    def _table(self, name: str) -> Table:
        table = self._interface.type_named[dict(self._query.variables)[name]].table
        assert table is not None
        return table

    def _conditions(self, names: Sequence[str], conditions: Sequence[Sql]) -> tuple[str, list[str | int]]:
        shared = [
            f"v_{name}.{self._table(name).context} = c.context" for name in names if self._table(name).context
        ]
        texts = [*shared, *(condition.text for condition in conditions)] or ["1"]
        return " AND ".join(texts), [
            parameter for condition in conditions for parameter in condition.parameters
        ]

    def _contexts(self, conditions: Sequence[Sql]) -> list[str | None]:
        """Return the contexts in which all variables can be bound, sorted."""
        contexts, parameters = self._context_table()
        tests = []
        for names, own in self._components(conditions):
            where, inner = self._conditions(names, own)
            sources = f"FROM {', '.join(self._sources(names))} " if names else ""
            tests.append(f"EXISTS (SELECT 1 {sources}WHERE {where})")
            parameters += inner
        rows = self._store.query(
            f"SELECT c.context FROM {contexts} WHERE {' AND '.join(tests) or '1'} ORDER BY 1", parameters
        )
        return [row[0] for row in rows]

    def _components(self, conditions: Sequence[Sql]) -> list[tuple[list[str], list[Sql]]]:
        """Split the variables into groups that no condition connects, each with its conditions.

        Groups can be satisfied independently within a context, which keeps the joins small.
        """
        groups: list[tuple[set[str], list[Sql]]] = [({name}, []) for name, _ in self._query.variables]
        for condition in conditions:
            touched = [group for group in groups if group[0] & condition.variables]
            groups = [group for group in groups if not group[0] & condition.variables]
            names = set(condition.variables).union(*(group[0] for group in touched))
            groups.append((names, [*(one for group in touched for one in group[1]), condition]))
        return [(sorted(names), own) for names, own in groups]

    def _candidates(
        self, name: str, conditions: Sequence[Sql], context: str | None, fixed: dict[str, str]
    ) -> list[str]:
        """Return the entities that a variable can still be bound to, sorted, given those that are fixed."""
        names, own = next(group for group in self._components(conditions) if name in group[0])
        known = [other for other in names if other in fixed]
        open_names = [other for other in names if other not in fixed and other != name]
        reachable = frozenset([name, *known])
        direct = [condition for condition in own if condition.variables <= reachable]
        rest = [condition for condition in own if not condition.variables <= reachable]
        outer, outer_parameters = self._conditions([name, *known], direct)
        pins = [f"v_{other}.{self._table(other).key} = ?" for other in known]
        test, inner_parameters = "1", list[str | int]()
        if open_names:
            inner, inner_parameters = self._conditions(open_names, rest)
            test = f"EXISTS (SELECT 1 FROM {', '.join(self._sources(open_names))} WHERE {inner})"
        key = f"v_{name}.{self._table(name).key}"
        rows = self._store.query(
            f"SELECT {key} FROM (SELECT ? AS context) c, {', '.join(self._sources([name, *known]))} "
            f"WHERE {' AND '.join([outer, *pins, test])} ORDER BY {key}",
            [context, *outer_parameters, *(fixed[other] for other in known), *inner_parameters],
        )
        return [row[0] for row in rows]
