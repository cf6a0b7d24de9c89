"""Configuration of a managed Neo4j: neo4j.conf, ports, JVM options."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path

import psutil

from graph.kernel.errors import PortTakenError
from graph.server.disk import temporary_folder
from graph.server.java import Java, common_options

LOOPBACK = "127.0.0.1"
BOLT_PORT = 7687
HTTP_PORT = 7474
MOST_HEAP_BYTES = 6 * 2**30
UNIT_BYTES = {"k": 2**10, "m": 2**20, "g": 2**30}
ENTRY_CLASS = "org.neo4j.server.Neo4jCommunity"


@dataclass(frozen=True)
class ServerConfig:
    """A managed server's settings; port None: the default if free, else any; 0: any."""

    home: Path
    cache: Path
    heap: str = "1g"
    pagecache: str = "256m"
    bolt_port: int | None = None
    http_port: int | None = None
    java: Path | None = None


@dataclass(frozen=True)
class Ports:
    bolt: int
    http: int


def choose_ports(config: ServerConfig) -> Ports:
    """Return ports to listen on, free at the time of the check."""
    return Ports(
        _choose_port(config.bolt_port, BOLT_PORT, "STRATAGRAPH_NEO4J_BOLT_PORT"),
        _choose_port(config.http_port, HTTP_PORT, "STRATAGRAPH_NEO4J_HTTP_PORT"),
    )


def _choose_port(chosen: int | None, usual: int, setting: str) -> int:
    if chosen == 0 or (chosen is None and not is_free(usual)):
        return _free_port()
    if chosen is None:
        return usual
    if not is_free(chosen):
        raise port_taken(chosen, setting)
    return chosen


def port_taken(port: int, setting: str) -> PortTakenError:
    return PortTakenError(
        f"Port {port} on {LOOPBACK} is taken, and {setting} asks for it. Stop what listens "
        "there, choose another, or unset it to get a free one."
    )


def is_free(port: int) -> bool:
    """Return whether this machine can listen on the port."""
    # first: a bind may succeed beside a server that listens on all addresses
    if answers(port):
        return False
    with socket.socket() as probe:
        # a port stays reserved for a minute after use, but Neo4j can use it
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def answers(port: int) -> bool:
    """Return whether something listens on the port."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((LOOPBACK, port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def conf_text(config: ServerConfig, ports: Ports) -> str:
    """Return neo4j.conf: loopback only, no telemetry, no user texts in logs."""
    settings = {
        # an unknown name fails the start, instead of being ignored
        "server.config.strict_validation.enabled": "true",
        "server.default_listen_address": LOOPBACK,
        "server.default_advertised_address": LOOPBACK,
        "server.bolt.listen_address": f"{LOOPBACK}:{ports.bolt}",
        "server.bolt.advertised_address": f"{LOOPBACK}:{ports.bolt}",
        "server.bolt.telemetry.enabled": "false",
        "server.http.listen_address": f"{LOOPBACK}:{ports.http}",
        "server.http.advertised_address": f"{LOOPBACK}:{ports.http}",
        "server.https.enabled": "false",
        "server.fleet_discovery.enabled": "false",
        # equal sizes: resizing the heap pauses the server
        "server.memory.heap.initial_size": config.heap,
        "server.memory.heap.max_size": config.heap,
        "server.memory.pagecache.size": config.pagecache,
        # Databases are closed before Bolt: waiting 10 s for idle threads protects nothing.
        "internal.server.bolt.thread_pool_shutdown_wait_time": "0s",
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
        "client.allow_telemetry": "false",
        # the query log would contain texts of memories
        "db.logs.query.enabled": "OFF",
        # preallocated, each log would take its 64 MB at once
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.size": "64m",
        "db.tx_log.rotation.retention_policy": "1 files",
        "dbms.fleet_manager.enabled": "false",
        "dbms.security.allow_csv_import_from_file_urls": "false",
        "dbms.usage_report.enabled": "false",
    }
    lines = [f"{name}={value}" for name, value in settings.items()]
    return "\n".join(["# Written at every start of the managed server.", *lines, ""])


def larger_heap(heap: str) -> str | None:
    """Return a heap size of up to half this machine's memory, if larger."""
    most = min(psutil.virtual_memory().total // 2, MOST_HEAP_BYTES)
    given = int(heap[:-1]) * UNIT_BYTES[heap[-1]]
    return f"{most // 2**20}m" if most > given else None


def server_command(config: ServerConfig, java: Java, jars: Path, options: list[str]) -> list[str]:
    return [
        str(java.path),
        f"-Xms{config.heap}",
        f"-Xmx{config.heap}",
        *common_options(java),
        *options,
        # a JVM out of memory may continue in an undefined state; a dead one is restarted
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:-OmitStackTraceInFastThrow",
        "-XX:+DisableExplicitGC",
        "-Djava.awt.headless=true",
        f"-Djava.io.tmpdir={temporary_folder(config.home)}",
        "-Djdk.nio.maxCachedBufferSize=1024",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dlog4j2.disable.jmx=true",
        "-cp",
        f"{jars}/*",
        ENTRY_CLASS,
        f"--home-dir={config.home}",
        f"--config-dir={config.home / 'conf'}",
    ]
