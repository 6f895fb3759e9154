"""The grammars that a model's endpoint is given, so that it writes only what parses."""

from __future__ import annotations

from skillsandbox.compiler.environment import Environment
from skillsandbox.grammar.export import Form, export


def exported(environment: Environment, form: Form) -> str:
    """Return the grammar of an environment's language in a form; made once per process."""
    return export(environment.grammar(), form)
