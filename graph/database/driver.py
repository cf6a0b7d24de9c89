"""The only owner of the Neo4j driver: connections, transactions, and conversion of its errors."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, LiteralString, TypeVar
from zoneinfo import ZoneInfo

import neo4j
from neo4j import exceptions

from cypher import Query, Slot
from graph.kernel.errors import (
    DatabaseCredentialsError,
    DatabaseError,
    DatabaseUnavailableError,
    DiskFullError,
    QueryTimeoutError,
)
from graph.ports.telemetry import UNWATCHED, Telemetry

Rows = list[dict[str, Any]]

T = TypeVar("T")

# A database that cannot append to its log closes itself: reads fail too, until a restart.
_LOG_FAILED = "Neo.DatabaseError.Transaction.TransactionLogError"
_PANICKED = "needs to be restarted"
# A node was found and then removed by another transaction; a retry no longer finds it.
_VANISHED = "Neo.ClientError.Statement.EntityNotFound"
_VANISHED_TRIES = 4

_TIMED_OUT = frozenset(
    {
        "Neo.ClientError.Transaction.TransactionTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
    }
)

_OUT_OF_BOUNDS = re.compile(r"Index (\d+) out of bounds for length")
_PAST_ANY_WORD = 2**24  # 64 documents each
_SCHEMA_TRIES = 10
_DROP_SECONDS = 5.0  # for which a drop may wait for its lock
_FIRST_WORD_SECONDS = 20.0  # a booting server listens before it can answer

_CREDENTIALS = (exceptions.AuthError, exceptions.AuthConfigurationError, exceptions.Forbidden)
_UNAVAILABLE = (
    exceptions.ServiceUnavailable,
    exceptions.SessionExpired,
    exceptions.TransientError,
    exceptions.DatabaseUnavailable,
    exceptions.ConnectionPoolError,
    exceptions.IncompleteCommit,
)
_RETRYABLE = (exceptions.ServiceUnavailable, exceptions.SessionExpired, exceptions.TransientError)


@dataclass(frozen=True, slots=True)
class Connection:
    """Address and credentials of Neo4j; an empty password disables authentication."""

    uri: str
    username: str = "neo4j"
    password: str = ""
    database: str = "neo4j"
    pool_size: int = 50
    timeout_seconds: float = 2.0


class Transaction:
    """A running transaction that only accepts statements of ``cypher/``."""

    def __init__(
        self,
        transaction: neo4j.AsyncManagedTransaction | neo4j.AsyncTransaction,
        slot: Slot,
        telemetry: Telemetry,
    ) -> None:
        self._transaction = transaction
        self._slot: Slot = slot
        self._telemetry = telemetry

    async def run(
        self, query: Query, parameters: Mapping[str, Any], slot: Slot | None = None
    ) -> Rows:
        """Run one statement and read all its rows; on the slot in use unless one is given."""
        with self._telemetry.span("statement", query.name, mode=query.mode) as span:
            text = _text(query, slot or self._slot)
            result = await self._transaction.run(text, _to_driver(parameters))
            rows = [_as_dict(record) async for record in result]
            span.note(rows=len(rows))
            return rows


class Database:
    """Reads and writes on one Neo4j database, with vectors in one of the two slots."""

    def __init__(
        self,
        driver: neo4j.AsyncDriver,
        name: str,
        slot: Slot = "a",
        telemetry: Telemetry = UNWATCHED,
        check_disk: Callable[[], None] = lambda: None,
    ) -> None:
        self._check_disk = check_disk
        self._closed_itself = False
        self._driver = driver
        self._name = name
        self.slot: Slot = slot
        self._telemetry = telemetry

    @property
    def driver(self) -> neo4j.AsyncDriver:
        """The driver itself, for benchmarks of the bare vector query."""
        return self._driver

    async def read(
        self,
        query: Query,
        parameters: Mapping[str, Any],
        slot: Slot | None = None,
        *,
        most_seconds: float | None = None,
    ) -> Rows:
        """Run one reading statement in one round trip, on the slot in use unless one is given.

        After ``most_seconds`` the server ends it.

        Raises
        ------
        DatabaseUnavailableError
            If Neo4j does not answer, also at the second try on a new connection.
        QueryTimeoutError
            If it takes longer than it may.
        """
        with self._counted_errors(), self._telemetry.span("transaction", "read"):
            used = slot or self.slot
            try:
                return await self._read_once(query, parameters, used, most_seconds)
            except (*_RETRYABLE, exceptions.ClientError) as error:
                # reads can be repeated; only once, so that an unavailable database is reported soon
                # (ADR 8)
                if not isinstance(error, _RETRYABLE) and error.code != _VANISHED:
                    raise
                self._telemetry.count("database_retries")
                return await self._read_once(query, parameters, used, most_seconds)

    async def search(
        self,
        query: Query,
        parameters: Mapping[str, Any],
        slot: Slot | None = None,
        *,
        most_seconds: float | None = None,
    ) -> Rows:
        """Run one reading statement based on vector search; no rows if the filter matches nothing."""
        try:
            return await self.read(query, parameters, slot, most_seconds=most_seconds)
        except NothingToSearchError:
            return []

    async def _read_once(
        self,
        query: Query,
        parameters: Mapping[str, Any],
        slot: Slot,
        most_seconds: float | None,
    ) -> Rows:
        with self._telemetry.span("statement", query.name, mode=query.mode) as span:
            async with self._session(neo4j.READ_ACCESS) as session:
                # the server ends it: closing the connection would leave the statement running
                timed = neo4j.Query(_text(query, slot), timeout=most_seconds)
                result = await session.run(timed, _to_driver(parameters))
                rows = [_as_dict(record) async for record in result]
            span.note(rows=len(rows))
            return rows

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run work in one transaction, repeated after a transient error.

        Raises
        ------
        DatabaseUnavailableError
            If Neo4j does not answer. Nothing of the work is kept, unless the error ``may_be_stored``:
            then the answer to the commit was lost.
        DiskFullError
            If its disk has no room; the same holds.
        """
        attempts = 0
        committing = False

        async def managed(transaction: neo4j.AsyncManagedTransaction) -> T:
            nonlocal attempts, committing
            attempts += 1
            # reset by each attempt: only the last one's commit can be in doubt
            committing = False
            if attempts > 1:
                self._telemetry.count("database_retries")
            done = await work(Transaction(transaction, self.slot, self._telemetry))
            committing = True
            return done

        try:
            with self._counted_errors(), self._telemetry.span("transaction", "write"):
                # before each write: a full disk closes Neo4j's database until a restart, for reads
                # too (ADR 12)
                self._check_disk()
                return await self._write_managed(managed)
        except DatabaseError as error:
            # the answer to the commit was lost: a repeated write might be written twice
            error.may_be_stored = committing and not _is_rolled_back(error.__cause__)
            raise

    async def _write_managed(
        self, managed: Callable[[neo4j.AsyncManagedTransaction], Awaitable[T]]
    ) -> T:
        """Run work, again if another transaction removed a node meanwhile."""
        async with self._session() as session:
            for _ in range(_VANISHED_TRIES - 1):
                try:
                    return await session.execute_write(managed)
                except exceptions.ClientError as error:
                    if error.code != _VANISHED:
                        raise
            return await session.execute_write(managed)

    @contextmanager
    def _counted_errors(self) -> Generator[None]:
        try:
            with mapped_errors():
                yield
        except DatabaseError as error:
            self._telemetry.count("database_errors", error=type(error).__name__)
            self._closed_itself |= isinstance(error, _ClosedItselfError)
            raise

    def why_no_writes(self) -> str | None:
        """Return why a write would be refused for lack of disk space, or None."""
        try:
            self._check_disk()
        except DiskFullError as error:
            return error.message
        return None

    def take_failure(self) -> bool:
        """Return once whether the database has closed itself and needs a restart."""
        # once: one restart is enough for any number of failed requests
        failed, self._closed_itself = self._closed_itself, False
        return failed

    def _session(self, mode: str = neo4j.WRITE_ACCESS) -> neo4j.AsyncSession:
        session = self._driver.session  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- **config is untyped in the driver
        return session(database=self._name, default_access_mode=mode)

    async def write_one(self, query: Query, parameters: Mapping[str, Any]) -> Rows:
        """Run one writing statement in its own transaction."""

        async def work(transaction: Transaction) -> Rows:
            return await transaction.run(query, parameters)

        return await self.write(work)

    async def server_version(self) -> str:
        """Return the server's version as it reports it, `2026.08.1`."""
        with mapped_errors():
            info = await self._driver.get_server_info()  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
        return info.agent.removeprefix("Neo4j/")

    @asynccontextmanager
    async def alone_with(self, statement: LiteralString) -> AsyncGenerator[None]:
        """Hold the lock of a schema command that is never committed; others wait for it.

        It needs no node or constraint, so it works on an empty graph, and it ends with the connection of a dead
        process.
        """
        with mapped_errors():
            async with self._session() as session, await session.begin_transaction() as transaction:
                await (await transaction.run(statement)).consume()
                yield
                await transaction.rollback()

    async def alter_schema(self, statement: LiteralString, parameters: Mapping[str, Any]) -> None:
        """Run one schema command; one that another replica runs concurrently counts as done.

        Concurrent creations of the first constraints deadlock on the label, and the one that Neo4j rolls back is
        repeated. A drop that waits too long is repeated too: Neo4j does not detect a deadlock between two sessions that
        plan the same statement and the drop beside them.

        Raises
        ------
        QueryTimeoutError
            If others hold the label of what is to be dropped all the time.
        """
        with self._counted_errors():
            self._check_disk()
            for attempt in range(_SCHEMA_TRIES):
                try:
                    return await self._alter_once(statement, parameters)
                except TimeoutError:
                    if attempt == _SCHEMA_TRIES - 1:
                        raise QueryTimeoutError from None
                except exceptions.TransientError:
                    if attempt == _SCHEMA_TRIES - 1:
                        raise
                    # increasing pauses, while the other replica creates its constraint
                    await asyncio.sleep(0.1 * (attempt + 1))

    async def _alter_once(self, statement: LiteralString, parameters: Mapping[str, Any]) -> None:
        # The server has no timeout for a waiting schema command; closing its connection ends it.
        seconds = _DROP_SECONDS if statement.startswith("DROP") else None
        async with asyncio.timeout(seconds), self._session() as session:
            try:
                await (await session.run(statement, dict(parameters))).consume()
            except exceptions.ClientError as error:
                # another replica has created it meanwhile
                if "AlreadyExists" not in (error.code or ""):
                    raise


