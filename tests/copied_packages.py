"""A copy of the packages, to carry out the recipes of CONTRIBUTING.md on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("cypher", "docs", "graph", "service", "stratagraph")


def copied_packages(folder: Path) -> Path:
    """Copy the packages into a folder, with what is compiled of them: it fits as long as a file stays as it is."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("*.png"))
    return folder


def insert(path: Path, before: str, line: str) -> None:
    """Put a line before another that stands there once."""
    source = path.read_text(encoding="utf-8")
    assert source.count(before) == 1
    path.write_text(source.replace(before, line + before), encoding="utf-8")


def run(folder: Path, *arguments: str, **environ: str) -> None:
    """Run Python on the copy, and show what it said if it fails."""
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | environ,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
