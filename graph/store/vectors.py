"""Vectors of memories that are being written, in the slot that is read and in the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cypher import QUERIES
from graph.errors import EmbedderChangedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.model import Amendment, PreparedMemory, SlotVector
    from graph.store.driver import Transaction


def vector_row(vector: SlotVector) -> dict[str, Any]:
    """Return what a statement that writes vectors takes of one."""
    return {"embedder": vector.embedder, "vector": vector.vector.tolist()}


async def create_memories(
    transaction: Transaction, rows: Sequence[tuple[PreparedMemory, Mapping[str, Any]]]
) -> None:
    """Write new memories with their properties, and their vectors in every slot that asks.

    Raises
    ------
    EmbedderChangedError
        See ``check_slot``.
    """
    if not rows:
        return
    values = [
        {
            "label": row.new.kind.capitalize(),
            "properties": properties,
            **vector_row(row.embedding),
        }
        for row, properties in rows
    ]
    slot = rows[0][0].embedding.slot
    saved = await transaction.run(QUERIES["memory.save_memories"], {"rows": values}, slot)
    check_slot(saved[0]["saved"], values)
    await save_also(transaction, {row.uid: row for row, _ in rows})


def check_slot(written: int, rows: Sequence[object]) -> None:
    """Refuse rows whose slot the graph no longer reads; the statement has written none of them.

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
    """Write, by uid, the vectors for the other slot, where a re-embedding asks for them."""
    also = [(uid, row.also) for uid, row in sorted(rows.items()) if row.also]
    if also:
        await transaction.run(
            QUERIES["embedding.set_vectors"],
            {"rows": [{"uid": uid, **vector_row(vector)} for uid, vector in also]},
            also[0][1].slot,
        )
