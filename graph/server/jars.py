"""The jars of Neo4j in the cache.

`python -m graph.server.jars [SERVER_VERSION BROWSER_VERSION]` resolves them anew
and writes the lock.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from graph.artifacts.installing import Product, Progress, install, installed
from graph.artifacts.lock import JarLock
from graph.server.lock import LOCK_NAME, browser_version, lock_jars, server_lock, server_version


def neo4j(lock: JarLock | None = None) -> Product:
    """Describe the managed Neo4j as something to fetch."""
    return Product("Neo4j", "jars", 400, lock or server_lock(), f"graph/server/{LOCK_NAME}")


def install_jars(
    cache: Path,
    *,
    progress: Progress,
    from_folder: Path | None = None,
    remote_repos: Mapping[str, str] | None = None,
    lock: JarLock | None = None,
) -> Path:
    """Fetch what is missing, and return the folder with every locked jar."""
    return install(
        neo4j(lock), cache, progress=progress, from_folder=from_folder, remote_repos=remote_repos
    )


def installed_jars(cache: Path, lock: JarLock | None = None) -> Path | None:
    """Find the folder with every locked jar; None while any is missing."""
    return installed(neo4j(lock), cache)


def _write_lock(versions: list[str]) -> None:
    if not versions:
        current = server_lock()
        versions = [server_version(current), browser_version(current)]
    server, browser = versions
    text = lock_jars(server, browser)
    Path(__file__).with_name(LOCK_NAME).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{LOCK_NAME}: {len(text.splitlines())} jars of Neo4j {server}\n")


if __name__ == "__main__":
    _write_lock(sys.argv[1:])
