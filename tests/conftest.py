"""Fixtures that tests of several parts share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scripted import ScriptedServer, serve


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """Serve the OpenAI API on loopback; a test sets `server.script`."""
    with serve() as running:
        yield running
