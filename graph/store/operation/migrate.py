"""Migrates the schema up to this release, or down again, on one replica at a time."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from cypher import MIGRATIONS, QUERIES
from graph.database.driver import Database
from graph.database.leases import held
from graph.kernel.embedding import EmbedderIdentity, EmbeddingState, OtherSlot, Slot
from graph.kernel.errors import (
    DatabaseError,
    DatabaseTooOldError,
    DatabaseUnavailableError,
    EmbedderMismatchError,
    SchemaNewerError,
)

LATEST = MIGRATIONS[-1].number
OLDEST_SERVER = (2026, 1)

_CREATE, _DROP = QUERIES["operation.create_index"], QUERIES["operation.drop_index"]
# Vector indexes by slot: first version with them, statements that create and drop them.
SLOT_INDEXES = (
    (1, _CREATE.choose("memories"), _DROP.choose("memories")),
    (6, _CREATE.choose("episodes"), _DROP.choose("episodes")),
)
_LEASE_SECONDS = 60
_PATIENCE_SECONDS = 120.0
# Two replicas that create the first constraints at once deadlock, and leave an index that is never
# online and that no constraint owns.
_MUTEX: LiteralString = "CREATE INDEX migrating IF NOT EXISTS FOR (m:Migrating) ON (m.name)"
_FIRST: tuple[LiteralString, ...] = (
    "CREATE CONSTRAINT schema_name IF NOT EXISTS FOR (s:Schema) REQUIRE s.name IS UNIQUE",
    "CREATE CONSTRAINT lease_name IF NOT EXISTS FOR (l:Lease) REQUIRE l.name IS UNIQUE",
)


@dataclass(frozen=True, slots=True)
class SchemaState:
    """Schema version that the graph records; version 0 is an empty graph."""

    version: int
    embedder: str | None
    dimension: int | None
    source: str = ""
    slot: Slot = "a"
    other: OtherSlot | None = None

    @property
    def embedding(self) -> EmbeddingState | None:
        """Embedding state that the graph records; nothing if it is empty."""
        if self.embedder is None or self.dimension is None:
            return None
        identity = EmbedderIdentity(self.embedder, self.dimension, self.source)
        return EmbeddingState(self.slot, identity, self.other)


async def check_server(database: Database) -> str:
    """Return the server's version.

    Raises
    ------
    DatabaseTooOldError
        If it lacks the filtered vector search that every recall is written in.
    """
    version = await database.server_version()
    if _numbers(version) < OLDEST_SERVER:
        needed = ".".join(f"{part:02d}" for part in OLDEST_SERVER)
        raise DatabaseTooOldError(
            f"Neo4j {version} is too old: {needed} or newer is needed (Cypher 25 SEARCH with "
            "filters). Upgrade it, or unset NEO4J_URI to use the managed server"
        )
    return version


async def schema_state(database: Database) -> SchemaState:
    """Read version and embedder."""
    rows = await database.read(QUERIES["operation.schema_state"], {})
    if not rows:
        return SchemaState(0, None, None)
    row = rows[0]
    other = row["other_state"] and OtherSlot(
        row["other_state"],
        EmbedderIdentity(row["other_embedder"], row["other_dimension"], row["other_source"] or ""),
    )
    return SchemaState(
        int(row["version"]),
        row["embedder"],
        row["dimension"],
        row["source"] or row["embedder"],
        row["slot"],
        other,
    )


async def migrate(
    database: Database, embedder: EmbedderIdentity, now: datetime, target: int = LATEST
) -> SchemaState:
    """Apply missing migrations up to ``target``, or revert those above it.

    Raises
    ------
    SchemaNewerError
        If the graph was migrated by a newer release.
    EmbedderMismatchError
        If the graph was filled by another embedder.
    DatabaseUnavailableError
        If another replica keeps migrating for two minutes.
    """
    state = await schema_state(database)
    # the usual case needs no lock
    if state.version == target:
        check_state(state, embedder)
        return state
    async with database.alone_with(_MUTEX):
        for statement in _FIRST:
            await database.alter_schema(statement, {})
    async with _lease(database):
        # again under the lock: another replica may have migrated meanwhile
        state = await schema_state(database)
        check_state(state, embedder)
        await _step(database, state, target, embedder, now)
    return await schema_state(database)


def check_state(state: SchemaState, embedder: EmbedderIdentity) -> None:
    """Refuse a graph of a newer release or of another embedder.

    Raises
    ------
    SchemaNewerError, EmbedderMismatchError
        As their names say; the messages name both sides.
    """
    check_version(state)
    if state.embedder and (state.embedder, state.dimension) != (embedder.name, embedder.dimension):
        raise EmbedderMismatchError(
            f"the graph was filled by {state.embedder} ({state.dimension} numbers per vector), "
            f"this service embeds with {embedder.name} ({embedder.dimension}): use that embedder "
            "(STRATAGRAPH_EMBEDDER unset does), or go over to the new one: stratagraph reembed"
        )


def check_version(state: SchemaState) -> None:
    """Refuse a graph of a newer release.

    Raises
    ------
    SchemaNewerError
        With both versions.
    """
    if state.version > LATEST:
        raise SchemaNewerError(
            f"the graph has schema {state.version}, this release knows {LATEST}: "
            "upgrade Stratagraph, or use another home or database"
        )


async def _step(
    database: Database, state: SchemaState, target: int, embedder: EmbedderIdentity, now: datetime
) -> None:
    version, options = state.version, vector_options(embedder.dimension)
    for migration in MIGRATIONS:
        if version < migration.number <= target:
            await _apply(database, migration.up, options)
            # after each: an interrupted migration continues after the last completed step
            await _record(database, migration.number, embedder, now)
    for migration in reversed(MIGRATIONS):
        if target < migration.number <= version:
            await _apply(database, migration.down, {})
            await _record(database, migration.number - 1, embedder, now)
    await _fit_indexes(database, state, target, options)
    await wait_online(database)


async def _fit_indexes(
    database: Database, state: SchemaState, target: int, options: dict[str, Any]
) -> None:
    """Create the indexes of slot b if it is read; migrations only know slot a."""
    for since, create, drop in SLOT_INDEXES:
        if target < since:
            await database.alter_schema(drop.for_slot("b"), {})
        elif state.slot == "b":
            await database.alter_schema(create.for_slot("b"), options)


def vector_options(dimension: int) -> dict[str, Any]:
    """Return the parameters of a statement that creates a vector index."""
    config = {"vector.dimensions": dimension, "vector.similarity_function": "cosine"}
    return {"vector_options": {"indexConfig": config}}


async def _apply(
    database: Database, statements: tuple[LiteralString, ...], parameters: dict[str, Any]
) -> None:
    for statement in statements:
        await database.alter_schema(statement, parameters if "$" in statement else {})


async def _record(
    database: Database, version: int, embedder: EmbedderIdentity, now: datetime
) -> None:
    await database.write_one(
        QUERIES["operation.save_schema_state"],
        {
            "version": version,
            "embedder": embedder.name,
            "dimension": embedder.dimension,
            "source": embedder.source or embedder.name,
            "now": now,
        },
    )


async def index_problems(database: Database) -> list[str]:
    """Return every index that is not online, except of the unused slot."""
    rows = await database.read(QUERIES["operation.index_states"], {})
    unread = f"_embedding_{'b' if database.slot == 'a' else 'a'}"
    return [
        f"{row['name']} is {row['state']}"
        for row in rows
        if row["state"] != "ONLINE" and not row["name"].endswith(unread)
    ]


async def wait_online(database: Database) -> None:
    """Wait until every index is built.

    Raises
    ------
    DatabaseError
        If one failed.
    """
    while problems := await index_problems(database):
        if failed := [problem for problem in problems if problem.endswith("FAILED")]:
            raise DatabaseError(f"an index could not be built: {', '.join(failed)}")
        await asyncio.sleep(0.1)


def _lease(database: Database) -> AbstractAsyncContextManager[None]:
    refused = DatabaseUnavailableError("another replica has been migrating for two minutes")
    return held(database, "migration", _LEASE_SECONDS, _PATIENCE_SECONDS, refused)


def _numbers(version: str) -> tuple[int, int]:
    parts = [int(part) if part.isdecimal() else 0 for part in version.split(".")[:2]]
    return (parts[0], parts[1] if len(parts) > 1 else 0)
