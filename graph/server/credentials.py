"""The managed server's password: random, created once, readable by its owner only."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

from graph.kernel.errors import ServerStartError
from graph.server.records import write_atomically

USERNAME = "neo4j"
ITERATIONS = 1024


def password_file(home: Path) -> Path:
    return home / "neo4j-password"


def read_password(home: Path) -> str:
    return password_file(home).read_text(encoding="utf-8").strip()


def ensure_password(home: Path) -> None:
    """Create the password, and set it for a server that was never started."""
    file = password_file(home)
    data = home / "data"
    if not file.exists():
        if (data / "databases").exists():
            # a new password would lock out an existing graph
            raise ServerStartError(
                f"{data} holds a graph, but the file with its password, {file}, is gone. Put the "
                "file back (the password alone, one line), or choose another STRATAGRAPH_HOME."
            )
        write_atomically(file, secrets.token_urlsafe(24) + "\n")
    if not (data / "databases").exists():
        (data / "dbms").mkdir(parents=True, exist_ok=True)
        # written directly, which saves a JVM start (ADR 10)
        line = initial_credentials(read_password(home), secrets.token_bytes(32))
        write_atomically(data / "dbms" / "auth.ini", line)


def initial_credentials(password: str, salt: bytes) -> str:
    """Return the line that `neo4j-admin dbms set-initial-password` writes."""
    digest = salt + password.encode()
    for _ in range(ITERATIONS):
        digest = hashlib.sha256(digest).digest()
    return f"{USERNAME}:SHA-256,{digest.hex()},{salt.hex()},{ITERATIONS}:\n"
