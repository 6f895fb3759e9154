"""Runs of `verify --model` that are killed: `python model_kills.py FOLDER RUNS URL`; see `kills`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from cold_bread import PROGRAM, SKILLS
from kills import kill_at_random

from skillsandbox.envs.alfworld.environment import Alfworld
from skillsandbox.runtime.cli import app
from skillsandbox.runtime.playing import InstalledStage

LIMIT, STEPS = 8, 2
"""How many actions a scenario may need, and how many an episode may take."""


def cut_short(set_attribute: Callable[[object, str, int], None]) -> None:
    """Make scenarios and episodes short."""
    set_attribute(Alfworld, "step_limit", LIMIT)
    set_attribute(InstalledStage, "step_limit", STEPS)


def verify_in(folder: Path, url: str) -> None:
    """Verify with a model at a server, in a folder and with a cache of its own."""
    folder.mkdir(exist_ok=True)
    skills, programs = folder / "skills.json", folder / "bread.scn"
    skills.write_text(json.dumps(SKILLS[:1]))
    programs.write_text(PROGRAM)
    model = ["--model", "openai/scripted", "--api-base", url, "--model-cache", str(folder / "cache")]
    arguments = ["verify", str(skills), "--programs", str(programs), "-o", str(folder / "run"), *model]
    app([*arguments, "--json"], standalone_mode=False)


if __name__ == "__main__":
    cut_short(setattr)
    kill_at_random(Path(sys.argv[1]), int(sys.argv[2]), partial(verify_in, url=sys.argv[3]))
