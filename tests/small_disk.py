"""A small disk: a file system of its own, in memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

SmallDisk = Callable[[int], Path]


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[SmallDisk]:
    """Mount an empty disk of some bytes; skips where that is not allowed."""
    mounted: list[Path] = []

    def mount(size: int) -> Path:
        if not sys.platform.startswith("linux"):
            pytest.skip("a small disk is made with tmpfs, which is Linux's")
        folder = tmp_path / f"disk-{len(mounted)}"
        folder.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "stratagraph-test", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            pytest.skip(f"a small disk needs the right to mount: {done.stderr.strip()}")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "--lazy", folder], check=True)