class _ClosedItselfError(DatabaseUnavailableError):
    """Neo4j closed its database after a critical error; it has to be restarted."""


class NothingToSearchError(DatabaseError):
    """A vector search whose filter nothing meets, in an index from which something was deleted.

    Neo4j 2026.08 then looks up Lucene's end mark in the set of what is not deleted, and fails.
    """


class ConstraintViolatedError(DatabaseError):
    """A unique property is taken: another writer was faster."""


@asynccontextmanager
async def open_database(
    connection: Connection,
    telemetry: Telemetry = UNWATCHED,
    check_disk: Callable[[], None] = lambda: None,
) -> AsyncGenerator[Database]:
    """Open the driver of this process, and close it at the end."""
    with mapped_errors():
        driver = neo4j.AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
            connection.uri,
            auth=(connection.username, connection.password) if connection.password else None,
            max_connection_pool_size=connection.pool_size,
            connection_timeout=connection.timeout_seconds,
            connection_acquisition_timeout=connection.timeout_seconds + 0.5,
            max_transaction_retry_time=connection.timeout_seconds,
            notifications_min_severity="OFF",
            user_agent="stratagraph",
        )
    try:
        yield Database(driver, connection.database, telemetry=telemetry, check_disk=check_disk)
    finally:
        await driver.close()


