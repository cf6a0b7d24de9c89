"""Jars of the managed Neo4j: resolved into a lock file, and downloaded into the cache."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from graph.artifacts.installing import (
    THREADS,
    Product,
    Progress,
    install,
    installed,
    system_certificates,
)
from graph.artifacts.lock import Jar, JarLock, read_lock, sha256_of

if TYPE_CHECKING:
    from jgo.maven import Artifact

LOCK_NAME = "jars.lock"

# Declared by some poms for compilation, but only used by tests; Neo4j runs without them.
TEST_LIBRARIES = {
    "junit:junit",
    "net.bytebuddy:byte-buddy",
    "net.bytebuddy:byte-buddy-agent",
    "org.hamcrest:hamcrest",
    "org.mockito:mockito-core",
    "org.objenesis:objenesis",
}


def server_lock() -> JarLock:
    """Read the committed lock of the server's jars."""
    return read_lock("graph.server", LOCK_NAME)


def server_version(lock: JarLock | None = None) -> str:
    """Return the Neo4j of a lock, or of the committed one."""
    return (lock or server_lock()).version_of("org.neo4j:neo4j")


def browser_version(lock: JarLock) -> str:
    return lock.version_of("org.neo4j.client:neo4j-browser")


def lock_jars(server_version: str, browser_version: str) -> str:
    """Resolve the server and its Browser again; return the text of a lock file."""
    with TemporaryDirectory() as folder, system_certificates():
        artifacts = _resolve(server_version, browser_version, Path(folder))
        with ThreadPoolExecutor(THREADS) as pool:
            jars = sorted(pool.map(_locked, artifacts), key=lambda jar: jar.coordinate)
    return JarLock(tuple(jars)).text


def _resolve(server_version: str, browser_version: str, folder: Path) -> list[Artifact]:
    from jgo.maven import MavenContext

    context = MavenContext(repo_cache=folder, timeout=60)
    wanted = (
        f"org.neo4j:neo4j:{server_version}",
        f"org.neo4j.client:neo4j-browser:{browser_version}",
    )
    inputs, transitive = context.resolver.resolve([context.create_dependency(w) for w in wanted])
    return [
        dependency.artifact
        for dependency in (*inputs, *transitive)
        # not needed at run time
        if dependency.scope not in {"test", "provided"}
        and f"{dependency.groupId}:{dependency.artifactId}" not in TEST_LIBRARIES
    ]


def _locked(artifact: Artifact) -> Jar:
    return Jar(
        sha256_of(Path(artifact.resolve())),
        artifact.groupId,
        artifact.artifactId,
        artifact.packaging,
        artifact.classifier,
        artifact.version,
    )


def neo4j(lock: JarLock | None = None) -> Product:
    """Describe the managed Neo4j as a product to install."""
    return Product("Neo4j", "jars", 400, lock or server_lock(), f"graph/server/{LOCK_NAME}")


def install_jars(
    cache: Path,
    *,
    progress: Progress,
    from_folder: Path | None = None,
    remote_repos: Mapping[str, str] | None = None,
    lock: JarLock | None = None,
) -> Path:
    """Download missing jars, and return the folder with every locked jar."""
    return install(
        neo4j(lock), cache, progress=progress, from_folder=from_folder, remote_repos=remote_repos
    )


def installed_jars(cache: Path, lock: JarLock | None = None) -> Path | None:
    """Return the folder with every locked jar, or None."""
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
