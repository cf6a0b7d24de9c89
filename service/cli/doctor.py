"""`stratagraph doctor`: checks of what the service needs, with remedies."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from graph.kernel.errors import StratagraphError
from service.bootstrap.managed import build_server, disk_reserve, is_installed, read_service
from service.cli.database import home_of, managed_connection, named_connection
from service.settings import Settings, load_settings

if TYPE_CHECKING:
    from graph.model.utility.configs import Overrides, ValueInForce
    from service.bootstrap.upkeep import GraphState

LEAST_FREE_BYTES = 1024**3
PYTHONS = ((3, 11), (3, 15))
PROBE_SECONDS = 5.0


@dataclass(frozen=True)
class Finding:
    """Result of one check; with a remedy if it failed."""

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
    """Run the checks one after the other."""
    yield _python()
    yield from _home(settings)
    if settings.neo4j_uri is None:
        yield _java(settings)
        yield _jars(settings)
        yield from _ports(settings)
    yield from _model(settings)
    yield from _service(settings)
    yield from _graph(settings)


def _python() -> Finding:
    found = ".".join(str(part) for part in sys.version_info[:3])
    fits = PYTHONS[0] <= sys.version_info[:2] < PYTHONS[1]
    return Finding("Python", found, None if fits else "Use Python 3.11 to 3.14.")


def _home(settings: Settings) -> Iterator[Finding]:
    home = home_of(settings)
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        # by writing: permissions do not show a full disk
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        remedy = "Make it writable, or set STRATAGRAPH_HOME to another folder."
        yield Finding("home", f"{home}: {error.strerror}", remedy)
        return
    yield Finding("home", f"{home} can be written")
    yield _disk(settings)
    if settings.neo4j_uri is None:
        yield from _store(settings)


def _disk(settings: Settings) -> Finding:
    reserve = disk_reserve(settings)
    free, held = reserve.free_bytes(), reserve.reserve_bytes
    found = f"{free / 1024**3:.1f} GB free, of which {held // 2**20} MB are held in reserve"
    if free < held:
        return Finding("disk", found, "Nothing is written until more is free: free some space.")
    short = free - held < LEAST_FREE_BYTES
    remedy = "Free at least 1 GB more there, or set STRATAGRAPH_HOME elsewhere." if short else None
    return Finding("disk", found, remedy)


def _store(settings: Settings) -> Iterator[Finding]:
    from service.bootstrap.upkeep import look_at_store

    store = look_at_store(home_of(settings))
    if store.unfinished_load:
        remedy = "The next start puts the old data back: stratagraph serve"
        yield Finding("load", "a load of a dump was cut off", remedy)
    if store.stale_records:
        found = f"{', '.join(store.stale_records)}: left by a process that is gone"
        yield Finding("records", f"{found}; the next start replaces them")
    if not store.graph_bytes:
        yield Finding("store", "empty: there is nothing to dump yet")
        return
    fits = store.free_bytes > store.graph_bytes
    room = "a dump fits beside it" if fits else "a dump may not fit beside it: use another disk"
    yield Finding("store", f"{store.graph_bytes / 2**20:.0f} MB; {room}")
    if store.last_version is None or store.last_version == store.version:
        return
    found = f"used by Neo4j {store.last_version} last, this release brings {store.version}"
    newer = store.is_newer
    remedy = "Upgrade Stratagraph: an older Neo4j does not open it." if newer else None
    yield Finding("upgrade", found if newer else f"{found}; make a dump first", remedy)


def _java(settings: Settings) -> Finding:
    from service.bootstrap.upkeep import java_version

    return _tried("Java", lambda: java_version(settings.java), "See STRATAGRAPH_JAVA.")


def _jars(settings: Settings) -> Finding:
    if is_installed(settings):
        return Finding("Neo4j", f"installed in {settings.cache}")
    return Finding("Neo4j", "not installed yet", "Run: stratagraph neo4j install")


def _model(settings: Settings) -> Iterator[Finding]:
    from service.bootstrap.models import NAME, model_folder, uses_default_model

    if not uses_default_model(settings):
        return
    folder = model_folder(settings)
    remedy = None if folder else "Run: stratagraph neo4j install"
    yield Finding("model", f"{NAME}: {folder or 'not fetched yet'}", remedy)


def _ports(settings: Settings) -> Iterator[Finding]:
    from service.bootstrap.upkeep import port_is_free

    runs = build_server(settings).status().pid is not None
    serves = read_service(home_of(settings)) is not None
    for name, port, ours in (
        ("PORT", settings.port, serves),
        ("NEO4J_BOLT_PORT", settings.neo4j_bolt_port, runs),
        ("NEO4J_HTTP_PORT", settings.neo4j_http_port, runs),
    ):
        # ports of our own processes are not taken
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
    limits: dict[str, str] = answer.json().get("limited_by", {})
    if not missing and not limits:
        yield Finding("service", f"ready at {record.api_url}")
    for part, reason in limits.items():
        yield Finding("service", f"refuses {part}: {reason}", "Free some space on that disk.")
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
    yield Finding("indexes", broken or "all online", _index_remedy(broken) if broken else None)
    yield from _embedding(graph)
    yield from _utility(settings, graph)


def _embedding(graph: GraphState) -> Iterator[Finding]:
    yield Finding("embedder", graph.embedder or "none yet: the graph is empty")
    if graph.other is None:
        return
    going_on = "if no `stratagraph reembed` runs, start it again: it goes on"
    if graph.other.state == "filling":
        yield Finding("embedder", f"{graph.other.embedder.name} is to come; {going_on}")
    else:
        yield Finding("embedder", f"{graph.other.embedder.name} is on its way out; {going_on}")


def _utility(settings: Settings, graph: GraphState) -> Iterator[Finding]:
    """List values of utility that differ from the defaults, with their sources."""
    from service.bootstrap.configs import configured_values
    from service.use_cases.utility.configure import UTILITY

    environment = configured_values(settings, UTILITY)
    told = [
        f"{name} is {held.value} ({held.variable})"
        for name, held in environment.items()
        if held.source == "environment"
    ]
    for tenant, overrides in graph.overrides.items():
        told += _at_run_time(tenant, environment, overrides)
    for found in told:
        yield Finding("utility", found)
    yield Finding("utility", f"every {'other ' if told else ''}value is the default")


def _at_run_time(
    tenant: str, environment: Mapping[str, ValueInForce], overrides: Overrides
) -> Iterator[str]:
    from service.use_cases.utility.configure import UTILITY, values_in_force

    for name, held in values_in_force(environment, overrides, UTILITY).items():
        if held.source == "runtime":
            below = environment[name]
            says = below.variable if below.source == "environment" else "the default"
            yield (
                f"{name} is {held.value} for the tenant {tenant} (set at run time; "
                f"{says} is {below.value})"
            )


def _index_remedy(broken: str) -> str:
    if "FAILED" in broken:
        return (
            "A failed one never mends itself: `stratagraph migrate --to 0`, then `stratagraph "
            "migrate` makes all of them anew and keeps the memories."
        )
    return "They are being built: look again in a moment."


def _tried(what: str, look: Callable[[], str], remedy: str) -> Finding:
    try:
        return Finding(what, look())
    except StratagraphError as error:
        return Finding(what, error.message, remedy)
