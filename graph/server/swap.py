"""Atomic replacement of a home's store by another.

The old data are kept beside the new ones until these are accepted. If both exist when a home is opened, the old ones
are restored.
"""

from __future__ import annotations

import shutil
from pathlib import Path

DATABASE = "neo4j"
STAGE = "loading"
KEPT = "data.before-load"


def store_paths(data: Path) -> tuple[Path, Path]:
    """Return the folders of the graph itself; the others of `data` are the server's."""
    return data / "databases" / DATABASE, data / "transactions" / DATABASE


def has_graph(home: Path) -> bool:
    return store_paths(home / "data")[0].exists()


def graph_bytes(home: Path) -> int:
    """Bytes on disk of the graph and its transaction logs."""
    return sum(folder_bytes(folder) for folder in store_paths(home / "data"))


def folder_bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            # a folder may change during a walk
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue  # removed by a running server
    return total


def fresh_stage(home: Path) -> Path:
    """Create an empty folder on the same disk."""
    clear_stage(home)
    (home / STAGE).mkdir(mode=0o700)
    return home / STAGE


def clear_stage(home: Path) -> None:
    shutil.rmtree(home / STAGE, ignore_errors=True)


def complete_stage(home: Path) -> None:
    """Copy the server's own data to the staged graph: its users, and its identity."""
    data, staged = home / "data", home / STAGE / "data"
    # the graph itself is not copied: it may be large
    ours = {path: path.name for path in store_paths(data)}

    def leave_out(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if Path(folder) / name in ours}

    shutil.copytree(data, staged, ignore=leave_out, dirs_exist_ok=True)


def put_in_place(home: Path) -> None:
    """Move the staged data into the place of the home's own, which are kept."""
    # two renames: in between neither is in place, which the next opening undoes
    (home / "data").rename(home / KEPT)
    (home / STAGE / "data").rename(home / "data")


def accept(home: Path) -> None:
    """Remove the old data, which is final."""
    # leftovers first: a rename needs the name free
    clear_stage(home)
    # the rename is decisive; the removal may take long
    (home / KEPT).rename(home / STAGE)
    clear_stage(home)


def load_is_unfinished(home: Path) -> bool:
    return (home / KEPT).exists()


def undo_unfinished_load(home: Path) -> bool:
    """Restore the old data if new ones were not accepted; return whether it was so."""
    if not load_is_unfinished(home):
        return False
    clear_stage(home)
    # new data in place are moved away first
    if (home / "data").exists():
        (home / "data").rename(home / STAGE)
    (home / KEPT).rename(home / "data")
    clear_stage(home)
    return True
