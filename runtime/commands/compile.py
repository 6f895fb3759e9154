"""`skillsandbox compile`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import click

from skillsandbox.compiler import errors
from skillsandbox.compiler.binder import Novelty
from skillsandbox.compiler.diagnostics import Diagnostic, Source
from skillsandbox.compiler.driver import Environments, analyse, compile_scenario
from skillsandbox.compiler.environment import Environment, Refused, SourceTask, environments
from skillsandbox.compiler.lowerer import lower, replay, save
from skillsandbox.compiler.resolver import Resolved
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.runtime.engines import chosen
from skillsandbox.runtime.programs import Report, counted, has_errors, read_source, show, tally
from skillsandbox.runtime.progress import progress


@attrs.frozen
class _Order:
    """One scenario to make: of which program of which file, with which seed."""

    source: Source
    resolved: Resolved
    seed: int


@attrs.frozen
class _Settings:
    """Where scenarios are written, what they must differ from, and which engine replays their solutions."""

    output: Path
    source_task: Path | None
    engine: str | None


@click.command("compile")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option(
    "-o",
    "--output",
    default="scenarios",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The folder under which each scenario gets a folder.",
)
@click.option("--seed", default=0, show_default=True, help="Which of the data's answers is built.")
@click.option(
    "--count",
    default=1,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="How many scenarios per program, novel against one another, under consecutive seeds.",
)
@click.option(
    "--source",
    "source_task",
    type=click.Path(exists=True, path_type=Path),
    help="The task (folder of a traj_data.json or scenario.json) to be novel against.",
)
@click.option(
    "--engine", help="Replay each solution in this engine too before the scenario is written: `official`."
)
@click.option("--json", "as_json", is_flag=True, help="Print what was written and the diagnostics as JSON.")
def command(
    files: tuple[str, ...],
    output: Path,
    seed: int,
    count: int,
    source_task: Path | None,
    engine: str | None,
    as_json: bool,
) -> None:
    """Build scenarios of a benchmark from programs.

    Every scenario is solved before it is written; with --engine official its solution is replayed in the
    benchmark's own engine too, where there is one, which takes seconds. Exit code 1 if any program has an
    error.
    """
    installed = environments()
    reports, orders = _orders(files, installed, range(seed, seed + count))
    for name in sorted({order.resolved.scenario.environment for order in orders}):
        _refuse(installed[name](), output, engine)
    written = []
    with progress("compiling", len(orders)) as advance:
        for folder, report in _make(orders, installed, _Settings(output, source_task, engine)):
            reports.append(report)
            written += folder
            advance()
    _say(reports, written, as_json)
    raise SystemExit(1 if has_errors(one for _, found in reports for one in found) else 0)


def _orders(
    files: tuple[str, ...], installed: Environments, seeds: range
) -> tuple[list[Report], list[_Order]]:
    reports: list[Report] = []
    orders = []
    for path in files:
        source = read_source(path)
        if isinstance(source, tuple):
            reports.append(source)
            continue
        analysed = analyse(source, installed)
        reports.append((source, analysed.diagnostics))
        orders += [_Order(source, resolved, seed) for resolved in analysed.scenarios for seed in seeds]
    return reports, orders


def _make(
    orders: list[_Order], installed: Environments, settings: _Settings
) -> Iterator[tuple[list[dict[str, Any]], Report]]:
    """Compile the orders one by one; scenarios of the same program are siblings."""
    siblings: dict[tuple[str, str], tuple[Scenario, ...]] = {}
    for order in orders:
        environment = installed[order.resolved.scenario.environment]()
        key = (order.source.name, order.resolved.scenario.name)
        before = siblings.get(key, ())
        novelty = Novelty(_source(environment, settings.source_task), tuple(_values(one) for one in before))
        outcome = _compile(order, environment, novelty, settings)
        if isinstance(outcome, tuple):
            yield [], (order.source, outcome)
            continue
        scenario, folder = outcome.scenario, outcome.folder
        siblings[key] = (*before, scenario)
        yield [_summary(scenario, folder)], (order.source, ())


@attrs.frozen
class _Made:
    scenario: Scenario
    folder: Path


def _compile(
    order: _Order, environment: Environment, novelty: Novelty, settings: _Settings
) -> _Made | tuple[Diagnostic, ...]:
    condition = order.resolved.scenario.condition
    if condition.mode is None:
        return (errors.ConditionUnsupported(condition.span, condition.reason or ""),)
    outcome = compile_scenario(order.resolved, environment, order.seed, novelty)
    if isinstance(outcome, tuple):
        return outcome
    goal = order.resolved.scenario.goal
    assert goal is not None
    if chosen(environment, settings.engine) != environment.engines[0]:
        disagreement = replay(outcome, environment, goal.span)
        if disagreement is not None:
            return (disagreement,)
    try:
        return _Made(outcome, save(lower(outcome, environment), settings.output))
    except OSError as error:
        raise click.FileError(str(settings.output), error.strerror or str(error)) from error


def _values(scenario: Scenario) -> tuple[Any, ...]:
    return tuple(value for _, value in scenario.novelty)


def _refuse(environment: Environment, output: Path, engine: str | None) -> None:
    """End the command where an environment has no such engine, or does not take the folder."""
    chosen(environment, engine)
    fault = environment.folder_fault(output.resolve())
    if fault is not None:
        raise click.BadParameter(f"{fault}; choose another folder", param_hint="--output")


def _source(environment: Environment, path: Path | None) -> SourceTask | None:
    if path is None:
        return None
    try:
        return environment.source_task(path)
    except Refused as refusal:
        raise click.BadParameter(str(refusal), param_hint="--source") from refusal


def _summary(scenario: Scenario, folder: Path) -> dict[str, Any]:
    return {
        "name": scenario.name,
        "seed": scenario.seed,
        "digest": scenario.digest,
        "instruction": scenario.instruction,
        "steps": len(scenario.plan),
        "folder": str(folder),
    }


def _say(reports: list[Report], written: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        from skillsandbox.compiler.rendering import to_data

        found = [{"file": source.name, **to_data(one, source)} for source, many in reports for one in many]
        click.echo(json.dumps({"scenarios": written, "diagnostics": found}, indent=1, ensure_ascii=False))
        return
    show(reports, "text")
    for one in written:
        click.echo(f"{one['folder']}\n  {one['instruction']} ({counted(one['steps'], 'step')})")
    click.echo(f"{counted(len(written), 'scenario')} written, {tally(reports)}")
