"""Removal of an erased subject's data beside its memories, some of it per transaction."""

from __future__ import annotations

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.model.erasure.receipts import Subject
from graph.store.erasure.forgetting import forget_knowledge, run_counts

Counts = dict[str, int]


async def forget_surprises(transaction: Transaction, subject: Subject, limit: int) -> Counts:
    """Remove surprises and predictions of an owner; they are few, and answered until they are gone."""
    if not subject.owner:
        return {}
    asked = {
        "tenant": subject.tenant,
        "scope": subject.owner,
        "agent": subject.agent,
        "user": subject.user,
        "limit": max(1, limit // 2),
    }
    return await run_counts(transaction, QUERIES["erasure.forget_surprises"], asked)


async def sweep(transaction: Transaction, subject: Subject, limit: int) -> Counts:
    """Remove what else there is of a subject; of an owner, until nothing was found."""
    if not subject.owner:
        named = {"scope": subject.scope, "session_id": subject.name}
        gone = await run_counts(transaction, QUERIES["erasure.sweep_session"], named)
        return gone | await forget_knowledge(transaction, subject, limit)
    asked = {
        "tenant": subject.tenant,
        "scope": subject.owner,
        "actor": subject.actor,
        "limit": max(1, limit // 8),
    }
    gone = await run_counts(transaction, QUERIES["erasure.sweep_owned"], asked)
    for others in (
        await forget_surprises(transaction, subject, limit),
        await forget_knowledge(transaction, subject, limit),
    ):
        gone |= {name: gone.get(name, 0) + count for name, count in others.items()}
    return gone
