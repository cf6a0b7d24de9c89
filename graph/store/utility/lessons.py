"""Writing of a reward and its events, in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.events import event_rows
from graph.database.fading import Rates
from graph.database.rows import to_row
from graph.model.utility.rewards import Lesson, Move, RewardNote
from graph.model.utility.tasks import Reward
from graph.store.utility.tracks import (
    credit_properties,
    entry_properties,
    estimate_rows,
    memory_properties,
    part_estimates,
)

Row = dict[str, Any]


async def save_lesson(
    transaction: Transaction,
    note: RewardNote,
    lesson: Lesson,
    event_life: timedelta | None,
    fading: Rates,
    ends: Sequence[Row] = (),
) -> None:
    """Write a reward and all it did; the memories are locked, and the scopes are from here on."""
    moves = sorted(lesson.moves, key=lambda move: move.uid)
    await transaction.run(
        QUERIES["utility.save_reward"],
        {
            "reward": to_row(note),
            "rows": [_row(move, note) for move in moves],
            "estimates": [row for move in moves for row in estimate_rows(move, note.recorded_at)],
            "credits": [credit_properties(credit) for credit in lesson.credits],
            "events": event_rows(lesson.events, event_life),
            "ends": list(ends),
            "scopes": sorted({move.before.scope for move in moves}),
            "now": note.recorded_at,
            "fading": fading,
        },
    )
    await part_estimates(transaction, moves)


def rewards_of(lesson: Lesson) -> tuple[Reward, ...]:
    """Return what a lesson did to each memory, by uid."""
    return tuple(
        Reward(move.uid, move.before.track.value, move.after.value, move.share, move.step)
        for move in sorted(lesson.moves, key=lambda move: move.uid)
    )


def _row(move: Move, note: RewardNote) -> Row:
    # a revert teaches nothing new: the time is that of the last reward that still holds
    at = move.rewarded_at if note.kind == "revert" else note.recorded_at
    return {
        "uid": move.uid,
        "raised": note.kind != "revert" and move.after.value > move.before.track.value,
        "entry": entry_properties(move),
        "memory": memory_properties(move, at),
    }
