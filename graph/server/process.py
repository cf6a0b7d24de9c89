"""A managed Neo4j process: started or adopted, watched, stopped."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from graph.kernel.errors import (
    HeapTooSmallError,
    ManagedServerError,
    PortTakenError,
    ServerStartError,
)
from graph.server.archive import class_archive
from graph.server.claim import HomeClaim, not_writable
from graph.server.config import (
    LOOPBACK,
    Ports,
    ServerConfig,
    answers,
    choose_ports,
    conf_text,
    larger_heap,
    port_taken,
    server_command,
)
from graph.server.credentials import ensure_password, password_file, read_password
from graph.server.disk import fresh_temporary_folder, remove_temporary_folder
from graph.server.java import Java, find_java
from graph.server.lock import installed_jars, server_version
from graph.server.logs import BOLT_IS_UP, ServerLogs, explain_failed_start, log_end
from graph.server.records import (
    ServerRecord,
    creation_time,
    find_running,
    note_version,
    read_service,
    refuse_older,
    remove_server,
    write_atomically,
    write_server,
)
from graph.server.swap import load_is_unfinished, undo_unfinished_load

logger = logging.getLogger(__name__)

IsReady = Callable[[str], Awaitable[bool]]

START_SECONDS = 180.0
STOP_SECONDS = 30.0
FAILED_STOP_SECONDS = 3.0  # a database that closed itself has nothing to save
KILL_SECONDS = 10.0
PROBE_SECONDS = 30.0  # longer than the probe itself waits
POLL_SECONDS = 0.1
PORT_ATTEMPTS = 3

# Popen objects warn if they are collected before their process ends.
_left_running: list[subprocess.Popen[bytes]] = []


@dataclass(frozen=True)
class ServerStatus:
    """State of a home's server; without a pid it does not run."""

    home: Path
    version: str
    pid: int | None = None
    uri: str | None = None
    browser_url: str | None = None
    java: str | None = None
    memory_bytes: int | None = None
    service_url: str | None = None

    @property
    def password_file(self) -> Path:
        return password_file(self.home)


