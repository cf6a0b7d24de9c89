"""Events emitted by a reward."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from graph.kernel.events import Event, EventName
from graph.model.utility.rewards import Move, RewardNote
from graph.ports.world import Identifiers

_MOST_MOVES = 200


def reward_events(
    note: RewardNote, moves: Sequence[Move], credits: int, identifiers: Identifiers
) -> tuple[Event, ...]:
    """Return the events of a reward: whom it was attributed to, and in each scope what it moved.

    Nobody hears of what lies in a scope that it does not read.
    """
    said: list[tuple[EventName, str, dict[str, Any]]] = [
        (
            "memory:reward_attributed",
            note.scope,
            {
                "reward_uid": note.uid,
                "kind": note.kind,
                "reward": note.reward,
                "memories": len(moves),
                "credits": credits,
            },
        )
    ]
    # one event for each scope: who reads one scope does not hear of another
    by_scope = sorted(moves, key=lambda move: (move.before.scope, move.uid))
    for scope, each in groupby(by_scope, key=lambda move: move.before.scope):
        said.append(moved_event(scope, list(each), note.kind))
    kind, _, agent = note.scope.partition("/")[2].partition("/")
    return tuple(
        Event(
            identifiers.new_uid(note.recorded_at),
            name,
            scope,
            agent if kind == "agent" else "",
            note.recorded_at,
            data,
        )
        for name, scope, data in said
    )


def moved_event(
    scope: str, moves: Sequence[Move], source: str
) -> tuple[EventName, str, dict[str, Any]]:
    """Return name, scope and data of what tells of memories that moved."""
    if len(moves) == 1:
        [move] = moves
        old, new = move.before.track.value, move.after.value
        data: dict[str, Any] = {
            "uid": move.uid,
            "old": old,
            "new": new,
            "reward": move.reward,
            "delta": new - old,
            "source": source,
        }
        return "memory:qvalue_updated", scope, data
    shown = [[move.uid, move.before.track.value, move.after.value] for move in moves[:_MOST_MOVES]]
    return "memory:qvalue_batch_updated", scope, {"updated": len(moves), "moves": shown}
