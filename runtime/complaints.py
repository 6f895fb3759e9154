"""What commands say where a file, a journal, a model or a benchmark fails them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from skillsandbox.runtime.journal import JournalError
from skillsandbox.runtime.models.request import ModelFault
from skillsandbox.runtime.skills import SkillFileError


@contextmanager
def complaining() -> Iterator[None]:
    """End the command with a plain sentence where the body raises one of the faults that a user can mend."""
    try:
        yield
    except (SkillFileError, JournalError, ModelFault) as fault:
        raise click.ClickException(str(fault)) from fault
    except FileExistsError as fault:
        raise click.ClickException(f"{fault.filename} is there already; choose another name") from fault
    except OSError as fault:
        raise click.FileError(str(fault.filename or "the disk"), fault.strerror or str(fault)) from fault
