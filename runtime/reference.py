"""The scenario language as a model is told of it: its form, and an environment's construction interface."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from skillsandbox.compiler.environment import Environment, Store
from skillsandbox.compiler.interface import Interface, Parameter, Role, Signature, Table, Type
from skillsandbox.compiler.printer import escape
from skillsandbox.runtime.prompting import render

MOST_WORDS = 24
"""Of a type of words with more than these, an even choice is shown; of the compact form, a third of them."""

_SHORT_ENUMERATION = 4
_HOLE = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_HEADINGS = {
    Role.GOAL: "GOAL",
    Role.OPERATION: "OPERATION",
    Role.CLAUSE: "",
    Role.ACTION: "ACTION",
    Role.FUNCTION: "Functions",
    Role.EVENT: "Events",
}
_SAMPLES = {"Money": "$49.95", "Text": '"text"'}


def reference(environment: Environment, *, compact: bool = False) -> str:
    """Return the language with an environment's vocabulary, as much as a program can be written from.

    Bases are left out, since a model cannot know which there are. The compact form leaves out what the
    vocabulary means, where its words do not tell.
    """
    interface, store = environment.interface(), environment.open_store()
    writer = _Writer(interface, compact)
    return render(
        "language",
        environment=environment.name,
        dimensions="".join(f", `{one.syntax}`" for one in interface.signatures if one.role is Role.DIMENSION),
        samples=", ".join(_SAMPLES[type.name] for type in interface.types if type.name in _SAMPLES),
        types=[line for type in interface.types for line in writer.type_lines(type, store)],
        tables=writer.tables(),
    )


@attrs.frozen
class _Writer:
    interface: Interface
    compact: bool

    def type_lines(self, type: Type, store: Store) -> Iterator[str]:
        if type.table is not None:
            yield f"{type.name} has the fields {'; '.join(self._fields(type.name))}"
        elif len(type.values) > _SHORT_ENUMERATION:
            yield f"{type.name}: {', '.join(type.values)}"
        elif type.words is not None:
            words, most = _words(type.words, store), MOST_WORDS // 3 if self.compact else MOST_WORDS
            shown = ", ".join(f'"{escape(word)}"' for word in _even_choice(words, most))
            yield f"{type.name}: {shown}{', and more' if len(words) > most else ''}"

    def tables(self) -> list[tuple[str, list[str]]]:
        """Return the rows of the vocabulary under their headings; clauses under the type that takes them."""
        tables: dict[str, list[str]] = {}
        for role, heading in _HEADINGS.items():
            for signature in self.interface.signatures:
                if signature.role is role:
                    tables.setdefault(heading or f"<{signature.result}>", []).append(self._row(signature))
        return list(tables.items())

    def _fields(self, subject: str) -> Iterator[str]:
        names: dict[str, list[str]] = {}
        for field in self.interface.fields:
            if field.subject == subject:
                when = "" if field.column is not None else ", after build"
                names.setdefault(f"{self._type_name(field.result)}{when}", []).append(field.name)
        return (f"{', '.join(fields)} ({kind})" for kind, fields in names.items())

    def _row(self, signature: Signature) -> str:
        parameters = {parameter.name: parameter for parameter in signature.parameters}
        syntax = _OPTIONAL.sub(_as_optional, signature.syntax)
        shown = _HOLE.sub(lambda hole: self._parameter(parameters[hole[1]]), syntax)
        told = signature.role is Role.FUNCTION and signature.result != "Bool"
        result = f": {self._type_name(signature.result)}" if told else ""
        return f"{shown}{result}" if self.compact else f"{shown}{result} — {signature.summary}"

    def _parameter(self, parameter: Parameter) -> str:
        if parameter.range is not None:
            least, most = parameter.range
            return str(least) if least == most else f"<{parameter.type} {least}-{most}>"
        shown = f"<{self._type_name(parameter.type)}>"
        return f"{shown}{parameter.separator.rstrip()} …" if parameter.many else shown

    def _type_name(self, name: str) -> str:
        values = self.interface.type_named[name].values if name in self.interface.type_named else ()
        return "|".join(values) if 0 < len(values) <= _SHORT_ENUMERATION else name


def _words(table: Table, store: Store) -> list[str]:
    rows = store.query(f"SELECT DISTINCT {table.key} FROM {table.name} ORDER BY {table.key}")
    return [row[0] for row in rows if row[0]]


def _even_choice(words: list[str], most: int) -> list[str]:
    if len(words) <= most:
        return words
    return [words[number * len(words) // most] for number in range(most)]


def _as_optional(part: re.Match[str]) -> str:
    inner: str = part[1]
    return inner if _HOLE.fullmatch(inner.strip()) else f"({inner})"
