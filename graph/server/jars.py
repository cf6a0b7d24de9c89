"""Fetching the jars of Neo4j: each verified by its hash, all moved into place at once.

`python -m graph.server.jars [SERVER_VERSION BROWSER_VERSION]` resolves them anew
and writes the lock.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager, nullcontext
from pathlib import Path

from filelock import FileLock

from graph.errors import HomeNotWritableError, JarDownloadError
from graph.server.certificates import system_certificates
from graph.server.lock import (
    LOCK_NAME,
    THREADS,
    Jar,
    JarLock,
    lock_jars,
    read_lock,
    sha256_of,
)

__all__ = ["JarLock", "install_jars", "installed_jars", "lock_jars", "read_lock"]

Progress = Callable[[int, int, str], None]
Fetch = Callable[[Jar], Path]

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENOENT, errno.EEXIST}
NEEDED_MEGABYTES = 400
ATTEMPTS = 2
PAUSE_SECONDS = 1.0
TIMEOUT_SECONDS = 60
OFFLINE_HINT = (
    "Without a connection: copy the jars from a machine that has them, then "
    "`stratagraph neo4j install --from-folder FOLDER`."
)


def install_jars(
    cache: Path,
    *,
    progress: Progress,
    from_folder: Path | None = None,
    remote_repos: Mapping[str, str] | None = None,
    lock: JarLock | None = None,
) -> Path:
    """Fetch what is missing, and return the folder with every locked jar."""
    lock = lock or read_lock()
    if ready := installed_jars(cache, lock):
        return ready
    target = _target(cache, lock)
    with _explained(cache):
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{target}.lock"):
            if not installed_jars(cache, lock):
                _fill(target, lock, progress, from_folder, remote_repos)
    return target


def installed_jars(cache: Path, lock: JarLock | None = None) -> Path | None:
    """Find the folder with every locked jar; None while any is missing."""
    lock = lock or read_lock()
    target = _target(cache, lock)
    try:
        present = set(os.listdir(target))  # noqa: PTH208 - one call, not a Path per jar
    except OSError:
        return None
    return target if present.issuperset(jar.file_name for jar in lock.jars) else None


def _target(cache: Path, lock: JarLock) -> Path:
    return cache / "jars" / lock.digest


def _fill(
    target: Path,
    lock: JarLock,
    progress: Progress,
    from_folder: Path | None,
    remote_repos: Mapping[str, str] | None,
) -> None:
    staging = target.with_name(f"{target.name}.staging")
    verified = staging / "verified"
    if target.exists() and not verified.exists():
        staging.mkdir(exist_ok=True)
        target.replace(verified)
    verified.mkdir(parents=True, exist_ok=True)
    if from_folder:
        fetch, certificates = _from_folder(from_folder, staging, lock), nullcontext()
    else:
        fetch, certificates = _from_registry(staging / "maven", remote_repos), system_certificates()
    with certificates:
        _verify_all(lock, verified, fetch, progress)
    shutil.rmtree(target, ignore_errors=True)
    verified.replace(target)
    shutil.rmtree(staging, ignore_errors=True)


def _verify_all(lock: JarLock, verified: Path, fetch: Fetch, progress: Progress) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        futures: dict[Future[None], Jar] = {
            pool.submit(_verify, jar, verified, fetch): jar for jar in lock.jars
        }
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                progress(done, len(futures), futures[future].file_name)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _verify(jar: Jar, verified: Path, fetch: Fetch) -> None:
    place = verified / jar.file_name
    if place.exists() and sha256_of(place) == jar.sha256:
        return
    found = ""
    for _ in range(ATTEMPTS):
        fetched = fetch(jar)
        found = sha256_of(fetched)
        if found == jar.sha256:
            fetched.replace(place)
            return
        fetched.unlink()
    raise JarDownloadError(
        f"{jar.coordinate} is not the locked jar: expected SHA-256 {jar.sha256}, got {found}. "
        "It was cut off or altered on its way; try again, or from another network. " + OFFLINE_HINT
    )


def _from_folder(folder: Path, staging: Path, lock: JarLock) -> Fetch:
    found = {path.name: path for path in folder.rglob("*.jar")}
    if missing := [jar for jar in lock.jars if jar.file_name not in found]:
        names = ", ".join(jar.file_name for jar in missing[:5])
        raise JarDownloadError(
            f"{len(missing)} of {len(lock.jars)} jars are not in {folder}: {names}"
            f"{', …' if missing[5:] else ''}. Copy them there; the full list is in "
            f"graph/server/{LOCK_NAME}."
        )

    def fetch(jar: Jar) -> Path:
        return Path(shutil.copyfile(found[jar.file_name], staging / jar.file_name))

    return fetch


def _from_registry(repo_cache: Path, remote_repos: Mapping[str, str] | None) -> Fetch:
    from jgo.maven import MavenContext

    context = MavenContext(
        repo_cache=repo_cache,
        remote_repos=dict(remote_repos) if remote_repos else None,
        timeout=TIMEOUT_SECONDS,
    )

    def fetch_once(jar: Jar) -> Path:
        component = context.project(jar.group, jar.artifact).at_version(jar.version)
        return Path(component.artifact(jar.classifier, jar.packaging).resolve())

    def fetch(jar: Jar) -> Path:
        try:
            return fetch_once(jar)
        except OSError as error:
            if error.errno in FULL | NOT_WRITABLE:
                raise
        except RuntimeError:
            pass
        time.sleep(PAUSE_SECONDS)
        try:
            return fetch_once(jar)
        except RuntimeError as error:
            raise JarDownloadError(
                f"{jar.coordinate} is missing or refused at "
                f"{', '.join(context.remote_repos.values())}. {OFFLINE_HINT}"
            ) from error

    return fetch


@contextmanager
def _explained(cache: Path) -> Generator[None]:
    """Raise what the system or the network refuses as one of our errors."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise JarDownloadError(
                f"No space left in {cache} while fetching Neo4j (it needs about "
                f"{NEEDED_MEGABYTES} MB). Free some, or set STRATAGRAPH_CACHE to a folder on "
                "another disk; what was fetched is kept."
            ) from error
        if error.errno in NOT_WRITABLE:
            raise HomeNotWritableError(
                f"Cannot use {error.filename or cache}: {error.strerror}. Make the folder "
                "writable, or set STRATAGRAPH_CACHE to one that is."
            ) from error
        raise JarDownloadError(
            f"The Maven repository cannot be reached: {error}. Neo4j is fetched once, on first "
            f"use; check the network and proxy settings. {OFFLINE_HINT}"
        ) from error


def _write_lock(versions: list[str]) -> None:
    if not versions:
        current = read_lock()
        versions = [current.server_version, current.browser_version]
    server, browser = versions
    text = lock_jars(server, browser)
    Path(__file__).with_name(LOCK_NAME).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{LOCK_NAME}: {len(text.splitlines())} jars of Neo4j {server}\n")


if __name__ == "__main__":
    _write_lock(sys.argv[1:])
