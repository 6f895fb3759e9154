"""What a language model proposed, in a run's folder: each candidate with the conversation that led to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from skillsandbox.compiler.files import write_whole
from skillsandbox.runtime.results import SkillResult, Verification
from skillsandbox.runtime.stage import BuiltScenario

FOLDER = "proposals"


def write_proposals(verification: Verification, folder: Path) -> None:
    """Write a file for each skill that a model wrote for, or would not, by its number in the report."""
    for number, result in enumerate(verification.results, 1):
        proposals = list(_proposals(result))
        if proposals:
            data = {"skill": result.skill.id, "proposals": proposals}
            text = json.dumps(data, indent=1) + "\n"
            write_whole(folder / FOLDER / f"{number}.json", text)


def _proposals(result: SkillResult) -> Iterator[dict[str, Any]]:
    for attempt in result.building.attempts:
        if attempt.candidate.transcript:
            outcome = attempt.result
            built = outcome.digest if isinstance(outcome, BuiltScenario) else None
            complaints = () if isinstance(outcome, BuiltScenario) else outcome.complaints
            yield {**msgspec.to_builtins(attempt.candidate), "digest": built, "complaints": complaints}
    declined = result.building.declined
    if declined is not None and declined.transcript:
        yield msgspec.to_builtins(declined)
