"""What takes long to import is imported where it is needed, not at every start."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("started", "spared"),
    [
        ("service.cli", ["mcp", "fastapi"]),
        ("stratagraph.cli", ["pydantic", "httpx", "graph", "service"]),
        ("service.cli.web", ["mcp"]),
    ],
)
def test_a_start_spares(started: str, spared: list[str]) -> None:
    asked = f"import sys, {started}; print([n for n in {spared!r} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
