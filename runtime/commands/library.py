"""`skillsandbox library`: the skill library as files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skillsandbox.runtime.complaints import complaining
from skillsandbox.runtime.models.options import ModelOptions, embedding_options
from skillsandbox.runtime.programs import counted

if TYPE_CHECKING:
    from skillsandbox.runtime.skill_library import LibrarySkill, Merged

_library = click.option(
    "-l",
    "--library",
    default="library.jsonl",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The library.",
)
_kept = click.option("--kept", is_flag=True, help="Only skills whose verdict is Keep.")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group("library")
def command() -> None:
    """Keep skills in a library: a file with one skill a line.

    A line has the skill, what it was learned from, and what verification found of it, as far as these are
    known. Wherever a library is read, any other file or folder of skills will do as well.
    """


@command.command("list")
@_library
@_as_json
def list_(library: Path, as_json: bool) -> None:
    """List the skills of a library with their verdicts."""
    skills = _read(library)
    if as_json:
        _print_json([_data(one) for one in skills])
    else:
        from rich.console import Console

        from skillsandbox.runtime.library_report import table

        Console().print(table(skills))


@command.command("add")
@click.argument("skills", type=click.Path(exists=True, path_type=Path))
@_library
@_kept
@click.option("--mistakes", is_flag=True, help="Take SkillRL's common mistakes as skills too.")
def add(skills: Path, library: Path, kept: bool, mistakes: bool) -> None:
    """Add SKILLS to a library: any file or folder of skills, or the folder of a run of `verify`.

    From a run come the verdicts too. A skill that is there already gets what is new of its title, source and
    verdict; another skill of the same id is refused, and then nothing is added.
    """
    from skillsandbox.runtime.report import visible
    from skillsandbox.runtime.skill_files import locked, write_jsonl
    from skillsandbox.runtime.skill_library import merged, read_library, read_own_library

    with complaining():
        given = _chosen(skills, read_library(skills, mistakes=mistakes), kept=kept)
        with locked(library):
            after = merged(read_own_library(library), given)
            if after.conflicts:
                raise click.ClickException(visible(_conflicts(library, after)))
            write_jsonl(library, after.skills)
    for one, change in after.changes:
        _echo(f"{one.skill.id}: {change}")
    click.echo(f"{library}: {counted(len(after.skills), 'skill')}")


@command.command("export")
@click.argument("output", type=click.Path(path_type=Path))
@_library
@_kept
def export(output: Path, library: Path, kept: bool) -> None:
    """Write a library's skills as a new folder of Agent Skills, or as JSON Lines if OUTPUT ends in .jsonl."""
    from skillsandbox.runtime.skill_files import write_agent_skills, write_jsonl

    skills = _chosen(library, _read(library), kept=kept)
    with complaining():
        if output.suffix == ".jsonl":
            write_jsonl(output, skills, new=True)
        else:
            write_agent_skills(output, skills)
    click.echo(f"{output}: {counted(len(skills), 'skill')}")


@command.command("search")
@click.argument("task")
@_library
@click.option("--top", default=3, show_default=True, type=click.IntRange(min=1), help="How many to retrieve.")
@embedding_options
@_as_json
def search(
    task: str,
    library: Path,
    top: int,
    embedding_model: str | None,
    embedding_api_base: str | None,
    as_json: bool,
) -> None:
    """Retrieve the skills that are most like a TASK, as `solve` does for each task."""
    from skillsandbox.runtime.retrieval import Retriever
    from skillsandbox.runtime.task_options import open_embedder

    skills = {one.skill.id: one for one in _read(library)}
    options = ModelOptions(embedding_model=embedding_model, embedding_api_base=embedding_api_base)
    with complaining(), open_embedder(options, None) as embedder:
        found = Retriever(tuple(one.skill for one in skills.values()), embedder).retrieve(task, top)
    if as_json:
        _print_json([{"similarity": one.similarity, **_data(skills[one.skill.id])} for one in found])
        return
    for one in found:
        _echo(f"{one.similarity:.3f}  {one.skill.id}: {one.skill.condition}\n       {one.skill.principle}")


def _read(library: Path) -> tuple[LibrarySkill, ...]:
    from skillsandbox.runtime.skill_library import read_library

    if not library.exists():
        raise click.ClickException(
            f"there is no library {library}; `skillsandbox library add SKILLS --library {library}` makes one"
        )
    with complaining():
        return read_library(library)


def _chosen(path: Path, skills: Sequence[LibrarySkill], *, kept: bool) -> Sequence[LibrarySkill]:
    chosen = [one for one in skills if one.kept] if kept else list(skills)
    if not chosen:
        judged = sum(one.evidence is not None for one in skills)
        raise click.ClickException(
            f"{path} has no skill whose verdict is Keep: {counted(judged, 'skill')} of {len(skills)} "
            "have a verdict; `skillsandbox verify` gives verdicts"
        )
    return chosen


def _conflicts(library: Path, after: Merged) -> str:
    lines = "\n".join(f"  {conflict}" for conflict in after.conflicts)
    return f"nothing was added to {library}:\n{lines}\n  help: give each skill an id of its own."


def _echo(text: str) -> None:
    """Print a text that others wrote, without what would steer a terminal."""
    from skillsandbox.runtime.report import visible

    click.echo(visible(text))


def _data(skill: LibrarySkill) -> Any:
    from skillsandbox.runtime.skill_files import to_data

    return to_data(skill)


def _print_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=1, ensure_ascii=False))
