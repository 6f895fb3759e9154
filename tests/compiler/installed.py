"""The environments whose languages the tests are about, and what the tests do with programs in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toy import market

from skillsandbox.compiler.checker import check
from skillsandbox.compiler.diagnostics import Diagnostic, Severity, Source
from skillsandbox.compiler.driver import analyse
from skillsandbox.compiler.interface import Interface
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.resolver import Resolved, resolve
from skillsandbox.compiler.syntax import Program
from skillsandbox.envs.alfworld import environment
from skillsandbox.envs.webshop import environment as webshop

ENVIRONMENTS: dict[str, Callable[[], Any]] = {
    "alfworld": environment,
    "market": market,
    "webshop": webshop,
}
INTERFACES: dict[str, Interface] = {name: opened().interface() for name, opened in ENVIRONMENTS.items()}


def diagnosed(text: str) -> tuple[Diagnostic, ...]:
    """Return all that the passes before binding say of a text."""
    return analyse(Source("test", text), ENVIRONMENTS).diagnostics


def errors_in(text: str) -> list[Diagnostic]:
    """Return the errors among what is said of a text, in the order of the text."""
    found = [one for one in diagnosed(text) if one.severity is Severity.ERROR]
    return sorted(found, key=lambda one: one.span)


def program(text: str) -> Program:
    """Return the program of a text whose syntax is right."""
    parsed = parse(Source("test", text), ENVIRONMENTS)
    assert parsed.diagnostics == ()
    return parsed.program


def resolved(text: str) -> Resolved:
    """Return the one scenario of a text in which nothing is wrong."""
    found, diagnostics = resolve(program(text))
    (one,) = found
    wrong = (*diagnostics, *check(one, INTERFACES[one.scenario.environment]))
    assert [diagnostic for diagnostic in wrong if diagnostic.severity is Severity.ERROR] == []
    return one
