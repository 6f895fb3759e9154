"""`skillsandbox verify`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import click
from rich.console import Console

from skillsandbox.runtime import engines, report
from skillsandbox.runtime.candidates import candidates
from skillsandbox.runtime.journal import JournalError, open_journal
from skillsandbox.runtime.matching import ConditionMatcher, word_encoder
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.progress import progress
from skillsandbox.runtime.proposer import LibraryProposer
from skillsandbox.runtime.results import Settings, Verification
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.skills import Skill, SkillFileError, load_skills
from skillsandbox.runtime.verification import Event, SkillFinished, run_inputs, verify


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
    help="A scenario program, or a folder of them, in place of the library.",
)
@click.option("--mistakes", is_flag=True, help="Take SkillRL's common mistakes as skills too.")
@click.option("--seed", default=0, show_default=True, help="Decides which scenarios are built.")
@click.option(
    "--gamma",
    callback=_discount,
    default="0.95",
    show_default=True,
    help="The discount for every action that is left. It can be changed for a finished run.",
)
@engines.option
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
    as_json: bool,
) -> None:
    """Decide for each skill of SKILLS: Keep or Reject.

    SKILLS is a JSON or JSON Lines file, a file of SkillRL's, a SKILL.md, or a folder of Agent Skills. For
    each skill five scenarios are built in which its condition arises, and each is played with the skill and
    without. The run's folder gets report.html, report.json and the scenarios. A run that was interrupted is
    continued by the same command. Exit code 0 whatever the verdicts.
    """
    try:
        loaded = load_skills(skills, mistakes=mistakes)
    except SkillFileError as error:
        raise click.ClickException(str(error)) from error
    settings = Settings(seed, gamma)
    encoder = word_encoder()
    found = candidates(loaded, environment_name, programs, encoder)
    environment = found.environment
    plays = engines.chosen(environment, engine)
    if found.inferred is not None:
        click.echo(f"verifying in {environment.name}: {found.inferred} (see --environment)", err=True)
    roles = Roles(LibraryProposer(ConditionMatcher(found.programs, encoder), seed))
    inputs = run_inputs(loaded, InstalledStage(environment, Path(), plays), roles, settings)
    folder = output or Path("verified") / f"{skills.resolve().stem}-{_hash(inputs)}"
    fault = environment.folder_fault(folder.resolve())
    if fault is not None:
        raise click.BadParameter(f"{fault}; choose another folder", param_hint="--output")
    verification = _verify(
        loaded, InstalledStage(environment, folder / "scenarios", plays), roles, folder, inputs, settings
    )
    page, _ = report.write_report(verification, folder)
    if as_json:
        click.echo(json.dumps(report.data(verification), indent=1, sort_keys=True))
    else:
        console = Console()
        console.print(report.table(verification), *report.without_evidence(verification), sep="\n")
        click.echo(f"{page}: the runs side by side")


def _verify(
    skills: tuple[Skill, ...],
    stage: InstalledStage,
    roles: Roles,
    folder: Path,
    inputs: Mapping[str, str],
    settings: Settings,
) -> Verification:
    try:
        with (
            open_journal(folder / "journal.jsonl", inputs) as journal,
            progress("verifying", len(skills)) as advance,
        ):
            return verify(skills, stage, roles, journal, settings, _advancing(advance))
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.FileError(str(error.filename or folder), error.strerror or str(error)) from error


def _advancing(advance: Callable[[], None]) -> Callable[[Event], None]:
    return lambda event: advance() if isinstance(event, SkillFinished) else None


def _hash(inputs: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:8]
