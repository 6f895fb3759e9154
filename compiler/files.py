"""Writing files that others read: whole or not at all."""

from __future__ import annotations

import os
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
