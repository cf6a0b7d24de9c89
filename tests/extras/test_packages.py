"""Every extra that pyproject.toml offers is in the lock that these tests run on."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OFFERED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
NAMES = sorted({re.split(r"[<>=\[;]", line)[0] for group in OFFERED.values() for line in group})


@pytest.mark.parametrize("name", NAMES)
def test_every_package_of_an_extra_is_installed(name: str) -> None:
    assert version(name)
