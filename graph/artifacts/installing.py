"""Downloads locked jars into a folder: each is verified by its hash, all are moved into place together."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import truststore
from filelock import FileLock

from graph.artifacts.lock import Jar, JarLock, sha256_of
from graph.kernel.errors import DownloadError, HomeNotWritableError


@contextmanager
def system_certificates() -> Generator[None]:
    """Within the block, downloads use the system's certificates and log nothing."""
    loggers = [logging.getLogger(name) for name in ("jgo", "urllib3")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    truststore.inject_into_ssl()
    try:
        yield
    finally:
        truststore.extract_from_ssl()
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


Progress = Callable[[int, int, str], None]
Received = Callable[[int, int], None]
Fetch = Callable[[Jar], Path]

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENOENT, errno.EEXIST}
THREADS = 8
ATTEMPTS = 2
PAUSE_SECONDS = 1.0
TIMEOUT_SECONDS = 60
OFFLINE_HINT = (
    "Without a connection: copy the jars from a machine that has them, then "
    "`stratagraph neo4j install --from-folder FOLDER`."
)


@dataclass(frozen=True)
class Product:
    """A group of locked jars: its folder in the cache, and its name in messages."""

    name: str
    folder: str
    megabytes: int
    lock: JarLock
    lock_file: str
    hint: str = OFFLINE_HINT
    unpacked: tuple[tuple[str, str], ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Files that must exist before use: the jars, or files extracted from them."""
        if self.unpacked:
            return tuple(name for _, name in self.unpacked)
        return tuple(jar.file_name for jar in self.lock.jars)


def install(
    product: Product,
    cache: Path,
    *,
    progress: Progress,
    from_folder: Path | None = None,
    remote_repos: Mapping[str, str] | None = None,
) -> Path:
    """Download missing files, and return the complete folder of a product.

    ``progress`` gets the number of completed jars, or for a product of one jar its megabytes.

    Raises
    ------
    DownloadError
        If a jar cannot be fetched, is not the locked one, or the disk is full.
    HomeNotWritableError
        If the cache cannot be written.
    """
    # the usual case needs no lock
    if ready := installed(product, cache):
        return ready
    target = _target(product, cache)
    with _converted_errors(product, cache):
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{target}.lock"):
            # another process may have installed it meanwhile
            if not installed(product, cache):
                _fill(product, target, progress, from_folder, remote_repos)
    return target


def installed(product: Product, cache: Path) -> Path | None:
    """Return the complete folder of a product, or None."""
    target = _target(product, cache)
    try:
        present = set(os.listdir(target))  # noqa: PTH208 - one call, not a Path per jar
    except OSError:
        return None
    return target if present.issuperset(product.files) else None


def _target(product: Product, cache: Path) -> Path:
    return cache / product.folder / product.lock.digest


def _fill(
    product: Product,
    target: Path,
    progress: Progress,
    from_folder: Path | None,
    remote_repos: Mapping[str, str] | None,
) -> None:
    staging = target.with_name(f"{target.name}.staging")
    verified = staging / "verified"
    # an incomplete folder: its files are verified, not downloaded again
    if target.exists() and not verified.exists():
        staging.mkdir(exist_ok=True)
        target.replace(verified)
    verified.mkdir(parents=True, exist_ok=True)
    if from_folder:
        fetch, certificates = _from_folder(product, from_folder, staging), nullcontext()
    else:
        received = _megabytes(product, progress)
        fetch = _from_registry(staging / "maven", remote_repos, received)
        certificates = system_certificates()
    with certificates:
        _verify_all(product.lock, verified, fetch, progress)
    _unpack(product, verified)
    shutil.rmtree(target, ignore_errors=True)
    # moved as a whole: no process sees a partial folder
    verified.replace(target)
    shutil.rmtree(staging, ignore_errors=True)


def _megabytes(product: Product, progress: Progress) -> Received | None:
    if len(product.lock.jars) > 1:
        return None
    return lambda got, total: progress(got >> 20, total >> 20, product.name)


def _verify_all(lock: JarLock, verified: Path, fetch: Fetch, progress: Progress) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        futures: dict[Future[None], Jar] = {
            pool.submit(_verify, jar, verified, fetch): jar for jar in lock.jars
        }
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                if len(futures) > 1:
                    progress(done, len(futures), futures[future].file_name)
        # or the other downloads would continue in the background
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _verify(jar: Jar, verified: Path, fetch: Fetch) -> None:
    place = verified / jar.file_name
    if place.exists() and sha256_of(place) == jar.sha256:
        return
    found = ""
    # twice: the resolver returns a truncated jar as resolved (ADR 10)
    for _ in range(ATTEMPTS):
        fetched = fetch(jar)
        found = sha256_of(fetched)
        if found == jar.sha256:
            fetched.replace(place)
            return
        fetched.unlink()
    raise DownloadError(
        f"{jar.coordinate} is not the locked jar: expected SHA-256 {jar.sha256}, got {found}. "
        "It was cut off or altered on its way; try again, or from another network. " + OFFLINE_HINT
    )


def _unpack(product: Product, verified: Path) -> None:
    for jar in product.lock.jars if product.unpacked else ():
        with ZipFile(verified / jar.file_name) as archive:
            for member, name in product.unpacked:
                with archive.open(member) as packed, (verified / name).open("wb") as file:
                    shutil.copyfileobj(packed, file)


def _from_folder(product: Product, folder: Path, staging: Path) -> Fetch:
    jars = product.lock.jars
    found = {path.name: path for path in folder.rglob("*.jar")}
    if missing := [jar for jar in jars if jar.file_name not in found]:
        names = ", ".join(jar.file_name for jar in missing[:5])
        raise DownloadError(
            f"{product.name}: {len(missing)} of {len(jars)} jars are not in {folder}: {names}"
            f"{', …' if missing[5:] else ''}. Copy them there; the full list is in "
            f"{product.lock_file}."
        )

    def fetch(jar: Jar) -> Path:
        return Path(shutil.copyfile(found[jar.file_name], staging / jar.file_name))

    return fetch


def _from_registry(
    repo_cache: Path, remote_repos: Mapping[str, str] | None, received: Received | None
) -> Fetch:
    from jgo.maven import MavenContext, PythonResolver

    context = MavenContext(
        resolver=PythonResolver(progress_callback=_listener(received) if received else None),
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
            # a retry does not free disk space
            if error.errno in FULL | NOT_WRITABLE:
                raise
        except RuntimeError:
            pass
        time.sleep(PAUSE_SECONDS)
        try:
            return fetch_once(jar)
        except RuntimeError as error:
            raise DownloadError(
                f"{jar.coordinate} is missing or refused at "
                f"{', '.join(context.remote_repos.values())}. {OFFLINE_HINT}"
            ) from error

    return fetch


def _listener(
    received: Received,
) -> Callable[[str, int], AbstractContextManager[Callable[[int], None]]]:
    def listen(_name: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        got = 0

        def add(count: int) -> None:
            nonlocal got
            got += count
            received(got, total)

        return nullcontext(add)

    return listen


@contextmanager
def _converted_errors(product: Product, cache: Path) -> Generator[None]:
    """Convert errors of system and network to ours."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise DownloadError(
                f"No space left in {cache} while fetching {product.name} (it needs about "
                f"{product.megabytes} MB). Free some, or set STRATAGRAPH_CACHE to a folder on "
                "another disk; what was fetched is kept."
            ) from error
        if error.errno in NOT_WRITABLE:
            raise HomeNotWritableError(
                f"Cannot use {error.filename or cache}: {error.strerror}. Make the folder "
                "writable, or set STRATAGRAPH_CACHE to one that is."
            ) from error
        raise DownloadError(
            f"The Maven repository cannot be reached: {error}. {product.name} is fetched once, on "
            f"first use; check the network and proxy settings. {product.hint}"
        ) from error
