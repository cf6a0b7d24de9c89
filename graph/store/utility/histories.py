"""Histories of Q: reading, and truncation at a checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.rows import from_row
from graph.model.utility.rewards import Checkpoint, History, HistoryEntry, Move, Track, Trimming

Row = dict[str, Any]

_SLACK = 10  # entries above the limit before a history is trimmed, so that few rewards trim one


async def trim(transaction: Transaction, moves: Sequence[Move], trimming: Trimming) -> None:
    """Trim the histories that a reward makes too long; their memories are locked.

    Called before the reward is written: rewards are locked after memories, scopes last.
    """
    limit = trimming.history_limit
    longest = limit + max(_SLACK, limit // 4)
    long = {move.uid: move.seq for move in moves if move.seq - move.before.base_seq > longest}
    if not long:
        return
    scopes = sorted({move.before.scope for move in moves})
    histories = await read_histories(transaction, sorted(long), scopes)
    points = [trimming.fold(history, long[history.uid] - limit) for history in histories]
    folded = sorted(
        (entry.reward_uid, point.uid, entry.seq, int(entry.via == "direct"))
        for point in points
        for entry in point.folded
    )
    await transaction.run(
        QUERIES["utility.fold_history"],
        {
            "rows": [{"uid": point.uid, "base": _base(point)} for point in points],
            "estimates": [row for point in points for row in _estimate_bases(point)],
            "entries": [
                {"reward_uid": reward, "uid": uid, "seq": seq, "direct": direct}
                for reward, uid, seq, direct in folded
            ],
        },
    )
    rewards = sorted({row[0] for row in folded})
    await transaction.run(QUERIES["utility.delete_spent"], {"uids": rewards})


async def read_histories(
    transaction: Transaction, uids: Sequence[str], scopes: Sequence[str]
) -> list[History]:
    """Read the stored histories of memories in these scopes; the uids are sorted."""
    rows = await transaction.run(
        QUERIES["utility.histories"], {"uids": list(uids), "scopes": list(scopes)}
    )
    return as_histories(rows)


def as_histories(rows: Iterable[Row]) -> list[History]:
    """Convert rows of ``utility.histories`` to histories."""
    return [_history(row) for row in rows]


def _history(row: Row) -> History:
    memory: Row = row["memory"]
    entries = tuple(_entry(entry) for entry in row["entries"])
    base_at = memory["q_base_at"]
    return History(
        row["uid"],
        _track(memory),
        _base_track(memory),
        memory["q_base_seq"] or 0,
        base_at and base_at.to_native(),
        entries,
        {estimate["context"]: _track(estimate) for estimate in row["estimates"]},
        {estimate["context"]: _base_track(estimate) for estimate in row["estimates"]},
    )


def _track(node: Row) -> Track:
    found = [node.get(name) for name in ("q_value", "q_count", "q_left", "q_m2", "q_init")]
    # defaults of a memory without rewards
    births: tuple[Any, ...] = (0.5, 0, 1.0, 0.0, 0.5)
    return Track(
        *(birth if value is None else value for value, birth in zip(found, births, strict=True))
    )


def _base_track(node: Row) -> Track:
    initial = _track(node).initial
    if node.get("q_base") is None:
        return Track(initial, initial=initial)
    return Track(
        node["q_base"], node["q_base_count"], node["q_base_left"], node["q_base_m2"], initial
    )


def _entry(entry: Row) -> HistoryEntry:
    early = {
        "target": entry["reward"],
        "strength": 1.0,
        "via": "direct",
    }  # written before these were stored
    return from_row(HistoryEntry, {**early, **entry}, scope=entry["task_scope"])


def _base(point: Checkpoint) -> Row:
    return {**_base_of(point.base), "q_base_seq": point.seq, "q_base_at": point.at}


def _base_of(track: Track) -> Row:
    return {
        "q_base": track.value,
        "q_base_left": track.left,
        "q_base_m2": track.deviation,
        "q_base_count": track.count,
    }


def _estimate_bases(point: Checkpoint) -> list[Row]:
    return [
        {"memory_uid": point.uid, "context": context, "base": _base_of(track)}
        for context, track in sorted(point.estimates.items())
    ]
