"""Edges between new memories, and from the ends of their sessions to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from graph.store.memories.saving import SessionKey, SessionState

CONTEXT_REACH = 2_000  # characters of each neighbour in the full-text index


@dataclass(frozen=True, slots=True)
class Chains:
    """Edges between new memories, as positions among the rows, and the new end of each session.

    ``contexts`` are the words around each of them, but for those of a stored memory.
    """

    pairs: list[dict[str, int]]
    joints: list[dict[str, Any]]
    ends: list[dict[str, Any]]
    contexts: Mapping[str, str]

    def parameters(self) -> dict[str, Any]:
        """Return what `save_memories` takes of it."""
        return {
            "pairs": self.pairs,
            "joints": self.joints,
            "ends": self.ends,
            "reach": CONTEXT_REACH,
        }


def chain(texts: Mapping[str, str], sessions: Mapping[SessionKey, SessionState]) -> Chains:
    """Chain what is appended to each session; ``texts`` are the new memories by uid, in order."""
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
    # the words of an answer stand in the question before it: T@10 .659 to .723 (ADR 5)
    said = [texts[uid] for uid in uids]
    for place, uid in enumerate(uids):
        around = [
            *(text[:CONTEXT_REACH] for text in said[max(place - 1, 0) : place]),
            said[place],
            *(text[:CONTEXT_REACH] for text in said[place + 1 : place + 2]),
        ]
        yield uid, "\n".join(around)
