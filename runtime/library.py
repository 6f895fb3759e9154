"""The library: scenario programs that a person wrote, among which a skill's condition is looked up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import as_file, files
from pathlib import Path

from skillsandbox import specs
from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.environment import Environment
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.printer import print_program
from skillsandbox.runtime.matching import LibraryProgram


def shipped_programs(environment: Environment) -> tuple[LibraryProgram, ...]:
    """Return the library that the project ships for an environment, empty where it ships none."""
    with as_file(files(specs) / environment.name) as folder:
        paths = program_files(folder) if folder.is_dir() else ()
        return read_programs((path for path in paths if path.name != specs.TEMPLATE), environment)


def program_files(path: Path) -> tuple[Path, ...]:
    """Return the scenario programs under a folder in the order of their paths; or the file itself."""
    return tuple(sorted(path.rglob("*.scn"))) if path.is_dir() else (path,)


def read_programs(paths: Iterable[Path], environment: Environment) -> tuple[LibraryProgram, ...]:
    """Return an environment's programs in files free of syntax errors, each scenario by itself."""
    sources = [Source(path.name, path.read_text("utf-8")) for path in paths]
    return library([scenario for source in sources for scenario in _parsed(source, environment)], environment)


def library(scenarios: Sequence[s.Scenario], environment: Environment) -> tuple[LibraryProgram, ...]:
    """Return parsed scenarios of an environment as programs of a library."""
    interfaces = {environment.name: environment.interface()}
    return tuple(
        LibraryProgram(
            name=scenario.name,
            text=print_program(s.Program((scenario,)), interfaces),
            condition=scenario.condition.text,
            wording=_wording(scenario),
            unsupported=scenario.condition.reason,
        )
        for scenario in scenarios
        if scenario.environment == environment.name
    )


def _parsed(source: Source, environment: Environment) -> tuple[s.Scenario, ...]:
    return parse(source, {environment.name: lambda: environment}).program.scenarios


def _wording(scenario: s.Scenario) -> str:
    """Return what a program says besides its condition: the comments on top and the task's fixed words."""
    task = scenario.say.parts if scenario.say else ()
    words = [part.value.strip() for part in task if isinstance(part, s.Text)]
    return " ".join([*scenario.comments.above, *words])
