"""The environment of a verification, and the programs that may be proposed in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import attrs
import click

from skillsandbox.compiler import syntax as s
from skillsandbox.compiler.driver import analyse
from skillsandbox.compiler.environment import Environment, environments
from skillsandbox.runtime.choosing import Undecided, nearest_environment
from skillsandbox.runtime.library import library, program_files, shipped_programs
from skillsandbox.runtime.matching import ConditionMatcher, Encoder, LibraryProgram
from skillsandbox.runtime.programs import Report, counted, has_errors, read_source, show
from skillsandbox.runtime.skills import Skill

Environments = Mapping[str, Callable[[], Environment]]


@attrs.frozen
class Candidates:
    """An environment with at least one program; `inferred` says why this one, None where it was asked for."""

    environment: Environment
    programs: tuple[LibraryProgram, ...]
    inferred: str | None


def candidates(
    skills: Sequence[Skill], environment: str | None, programs: Path | None, encoder: Encoder
) -> Candidates:
    """Return what is asked for: of a named environment or an inferred one, of files or the library.

    The environment is inferred from the programs' headers, else from the library that is nearest to most of
    the skills. Ends the command where it cannot be, or where there are no programs.
    """
    installed = environments()
    if environment is not None and environment not in installed:
        raise _misused(f"there is no environment {environment!r}; choose one of: {', '.join(installed)}")
    if programs is not None:
        return _from_files(programs, environment, installed)
    if environment is None and len(installed) > 1:
        return _nearest(skills, installed, encoder)
    return _shipped(installed[environment or next(iter(installed))]())


def _shipped(environment: Environment) -> Candidates:
    found = shipped_programs(environment)
    if not found:
        raise click.UsageError(f"no library comes with {environment.name}; give --programs")
    return Candidates(environment, found, None)


def _nearest(skills: Sequence[Skill], installed: Environments, encoder: Encoder) -> Candidates:
    opened = {name: environment() for name, environment in installed.items()}
    libraries = {name: found for name, one in opened.items() if (found := shipped_programs(one))}
    matchers = {name: ConditionMatcher(found, encoder) for name, found in libraries.items()}
    try:
        name, number = nearest_environment(skills, matchers)
    except Undecided as undecided:
        raise _misused(f"{undecided}; choose one of: {', '.join(installed)}") from undecided
    reason = f"its library is nearest to {number} of {counted(len(skills), 'skill')}"
    return Candidates(opened[name], libraries[name], reason)


def _from_files(path: Path, name: str | None, installed: Environments) -> Candidates:
    scenarios = _read(path, installed)
    names = sorted({scenario.environment for scenario in scenarios})
    if name is None and len(names) > 1:
        raise _misused(f"{path} has programs for {' and '.join(names)}; choose one of them")
    if not names or (name is not None and name not in names):
        what = f"no program for {name}" if name else "no program"
        raise click.BadParameter(f"{path} has {what}", param_hint="--programs")
    environment = installed[name or names[0]]()
    found = library(scenarios, environment)
    _refuse_duplicates(path, [program.name for program in found])
    inferred = f"{path} has programs for it alone" if name is None and len(installed) > 1 else None
    return Candidates(environment, found, inferred)


def _read(path: Path, installed: Environments) -> list[s.Scenario]:
    """Return the scenarios of a file or folder; ends the command on errors."""
    reports: list[Report] = []
    scenarios = []
    for file in program_files(path):
        source = read_source(str(file))
        if isinstance(source, tuple):
            reports.append(source)
            continue
        analysed = analyse(source, installed)
        reports.append((source, analysed.diagnostics))
        scenarios += [resolved.scenario for resolved in analysed.scenarios]
    show(reports, "text")
    if has_errors(one for _, found in reports for one in found):
        raise SystemExit(1)
    return scenarios


def _refuse_duplicates(path: Path, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.BadParameter(
            f"{path} has several programs named {', '.join(twice)}", param_hint="--programs"
        )


def _misused(reason: str) -> click.UsageError:
    return click.BadParameter(reason, param_hint="--environment")
