"""The recipe of CONTRIBUTING.md for a setting, carried out on a copy of the packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("cypher", "docs", "graph", "service", "stratagraph")
BEFORE = "    min_relevance: float = setting("
NEW = '    patience: float = setting(2.5, "How long to wait.", Range(1, 9), variable="PATIENCE")\n'
CHECK = """
from graph.errors import ConfigurationError, InvalidInputError
from service.bootstrap.configs import configured
from service.settings import load_settings
from service.use_cases.configure import UTILITY
from stratagraph import wire
from stratagraph.fields import UtilityConfigFields

assert configured(load_settings({})).patience == 7.0
field = wire.UtilityConfigRequest.model_json_schema()["properties"]["patience"]
assert field["description"] == "How long to wait."
assert (field["anyOf"][0]["minimum"], field["anyOf"][0]["maximum"]) == (1, 9)
assert "patience" in UtilityConfigFields.__annotations__
try:
    UTILITY.setting("patience").check(10)
except InvalidInputError as error:
    assert error.message == "patience: must be in [1, 9]"
else:
    raise AssertionError("10 was taken")
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package,
            tmp_path / package,
            ignore=shutil.ignore_patterns("__pycache__", "*.png"),
        )
    return tmp_path


def run(folder: Path, *arguments: str) -> None:
    environ = os.environ | {"PYTHONPATH": str(folder), "PATIENCE": "7"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_one_line_declares_a_setting_and_the_generator_does_the_rest(copy: Path) -> None:
    declared = copy / "graph" / "model" / "utility.py"
    source = declared.read_text(encoding="utf-8")
    assert source.count(BEFORE) == 1
    declared.write_text(source.replace(BEFORE, NEW + BEFORE), encoding="utf-8")
    run(copy, "docs/generate.py")
    run(copy, "-c", CHECK)
    row = "| `patience` | `STRATAGRAPH_PATIENCE`, `PATIENCE` | `2.5` | [1, 9] | utility |"
    assert row in (copy / "docs" / "settings.md").read_text(encoding="utf-8")