class ManagedServer:
    """The Neo4j of one home folder.

    Whoever starts or adopts it claims the home until `stop` or `release`.
    """

    def __init__(self, config: ServerConfig, *, jvm_options: tuple[str, ...] = ()) -> None:
        self.config = config
        self._home = config.home
        self._jvm_options = jvm_options
        self._logs = ServerLogs(config.home)
        self._claim = HomeClaim(config.home)
        self._java: Java | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._record: ServerRecord | None = None
        self._is_ready: IsReady | None = None

    @property
    def uri(self) -> str:
        return _uri(self._known())

    @property
    def browser_url(self) -> str:
        return _browser_url(self._known())

    @property
    def password(self) -> str:
        return read_password(self._home)

    async def start(self, is_ready: IsReady, *, on_trial: bool = False) -> None:
        """Claim the home, adopt its running server or start one, wait until it answers.

        Data of an unaccepted load are replaced by the previous ones, unless they are `on_trial`; then the home stays
        claimed even if the start fails.
        """
        self._is_ready = is_ready
        self.claim()
        try:
            if not on_trial:
                await self.undo_unfinished_load()
            if not await self._adopt(is_ready):
                await self._boot(is_ready)
            note_version(self._home, self._known().version)
        except BaseException:
            # on trial the caller restores the old data, for which it needs the home
            await (self.halt() if on_trial else self.stop())
            raise

    async def undo_unfinished_load(self) -> None:
        """Restore the data that an interrupted load had replaced."""
        if load_is_unfinished(self._home):
            await self.halt()
            undo_unfinished_load(self._home)
            logger.warning("a load that was cut off is undone; the data before it are back")

    async def restart(self) -> None:
        """Restart a server that died or closed its database, on the same ports."""
        record, is_ready = self._known(), self._is_ready
        assert is_ready is not None, "restart comes after start"  # noqa: S101
        try:
            await self._end(FAILED_STOP_SECONDS)
            await self._bring_up(Ports(record.bolt_port, record.http_port), is_ready)
        except BaseException:
            await self._end(STOP_SECONDS)
            raise

    async def stop(self, patience: float = STOP_SECONDS) -> None:
        """Stop the server (SIGTERM, after `patience` seconds SIGKILL) and release the home."""
        try:
            await self.halt(patience)
        finally:
            self.release()

    async def halt(self, patience: float = STOP_SECONDS) -> None:
        """Stop the server and keep the home."""
        self.claim()
        # also one started by another process
        self._record = self._record or find_running(self._home)
        await self._end(patience)
        # last: a JVM writes there until it exits
        remove_temporary_folder(self._home)
        remove_server(self._home)
        self._record = self._child = None

    def claim(self) -> None:
        """Claim the home for this process."""
        self._claim.take()

    def release(self) -> None:
        """Release the home; a running server is left running."""
        # referenced, or Python would warn about an unfinished process
        if self._child is not None:
            _left_running.append(self._child)
        self._claim.release()

    def alive(self) -> bool:
        if self._child is not None:
            return self._child.poll() is None
        return self._record is not None and self._record.is_alive()

    def log_tail(self, lines: int) -> str:
        return self._logs.tail(lines)

    def new_log(self) -> str:
        """Return new log lines since the last call."""
        return self._logs.new_text()

    def status(self) -> ServerStatus:
        service = read_service(self._home)
        service_url = service.api_url if service else None
        record = find_running(self._home)
        if record is None:
            version = server_version()
            return ServerStatus(self._home, version, service_url=service_url)
        return ServerStatus(
            self._home,
            record.version,
            record.pid,
            _uri(record),
            _browser_url(record),
            record.java,
            record.memory_bytes(),
            service_url,
        )

    def _known(self) -> ServerRecord:
        record = self._record or find_running(self._home)
        if record is None:
            raise ServerStartError(f"No Neo4j runs on {self._home}.")
        return record

    # the server of a dead service is adopted: its caches are warm
    async def _adopt(self, is_ready: IsReady) -> bool:
        self._record = find_running(self._home)
        if self._record is None:
            return False
        self._logs.mark()
        try:
            await self._until_ready(is_ready)
        except ManagedServerError:
            if self.alive():
                raise
            return False  # it was shutting down
        return True

    async def _boot(self, is_ready: IsReady) -> None:
        for attempt in range(1, PORT_ATTEMPTS + 1):
            ports = choose_ports(self.config)
            try:
                return await self._bring_up(ports, is_ready)
            except PortTakenError:
                # The port was taken between our check and the server's bind.
                self._refuse_taken_port(ports)
                if attempt == PORT_ATTEMPTS:
                    raise

    async def _bring_up(self, ports: Ports, is_ready: IsReady) -> None:
        try:
            self._start_process(ports)
            await self._until_ready(is_ready)
        except HeapTooSmallError:
            # A log damaged by a full disk can name sizes beyond the usual heap; the setting itself
            # is not changed.
            configured, more = self.config, larger_heap(self.config.heap)
            if more is None:
                raise
            logger.warning("Neo4j ran out of heap while it opened the data; trying with %s", more)
            try:
                self.config = replace(configured, heap=more)
                self._start_process(ports)
            finally:
                self.config = configured
            await self._until_ready(is_ready)

    def _refuse_taken_port(self, ports: Ports) -> None:
        if self.config.bolt_port and answers(ports.bolt):
            raise port_taken(ports.bolt, "STRATAGRAPH_NEO4J_BOLT_PORT")
        if self.config.http_port and answers(ports.http):
            raise port_taken(ports.http, "STRATAGRAPH_NEO4J_HTTP_PORT")

    def _start_process(self, ports: Ports) -> None:
        # no download during a start
        jars = installed_jars(self.config.cache)
        if jars is None:
            raise not_installed(self.config.cache)
        self._java = self._java or find_java(self.config.java)
        options = self._jvm_options or class_archive(self.config.cache, self._java, jars).options()
        try:
            self._prepare(ports)
            self._spawn(server_command(self.config, self._java, jars, list(options)), ports)
        except OSError as error:
            raise not_writable(self._home, error) from error

    def _prepare(self, ports: Ports) -> None:
        # before anything is written: an older Neo4j could damage the data
        refuse_older(self._home, server_version())
        (self._home / "conf").mkdir(exist_ok=True)
        write_atomically(self._home / "conf" / "neo4j.conf", conf_text(self.config, ports))
        ensure_password(self._home)
        fresh_temporary_folder(self._home)
        # after the last writer of logs, before the start
        self._logs.mark()
        self._logs.keep_last_console()

    def _spawn(self, command: list[str], ports: Ports) -> None:
        with self._logs.console.open("wb") as console:
            self._child = subprocess.Popen(  # noqa: S603 - our own command line
                command,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=self._home,
                # Ctrl-C reaches the service first, which stops it in order
                start_new_session=True,
            )
        try:
            created = creation_time(self._child.pid)
            version = server_version()
            self._record = ServerRecord(
                self._child.pid, created, ports.bolt, ports.http, command[0], version
            )
            write_server(self._home, self._record)
        # without a record it could not be found again, so it is killed
        except BaseException:
            self._child.kill()
            self._child.wait()
            raise

    async def _until_ready(self, is_ready: IsReady) -> None:
        record = self._known()
        # monotonic: the system clock may be changed meanwhile
        deadline = time.monotonic() + START_SECONDS
        while not await self._answers(record, is_ready):
            # the log explains a dead server better than a timeout
            if not self.alive():
                raise explain_failed_start(self._home, self._logs.since_mark())
            if reason := self._logs.failed_database():
                raise ServerStartError(
                    f"Neo4j {record.version} cannot open the data in {self._home / 'data'}. If a "
                    f"newer Neo4j wrote them, use that one; else restore a backup.\n{reason}"
                )
            if time.monotonic() > deadline:
                raise ServerStartError(
                    f"Neo4j did not answer within {START_SECONDS:.0f} s. Its last lines:\n"
                    + log_end(self._logs.since_mark())
                )
            await asyncio.sleep(POLL_SECONDS)

    async def _answers(self, record: ServerRecord, is_ready: IsReady) -> bool:
        # The log shows that our server listens, not another one.
        if self._child and BOLT_IS_UP not in self._logs.since_mark():
            return False
        # a failed database accepts connections, but never answers a query
        if not answers(record.bolt_port) or self._logs.failed_database():
            return False
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                return await is_ready(_uri(record))
        except TimeoutError:
            return False

    async def _end(self, patience: float) -> None:
        # SIGTERM lets it close its data; SIGKILL requires a recovery at the next start
        for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, KILL_SECONDS)):
            if self._record is None or not self.alive():
                return
            # one started by another process may exit at this moment
            with suppress(ProcessLookupError):
                os.kill(self._record.pid, number)
            deadline = time.monotonic() + seconds
            while self.alive() and time.monotonic() < deadline:
                await asyncio.sleep(POLL_SECONDS)


def not_installed(cache: Path) -> ServerStartError:
    return ServerStartError(f"Neo4j is not installed in {cache}. Run: stratagraph neo4j install")


def _uri(record: ServerRecord) -> str:
    return f"bolt://{LOOPBACK}:{record.bolt_port}"


def _browser_url(record: ServerRecord) -> str:
    return f"http://{LOOPBACK}:{record.http_port}/browser/"
