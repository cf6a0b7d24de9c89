"""Vectors of new memories, in the slot in use and in the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.rows import Times
from graph.kernel.embedding import SlotVector
from graph.kernel.errors import EmbedderChangedError
from graph.model.memories.memory import Amendment, PreparedMemory
from graph.store.memories.saving import SessionKey, SessionState
from graph.store.memories.sessions import chain


def vector_row(vector: SlotVector) -> dict[str, Any]:
    """Return the row of a vector in a statement."""
    return {"embedder": vector.embedder, "vector": vector.vector.tolist()}


async def create_memories(
    transaction: Transaction,
    rows: Sequence[tuple[PreparedMemory, Mapping[str, Any]]],
    sessions: Mapping[SessionKey, SessionState],
    touched: Collection[str] = (),
) -> frozenset[str]:
    """Create memories with properties and vectors, and append them to their sessions.

    Existing ones of the touched scopes get a new version, and are returned.

    Raises
    ------
    EmbedderChangedError
        See ``check_slot``.
    """
    if not rows:
        return frozenset()
    chains = chain({row.uid: row.new.text for row, _ in rows}, sessions)
    times = Times()
    values = [
        {
            "label": row.new.kind.capitalize(),
            **times.part(
                {**properties, "context_text": chains.contexts.get(row.uid, row.new.text)}
            ),
            **vector_row(row.embedding),
        }
        for row, properties in rows
    ]
    saved = await transaction.run(
        QUERIES["memories.save_memories"],
        {
            "rows": values,
            "times": times.texts,
            "touched": sorted(touched),
            **chains.parameters(),
        },
        rows[0][0].embedding.slot,
    )
    check_slot(saved[0]["saved"] if saved else 0, values)
    await save_also(transaction, {row.uid: row for row, _ in rows})
    return frozenset(saved[0]["renewed"])


def check_slot(written: int, rows: Sequence[object]) -> None:
    """Refuse rows whose slot is no longer in use; the statement has not written them.

    Raises
    ------
    EmbedderChangedError
        If the graph was switched to another embedder meanwhile.
    """
    if written < len(rows):
        raise EmbedderChangedError


async def save_also(
    transaction: Transaction, rows: Mapping[str, PreparedMemory | Amendment]
) -> None:
    """Write vectors of the other slot, by uid, during a re-embedding."""
    also = [(uid, row.also) for uid, row in sorted(rows.items()) if row.also]
    if also:
        await transaction.run(
            QUERIES["operation.save_vectors"].choose("new"),
            {"rows": [{"uid": uid, **vector_row(vector)} for uid, vector in also]},
            also[0][1].slot,
        )
