"""The folder of a home for the JVM's temporary files: empty at each start, removed at each stop."""

from __future__ import annotations

import shutil
from pathlib import Path


def temporary_folder(home: Path) -> Path:
    return home / "tmp"


def fresh_temporary_folder(home: Path) -> None:
    """Make the folder, without what a killed server left in it."""
    remove_temporary_folder(home)
    temporary_folder(home).mkdir(mode=0o700, exist_ok=True)


def remove_temporary_folder(home: Path) -> None:
    shutil.rmtree(temporary_folder(home), ignore_errors=True)
