"""What commands say where a file, a journal, a model or a benchmark fails them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from skillsandbox.compiler.environment import Unavailable
from skillsandbox.compiler.manifest import ManifestError
from skillsandbox.runtime.journal import JournalError
from skillsandbox.runtime.models.request import ModelFault
from skillsandbox.runtime.skills import SkillFileError


@contextmanager
def complaining() -> Iterator[None]:
    """End the command with a plain sentence where the body raises one of the faults that a user can mend."""
    try:
        yield
    except (SkillFileError, JournalError, ManifestError, ModelFault) as fault:
        raise click.ClickException(str(fault)) from fault
    except FileExistsError as fault:
        raise click.ClickException(f"{fault.filename} is there already; choose another name") from fault
    except OSError as fault:
        raise click.FileError(str(fault.filename or "the disk"), fault.strerror or str(fault)) from fault


class Unfinished(click.ClickException):
    """A run stopped before its end, and can be continued."""

    exit_code = 3


class Interrupted(click.ClickException):
    """A person stopped a run, which can be continued."""

    exit_code = 130


@contextmanager
def continuable(folder: Path) -> Iterator[None]:
    """End the command where a run in a folder stops before its end, and say how it is continued."""
    kept = f"What is finished is kept in {folder}: the same command goes on from there."
    try:
        yield
    except (ModelFault, Unavailable) as fault:
        raise Unfinished(f"{fault}\n{kept}") from fault
    except ManifestError as fault:
        anew = f"The run cannot go on with it: use another folder, or delete {folder} to start anew."
        raise click.ClickException(f"{fault}\n{anew}") from fault
    except KeyboardInterrupt as fault:
        raise Interrupted(f"interrupted\n{kept}") from fault
