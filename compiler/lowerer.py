"""Lower: from a scenario to the benchmark's own files and the manifest beside them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from skillsandbox.compiler import errors
from skillsandbox.compiler.diagnostics import Diagnostic, Span
from skillsandbox.compiler.environment import Environment, Refused
from skillsandbox.compiler.files import write_whole
from skillsandbox.compiler.manifest import MANIFEST, manifest
from skillsandbox.compiler.scenario import Scenario


def lower(scenario: Scenario, environment: Environment) -> dict[str, str]:
    """Return the text of every file of a scenario by its path: the benchmark's files, and the manifest beside
    them.
    """
    files = dict(sorted(scenario.task(environment).files(scenario.plan).items()))
    hashes = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
    data = {**manifest(scenario, environment), "files": hashes}
    files[f"{_folder(files)}/{MANIFEST}"] = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return files


def _folder(files: Mapping[str, str]) -> str:
    return next(iter(files)).rsplit("/", 1)[0]


def replay(scenario: Scenario, environment: Environment, span: Span) -> Diagnostic | None:
    """Play a scenario's history and plan in the benchmark's official engine; return why they do not win
    there, if so.
    """
    try:
        scenario.task(environment).replay((*scenario.history, *scenario.plan))
    except Refused as refusal:
        return errors.EngineDisagrees(span, str(refusal))
    return None


def save(files: Mapping[str, str], root: Path) -> Path:
    """Write lowered files under a folder, the manifest last; return the folder that holds the manifest."""
    for path, text in files.items():
        write_whole(root / path, text)
    return root / _folder(files)
