"""The list of jars that make up the managed Neo4j, each with its SHA-256."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from graph.server.certificates import system_certificates

if TYPE_CHECKING:
    from jgo.maven import Artifact

THREADS = 8
LOCK_NAME = "jars.lock"

# Declared for compilation by some poms, used only by tests; Neo4j boots and answers without them.
TEST_LIBRARIES = {
    "junit:junit",
    "net.bytebuddy:byte-buddy",
    "net.bytebuddy:byte-buddy-agent",
    "org.hamcrest:hamcrest",
    "org.mockito:mockito-core",
    "org.objenesis:objenesis",
}


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

    @property
    def server_version(self) -> str:
        return self._version_of("org.neo4j:neo4j")

    @property
    def browser_version(self) -> str:
        return self._version_of("org.neo4j.client:neo4j-browser")

    def _version_of(self, name: str) -> str:
        return next(jar.version for jar in self.jars if f"{jar.group}:{jar.artifact}" == name)


def read_lock() -> JarLock:
    file = resources.files("graph.server").joinpath(LOCK_NAME)
    return JarLock.parse(file.read_text(encoding="utf-8"))


def lock_jars(server_version: str, browser_version: str) -> str:
    """Resolve the server and its Browser anew, into the text of a lock file."""
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


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
