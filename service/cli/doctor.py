"""`stratagraph doctor`: everything the service needs, and what to do about what is missing."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import typer

from graph.errors import StratagraphError
from service.bootstrap.managed import build_server, is_installed, read_service
from service.cli.database import home_of, managed_connection, named_connection
from service.settings import Settings, load_settings

LEAST_FREE_BYTES = 1024**3
PYTHONS = ((3, 11), (3, 14))
PROBE_SECONDS = 5.0


@dataclass(frozen=True)
class Finding:
    """One thing looked at; with a remedy when it is wrong."""

    what: str
    found: str
    remedy: str | None = None


def doctor() -> None:
    """Check everything, say what to do, and end with 1 if something is wrong."""
    settings = load_settings()
    wrong = 0
    for finding in examine(settings):
        mark = "ok " if finding.remedy is None else "!! "
        print(f"{mark} {finding.what:<10} {finding.found}")
        if finding.remedy is not None:
            wrong += 1
            print(f"               {finding.remedy}")
    if wrong:
        print(f"{wrong} to mend.")
        raise typer.Exit(1)
    print("All is well.")


def examine(settings: Settings) -> Iterator[Finding]:
    """Look at one thing after the other."""
    yield _python()
    yield from _home(settings)
    if settings.neo4j_uri is None:
        yield _java(settings)
        yield _jars(settings)
        yield from _ports(settings)
    yield from _service(settings)
    yield from _graph(settings)


def _python() -> Finding:
    found = ".".join(str(part) for part in sys.version_info[:3])
    fits = PYTHONS[0] <= sys.version_info[:2] < PYTHONS[1]
    return Finding("Python", found, None if fits else "Use Python 3.11, 3.12 or 3.13.")


def _home(settings: Settings) -> Iterator[Finding]:
    home = home_of(settings)
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        remedy = "Make it writable, or set STRATAGRAPH_HOME to another folder."
        yield Finding("home", f"{home}: {error.strerror}", remedy)
        return
    yield Finding("home", f"{home} can be written")
    free = shutil.disk_usage(home).free
    short = free < LEAST_FREE_BYTES
    remedy = "Free at least 1 GB there, or set STRATAGRAPH_HOME elsewhere." if short else None
    yield Finding("disk", f"{free / 1024**3:.1f} GB free", remedy)


def _java(settings: Settings) -> Finding:
    from service.bootstrap.upkeep import java_version

    return _tried("Java", lambda: java_version(settings.java), "See STRATAGRAPH_JAVA.")


def _jars(settings: Settings) -> Finding:
    if is_installed(settings):
        return Finding("Neo4j", f"installed in {settings.cache}")
    return Finding("Neo4j", "not installed yet", "Run: stratagraph neo4j install")


def _ports(settings: Settings) -> Iterator[Finding]:
    from service.bootstrap.upkeep import port_is_free

    runs = build_server(settings).status().pid is not None
    serves = read_service(home_of(settings)) is not None
    for name, port, ours in (
        ("PORT", settings.port, serves),
        ("NEO4J_BOLT_PORT", settings.neo4j_bolt_port, runs),
        ("NEO4J_HTTP_PORT", settings.neo4j_http_port, runs),
    ):
        if port is None or ours:
            continue
        remedy = f"Stop what listens there, or unset STRATAGRAPH_{name}."
        free = port_is_free(port)
        yield Finding(
            "port", f"{port} {'is free' if free else 'is taken'}", None if free else remedy
        )


def _service(settings: Settings) -> Iterator[Finding]:
    record = read_service(home_of(settings))
    if record is None:
        yield Finding("service", "does not run on this home (stratagraph serve starts it)")
        return
    import httpx

    try:
        answer = httpx.get(f"{record.api_url}/readyz", timeout=PROBE_SECONDS)
        missing: dict[str, str] = answer.json().get("waiting_for", {})
    except (httpx.HTTPError, ValueError) as error:
        found = f"{record.api_url} does not answer ({type(error).__name__})"
        yield Finding("service", found, "Stop it and start it again: stratagraph stop")
        return
    if not missing:
        yield Finding("service", f"ready at {record.api_url}")
    for part, reason in missing.items():
        yield Finding("service", f"waits for {part}: {reason}", "See what is said of it below.")


def _graph(settings: Settings) -> Iterator[Finding]:
    from service.bootstrap.upkeep import LATEST, look_at_graph

    server = build_server(settings)
    if settings.neo4j_uri is None and server.status().pid is None:
        yield Finding("graph", "not looked at: Neo4j does not run (stratagraph neo4j start)")
        return
    managed = settings.neo4j_uri is None
    connect = managed_connection(settings, server) if managed else named_connection(settings)
    try:
        graph = asyncio.run(look_at_graph(settings, connect))
    except StratagraphError as error:
        remedy = (
            "See: stratagraph neo4j logs" if managed else "Check NEO4J_URI and what runs there."
        )
        yield Finding("graph", error.message, remedy)
        return
    yield Finding("graph", f"Neo4j {graph.server} answers at {connect.uri}")
    behind = graph.schema < LATEST
    found = f"version {graph.schema}, this release has {LATEST}"
    yield Finding("schema", found, "Run: stratagraph migrate" if behind else None)
    broken = "; ".join(graph.broken_indexes)
    remedy = "Wait if they are being built; see `stratagraph neo4j logs` if one failed."
    yield Finding("indexes", broken or "all online", remedy if broken else None)
    yield Finding("embedder", graph.embedder or "none yet: the graph is empty")


def _tried(what: str, look: Callable[[], str], remedy: str) -> Finding:
    try:
        return Finding(what, look())
    except StratagraphError as error:
        return Finding(what, error.message, remedy)
