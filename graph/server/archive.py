"""Class-data archives: classes parsed once, mapped at each later start (half the boot time).

The packaged Java has no base archive and its folder may be read-only, so both archives are in the cache, named by a
hash of their inputs. The JVM ignores one that does not fit.
"""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from graph.server.java import Java, common_options

logger = logging.getLogger(__name__)

DUMP_SECONDS = 120


@dataclass(frozen=True)
class ClassArchive:
    base: Path
    server: Path

    @property
    def is_complete(self) -> bool:
        return self.base.exists() and self.server.exists()

    @property
    def is_settled(self) -> bool:
        """Return whether nothing is left to try: created, or found impossible."""
        return self.is_complete or self.failed.exists()

    @property
    def failed(self) -> Path:
        return self.server.with_suffix(".failed")

    def options(self) -> list[str]:
        if self.is_complete:
            return [f"-XX:SharedArchiveFile={self.base}{os.pathsep}{self.server}"]
        return [f"-XX:SharedArchiveFile={self.base}"] if self.base.exists() else []

    def recording_options(self) -> list[str]:
        """Make the JVM write the server's archive at exit."""
        return [f"-XX:SharedArchiveFile={self.base}", f"-XX:ArchiveClassesAtExit={self.recorded}"]

    @property
    def recorded(self) -> Path:
        # named by process: concurrent recordings do not mix
        return self.server.with_suffix(f".{os.getpid()}")

    def keep_recorded(self) -> None:
        if self.recorded.exists():
            self.recorded.replace(self.server)
        else:
            # recorded, so that later installs do not try again
            self.failed.touch()


def class_archive(cache: Path, java: Java, jars: Path) -> ClassArchive:
    """Path of the class archives for this Java and these jars, whether they exist or not."""
    folder = cache / "classes"
    runtime = _key(java.version, java.path.resolve())
    return ClassArchive(folder / f"{runtime}.jsa", folder / f"{runtime}-{_key(jars.resolve())}.jsa")


def _key(*parts: object) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


def dump_base(archive: ClassArchive, java: Java) -> bool:
    """Create the base archive if it is missing; return whether it exists."""
    if archive.base.exists():
        return True
    # created elsewhere and moved: no process maps a partial archive
    made = archive.base.with_suffix(f".{os.getpid()}")
    made.parent.mkdir(parents=True, exist_ok=True)
    command = [java.path, *common_options(java), "-Xshare:dump", f"-XX:SharedArchiveFile={made}"]
    try:
        subprocess.run(command, capture_output=True, timeout=DUMP_SECONDS, check=True)  # noqa: S603
        made.replace(archive.base)
    except (OSError, subprocess.SubprocessError) as error:
        logger.warning("no class-data archive, starts will be slower: %s", error)
        made.unlink(missing_ok=True)
        archive.failed.touch()
        return False
    return True
