"""Sessions as chains of memories: their edges, locks, ends, and context texts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.kernel.scope import tenant_of
from graph.store.memories.saving import SavePlan, SessionKey, SessionState

CONTEXT_REACH = 2_000  # characters of each neighbour in the full-text index


@dataclass(frozen=True, slots=True)
class Chains:
    """Edges between new memories, as positions of rows, and the new ends of sessions.

    ``contexts`` are context texts of new memories.
    """

    pairs: list[dict[str, int]]
    joints: list[dict[str, Any]]
    ends: list[dict[str, Any]]
    contexts: Mapping[str, str]

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of `save_memories`."""
        return {
            "pairs": self.pairs,
            "joints": self.joints,
            "ends": self.ends,
            "reach": CONTEXT_REACH,
        }


def chain(texts: Mapping[str, str], sessions: Mapping[SessionKey, SessionState]) -> Chains:
    """Chain new memories at the end of each session; ``texts`` are those of new memories by uid, in order."""
    places = {uid: place for place, uid in enumerate(texts)}
    grown = [(key, state) for key, state in sorted(sessions.items()) if state.appended]
    joints = [
        {"tail": state.first_tail, "first": places[state.appended[0]]}
        for _, state in grown
        if state.first_tail
    ]
    return Chains(
        pairs=[
            {"before": places[before], "after": places[after]}
            for _, state in grown
            for before, after in pairwise(state.appended)
        ],
        joints=sorted(joints, key=lambda joint: joint["tail"]),
        ends=[
            {
                "scope": scope,
                "session_id": session_id,
                "last_sequence": state.last_sequence,
                "tail_uid": state.tail_uid,
            }
            for (scope, session_id), state in grown
        ],
        contexts=dict(pair for _, state in grown for pair in _contexts(texts, state.appended)),
    )


def _contexts(texts: Mapping[str, str], uids: Sequence[str]) -> Iterator[tuple[str, str]]:
    # words of an answer may only be in the question before it: T@10 .659 to .723 (ADR 5)
    said = [texts[uid] for uid in uids]
    for place, uid in enumerate(uids):
        around = [
            *(text[:CONTEXT_REACH] for text in said[max(place - 1, 0) : place]),
            said[place],
            *(text[:CONTEXT_REACH] for text in said[place + 1 : place + 2]),
        ]
        yield uid, "\n".join(around)


async def lock_sessions(
    transaction: Transaction, keys: Iterable[SessionKey], now: datetime
) -> Sequence[SessionKey]:
    """Lock sessions, sorted, before any of their memories; return them in this order."""
    names = sorted(set(keys))
    if names:
        await transaction.run(
            QUERIES["database.lock_nodes"].choose("sessions"),
            {
                "rows": [
                    {"scope": scope, "session_id": name, "tenant": tenant_of(scope)}
                    for scope, name in names
                ],
                "now": now,
            },
        )
    return names


async def lock_sessions_of(
    transaction: Transaction, uids: Sequence[str], now: datetime
) -> Sequence[SessionKey]:
    """Lock the sessions of memories, before these; return them."""
    query = QUERIES["memories.locate_memories"].without("ties")
    located = await transaction.run(query, {"uids": sorted(uids)})
    named = {(row["scope"], row["session_id"]) for row in located if row["session_id"]}
    return await lock_sessions(transaction, named, now)


async def session_tails(
    transaction: Transaction, keys: Sequence[SessionKey]
) -> dict[SessionKey, SessionState]:
    """Read the last memories of locked sessions; later places are appended."""
    states = {key: SessionState(None, None) for key in keys}
    for row in await _tails(transaction, keys):
        key = (row["scope"], row["session_id"])
        states[key] = SessionState(row["tail_sequence"], row["tail_uid"])
    return states


async def insert_in_sessions(transaction: Transaction, plan: SavePlan) -> None:
    """Insert memories with earlier places, and refresh the context texts around them."""
    touched = set[str]()
    inserted = sorted(uid for state in plan.sessions.values() for uid in state.inserted)
    if inserted:
        rows = await transaction.run(QUERIES["memories.insert_in_sessions"], {"uids": inserted})
        touched.update(rows[0]["touched"])
        await move_tails(transaction, [key for key, at in plan.sessions.items() if at.inserted])
    replaced = [existing.uid for row, existing in plan.replaced if row.new.session_id]
    touched |= await beside(transaction, replaced)
    await refresh_context(transaction, touched)


async def beside(transaction: Transaction, uids: Sequence[str]) -> set[str]:
    """Return memories and their neighbours in sessions."""
    if not uids:
        return set()
    rows = await transaction.run(QUERIES["memories.session_neighbours"], {"uids": list(uids)})
    return {row["uid"] for row in rows}


async def refresh_context(transaction: Transaction, uids: Collection[str]) -> None:
    """Refresh the context text: the turn before, the memory, and the turn after."""
    if uids:
        await transaction.run(
            QUERIES["memories.refresh_session_context"],
            {"uids": sorted(uids), "reach": CONTEXT_REACH},
        )


async def move_tails(transaction: Transaction, keys: Sequence[SessionKey]) -> Rows:
    """Write the new ends of sessions; return those of sessions with memories."""
    tails = await _tails(transaction, keys)
    if tails:
        await transaction.run(QUERIES["memories.update_sessions"].choose("ended"), {"rows": tails})
    return tails


async def note_ends(transaction: Transaction, keys: Sequence[SessionKey]) -> int:
    """Write the ends of sessions after removals; return how many sessions were removed as empty.

    Places are not reused: after the removal of the last memory, the next place follows the removed one.
    """
    tails = await move_tails(transaction, keys)
    empty = set(keys) - {(tail["scope"], tail["session_id"]) for tail in tails}
    if not empty:
        return 0
    rows = [{"scope": scope, "session_id": name} for scope, name in sorted(empty)]
    [gone] = await transaction.run(
        QUERIES["database.delete_nodes"].choose("sessions"), {"rows": rows}
    )
    return int(gone["deleted"])


async def _tails(transaction: Transaction, keys: Sequence[SessionKey]) -> Rows:
    if not keys:
        return []
    rows = [{"scope": scope, "session_id": name} for scope, name in keys]
    return await transaction.run(QUERIES["memories.session_tails"], {"rows": rows})