async def is_ready(uri: str, username: str, password: str) -> bool:
    """Return whether a server answers on Bolt and accepts the credentials."""
    try:
        with mapped_errors():
            async with neo4j.AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
                uri,
                auth=(username, password) if password else None,
                connection_timeout=_FIRST_WORD_SECONDS,
                connection_acquisition_timeout=_FIRST_WORD_SECONDS,
                max_transaction_retry_time=0.1,
            ) as driver:
                await driver.verify_connectivity()  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
    except DatabaseUnavailableError:
        return False
    return True


@contextmanager
def mapped_errors() -> Generator[None]:
    """Convert the driver's errors to ours, most specific first."""
    try:
        yield
    except _CREDENTIALS as error:
        raise DatabaseCredentialsError(
            "Neo4j refused the user name or the password; check NEO4J_USERNAME and NEO4J_PASSWORD"
        ) from error
    except exceptions.ConstraintError as error:
        raise ConstraintViolatedError from error
    except (*_UNAVAILABLE, OSError) as error:
        raise DatabaseUnavailableError(
            "Neo4j does not answer; it is tried again with the next request"
        ) from error
    except exceptions.Neo4jError as error:
        if error.code == _LOG_FAILED:
            raise DiskFullError(
                "Neo4j cannot append to its transaction log: its disk is full or failing; free "
                "some space there"
            ) from error
        if error.code in _TIMED_OUT:
            raise QueryTimeoutError from error
        if _PANICKED in (error.message or ""):
            raise _ClosedItselfError from error
        kind = NothingToSearchError if _searched_past_the_end(error) else DatabaseError
        raise kind(f"Neo4j refused a statement: {error.code}") from error
    except (exceptions.DriverError, exceptions.GqlError) as error:
        raise DatabaseError(f"the Neo4j driver failed: {type(error).__name__}") from error


