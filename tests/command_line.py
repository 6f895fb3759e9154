"""The command line as tests call it: in a folder of a user's, or in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import attrs
from click.testing import CliRunner, Result

from skillsandbox.runtime.cli import NAME, app

DONE, FAULTY, MISUSED = 0, 1, 2


@attrs.frozen
class Place:
    """A folder of a user's, and the command line as it is called there."""

    folder: Path
    runner: CliRunner

    def run(self, *arguments: str, input: str | bytes | None = None) -> Result:
        """Call the command line; whatever is not an answer of the command line's is raised."""
        result = self.runner.invoke(app, list(arguments), prog_name=NAME, input=input, catch_exceptions=False)
        assert "Traceback" not in result.output
        return result

    def write(self, name: str, content: str | bytes) -> str:
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return name


def process(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    code = "from skillsandbox.runtime.cli import main; main()"
    environment = {**os.environ, **(env or {})}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment, check=False
    )


def loaded_by_check(path: str) -> set[str]:
    """Return the modules that a process has loaded after checking a program in which nothing is wrong."""
    code = (
        "import sys\nfrom skillsandbox.runtime.cli import app\n"
        f"try: app(['check', {path!r}])\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())
