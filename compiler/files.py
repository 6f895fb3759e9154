"""Writing files that others read: whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex


def write_whole(path: Path, text: str) -> None:
    """Write a text in UTF-8 under a temporary name, then give it its own; folders are made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f".{path.name}.{token_hex(8)}"
    # The system applies the umask: to ask for it, one has to set it, which other threads would notice.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def refuse_taken(folder: Path) -> None:
    """Raise `FileExistsError` if something is there already, other than an empty folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Make a new folder: the body fills a draft, which is given the folder's name when it is complete.

    Raises:
        FileExistsError: the name is taken.
    """
    refuse_taken(folder)
    draft = folder.parent / f".{folder.name}.{token_hex(8)}"
    draft.mkdir(parents=True)
    try:
        yield draft
        os.replace(draft, folder)
    except BaseException:
        import shutil

        shutil.rmtree(draft)
        raise
