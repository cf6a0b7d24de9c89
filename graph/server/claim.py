"""Exclusive lock of a process on a home folder."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from graph.kernel.errors import HomeInUseError, HomeNotWritableError
from graph.server.records import read_service


class HomeClaim:
    """A lock on a home, released by the system when its holder dies."""

    def __init__(self, home: Path) -> None:
        self._home = home
        # timeout 0: the second process fails at once
        self._lock = FileLock(home / ".lock", timeout=0, thread_local=False)

    def take(self) -> None:
        if self._lock.is_locked:
            return
        try:
            self._home.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock.acquire()
        except Timeout as error:
            raise in_use(self._home) from error
        except OSError as error:
            raise not_writable(self._home, error) from error

    def release(self) -> None:
        self._lock.release()


def in_use(home: Path) -> HomeInUseError:
    service = read_service(home)
    if service is None:
        return HomeInUseError(
            f"Another process starts or stops Neo4j on {home}. Try again in a moment."
        )
    return HomeInUseError(
        f"A Stratagraph service (process {service.pid}) works on {home} and answers at "
        f"{service.api_url}. Use that one, stop it, or choose another STRATAGRAPH_HOME."
    )


def not_writable(home: Path, error: OSError) -> HomeNotWritableError:
    return HomeNotWritableError(
        f"Cannot write {error.filename or home}: {error.strerror}. Make it writable, free space "
        "there, or set STRATAGRAPH_HOME to another folder."
    )
