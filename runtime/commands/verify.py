"""`skillsandbox verify`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import attrs
import click
from rich.console import Console

from skillsandbox.runtime import engines, report
from skillsandbox.runtime.candidates import candidates
from skillsandbox.runtime.casting import Cast, Choices, cast
from skillsandbox.runtime.complaints import complaining, continuable
from skillsandbox.runtime.forecast import forecast
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.matching import word_encoder
from skillsandbox.runtime.models.options import ModelOptions, model_options
from skillsandbox.runtime.proposals import write_proposals
from skillsandbox.runtime.report_data import data
from skillsandbox.runtime.results import Settings, Verification
from skillsandbox.runtime.skills import Skill, load_skills
from skillsandbox.runtime.task_options import concurrency
from skillsandbox.runtime.verification import run_inputs, verify
from skillsandbox.runtime.watching import watched


def _discount(context: click.Context, parameter: click.Parameter, value: str) -> Fraction:
    """Return a decimal number exactly."""
    with suppress(ValueError, ZeroDivisionError):
        if 0 < (gamma := Fraction(value)) <= 1:
            return gamma
    raise click.BadParameter(f"{value!r} is not a number above 0 and not above 1", context, parameter)


@click.command("verify")
@click.argument("skills", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="The run's folder; by default one under `verified/` that is named after skills and options.",
)
@click.option(
    "--environment",
    "environment_name",
    help="Where to verify; by default what --programs are for, or whose library is nearest to most skills.",
)
@click.option(
    "--programs",
    type=click.Path(exists=True, path_type=Path),
    help="A scenario program, or a folder of them, in place of the library, or of what a model would write.",
)
@click.option("--mistakes", is_flag=True, help="Take SkillRL's common mistakes as skills too.")
@click.option("--seed", default=0, show_default=True, help="Decides what is built and how it is played.")
@click.option(
    "--gamma",
    callback=_discount,
    default="0.95",
    show_default=True,
    help="The discount for every action that is left. It can be changed for a finished run.",
)
@engines.option
@click.option("--rule-only", is_flag=True, help="Leave the judge out: a step counts if it cites and acts.")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(
    skills: Path,
    output: Path | None,
    environment_name: str | None,
    programs: Path | None,
    mistakes: bool,
    seed: int,
    gamma: Fraction,
    engine: str | None,
    rule_only: bool,
    as_json: bool,
    model_options: ModelOptions,
) -> None:
    """Decide for each skill of SKILLS: Keep or Reject.

    SKILLS is a JSON or JSON Lines file, a file of SkillRL's, a SKILL.md, or a folder of Agent Skills. For
    each skill five scenarios are built in which its condition arises, and each is played with the skill and
    without. With --model, a language model writes the scenarios, judges them, plays, and judges the steps
    that count. The run's folder gets report.html, report.json and the scenarios. A run that was interrupted
    or ran out of its budget is continued by the same command. Exit code 0 whatever the verdicts.
    """
    with complaining():
        loaded = load_skills(skills, mistakes=mistakes)
    encoder = word_encoder()
    found = candidates(loaded, environment_name, programs, encoder)
    environment = found.environment
    choices = Choices(
        environment=environment,
        engine=engines.chosen(environment, engine),
        programs=found.programs,
        given=programs is not None,
        encoder=encoder,
        seed=seed,
        rule_only=rule_only,
        models=model_options,
    )
    if found.inferred is not None:
        click.echo(f"verifying in {environment.name}: {found.inferred} (see --environment)", err=True)
    folder = output or Path("verified") / f"{skills.resolve().stem}-{_digest(choices, loaded)}"
    fault = environment.folder_fault(folder.resolve())
    if fault is not None:
        raise click.BadParameter(f"{fault}; choose another folder", param_hint="--output")
    verification = _verified(loaded, choices, folder, Settings(seed, gamma, concurrency(model_options)))
    page, _ = report.write_report(verification, folder)
    write_proposals(verification, folder)
    _show(verification, page, as_json=as_json)


def _verified(skills: Sequence[Skill], choices: Choices, folder: Path, settings: Settings) -> Verification:
    with complaining(), continuable(folder), cast(choices, folder) as playing:
        _foretell(len(skills), choices, playing)
        inputs = run_inputs(skills, playing.stage, playing.roles, settings)
        with (
            open_journal(folder / "journal.jsonl", inputs) as journal,
            watched(len(skills), playing.accounts) as listener,
        ):
            verification = verify(skills, playing.stage, playing.roles, journal, settings, listener)
        if playing.accounts is None:
            return verification
        usage = {role: account.used for role, account in playing.accounts.snapshot().items()}
        return attrs.evolve(verification, usage=usage)


def _foretell(skills: int, choices: Choices, playing: Cast) -> None:
    """Say on standard error what the run will take of a model."""
    if playing.accounts is not None:
        total = forecast(skills, choices, playing.price).total
        click.echo(f"at most about {report.usage_words(total)}, less what is in the cache", err=True)


def _show(verification: Verification, page: Path, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(data(verification), indent=1, sort_keys=True))
        return
    console = Console()
    lines = (*report.without_evidence(verification), *report.usage_lines(verification))
    console.print(report.table(verification), *lines, sep="\n")
    click.echo(f"{page}: the runs side by side")


def _digest(choices: Choices, skills: Sequence[Skill]) -> str:
    """Return the name of a run's folder where a person gives none: the same for the same command."""
    texts = [[skill.id, skill.condition, skill.principle] for skill in skills]
    named: Mapping[str, object] = {**choices.identity, "skills": texts}
    return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:8]