def _is_rolled_back(error: BaseException | None) -> bool:
    """Return whether an error of a commit means that nothing was committed.

    The server reports it for statements that it refuses; the driver for those that it would retry.
    """
    if isinstance(error, exceptions.ClientError | exceptions.TransientError):
        return True
    return isinstance(error, exceptions.DriverError) and error.is_retryable()


def _searched_past_the_end(error: exceptions.Neo4jError) -> bool:
    """Return whether Lucene looked up its end marker, document 2³¹ − 1, in a bit set."""
    found = _OUT_OF_BOUNDS.search(str(error))
    return found is not None and int(found[1]) >= _PAST_ANY_WORD


class _Rows(list[Any]):
    """List with a short representation: the driver's debug log formats all parameters, even if nobody reads it."""

    def __repr__(self) -> str:
        return f"<{len(self)} rows>"


def _to_driver(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _packed(value) for name, value in parameters.items()}


def _packed(value: Any) -> Any:
    if isinstance(value, list):
        return _Rows(value)  # pyright: ignore[reportUnknownArgumentType]
    # The driver can crash in C on a ZoneInfo, and the server distinguishes a named zone from an
    # equal instant.
    if isinstance(value, datetime) and isinstance(value.tzinfo, ZoneInfo):
        return value.astimezone(UTC)
    return value


def _as_dict(record: neo4j.Record) -> dict[str, Any]:
    """Return a record as a dict; ``record.data()`` would copy every element of every list."""
    return dict(zip(record.keys(), record.values(), strict=True))


def _text(query: Query, slot: Slot) -> LiteralString:
    return query.for_slot(slot) if query.slots else query.text
