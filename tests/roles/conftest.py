"""Fixtures of the tests of roles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from endpoint import Endpoint, endpoint
from scripted import ScriptedServer


@pytest.fixture
def scripted(server: ScriptedServer, tmp_path: Path) -> Iterator[Endpoint]:
    """A model whose replies the test says."""
    with endpoint(server, tmp_path / "cache") as opened:
        yield opened
