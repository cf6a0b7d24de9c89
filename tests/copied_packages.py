"""A copy of the packages, for the recipes of CONTRIBUTING.md."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("cypher", "docs", "graph", "service", "stratagraph")


def copied_packages(folder: Path) -> Path:
    """Copy the packages into a folder, with their compiled files, which stay valid for unchanged sources."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("*.png"))
    return folder


def insert(path: Path, before: str, line: str) -> None:
    """Insert a line before a unique one."""
    source = path.read_text(encoding="utf-8")
    assert source.count(before) == 1
    path.write_text(source.replace(before, line + before), encoding="utf-8")


def run(folder: Path, *arguments: str, **environ: str) -> None:
    """Run Python on the copy, and show its output if it fails."""
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | environ,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
