"""Disk space and temporary files of Neo4j: a database that cannot append to its log stops until a restart."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from graph.kernel.errors import DiskFullError

# With less than this, Neo4j does not even start.
LEAST_BYTES = 32 * 2**20


@dataclass(frozen=True)
class DiskReserve:
    """Free disk space that is reserved beside a home."""

    home: Path
    reserve_bytes: int

    def free_bytes(self) -> int:
        """Free bytes on the disk of the data."""
        data = self.home / "data"
        # a missing home is on the disk of its nearest existing parent
        place = next(folder for folder in (data, *data.parents) if folder.exists())
        return shutil.disk_usage(place).free

    def has_room(self) -> bool:
        """Return whether Neo4j may write, or be started."""
        return self.free_bytes() >= max(self.reserve_bytes, LEAST_BYTES)

    def check(self) -> None:
        """Refuse a write while less than the reserve is free.

        Raises
        ------
        DiskFullError
            If less is free than is held back; the message says how much.
        """
        free = self.free_bytes()
        if free < self.reserve_bytes:
            raise DiskFullError(
                f"the disk is nearly full: {free // 2**20} MB left of the "
                f"{self.reserve_bytes // 2**20} MB that Neo4j needs in reserve; nothing is written "
                "until space is freed; a recall without a task goes on"
            )


def temporary_folder(home: Path) -> Path:
    return home / "tmp"


def fresh_temporary_folder(home: Path) -> None:
    """Create the folder, without files of a killed server."""
    remove_temporary_folder(home)
    temporary_folder(home).mkdir(mode=0o700, exist_ok=True)


def remove_temporary_folder(home: Path) -> None:
    shutil.rmtree(temporary_folder(home), ignore_errors=True)
