"""Lock files: Maven artifacts, each with its SHA-256."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path


@dataclass(frozen=True)
class Jar:
    sha256: str
    group: str
    artifact: str
    packaging: str
    classifier: str
    version: str

    @classmethod
    def parse(cls, line: str) -> Jar:
        sha256, coordinate = line.split()
        return cls(sha256, *coordinate.split(":"))

    @property
    def coordinate(self) -> str:
        return ":".join((self.group, self.artifact, self.packaging, self.classifier, self.version))

    @property
    def file_name(self) -> str:
        parts = (self.artifact, self.version, self.classifier)
        return "-".join(part for part in parts if part) + f".{self.packaging}"


@dataclass(frozen=True)
class JarLock:
    jars: tuple[Jar, ...]

    @classmethod
    def parse(cls, text: str) -> JarLock:
        return cls(tuple(Jar.parse(line) for line in text.splitlines() if line.strip()))

    @property
    def text(self) -> str:
        return "".join(f"{jar.sha256}  {jar.coordinate}\n" for jar in self.jars)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def version_of(self, name: str) -> str:
        """Return the version of the jar ``group:artifact``."""
        return next(jar.version for jar in self.jars if f"{jar.group}:{jar.artifact}" == name)


def read_lock(package: str, name: str) -> JarLock:
    """Read a lock file of a package."""
    file = resources.files(package).joinpath(name)
    return JarLock.parse(file.read_text(encoding="utf-8"))


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
