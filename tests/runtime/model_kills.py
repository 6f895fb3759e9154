"""Runs of `verify --model` that are killed: `python model_kills.py FOLDER RUNS URL`; see `kills`."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

from cold_bread import PROGRAM, SKILLS
from kills import kill_at_random

from skillsandbox.runtime.cli import app
from skillsandbox.runtime.playing import InstalledStage

STEPS = 2


def verify_in(folder: Path, url: str) -> None:
    """Verify with a model at a server, in a folder and with a cache of its own; episodes are short."""
    InstalledStage.step_limit = STEPS  # type: ignore[assignment,method-assign]
    folder.mkdir(exist_ok=True)
    skills, programs = folder / "skills.json", folder / "bread.scn"
    skills.write_text(json.dumps(SKILLS[:1]))
    programs.write_text(PROGRAM)
    model = ["--model", "openai/scripted", "--api-base", url, "--model-cache", str(folder / "cache")]
    arguments = ["verify", str(skills), "--programs", str(programs), "-o", str(folder / "run"), *model]
    app([*arguments, "--json"], standalone_mode=False)


if __name__ == "__main__":
    kill_at_random(Path(sys.argv[1]), int(sys.argv[2]), partial(verify_in, url=sys.argv[3]))
