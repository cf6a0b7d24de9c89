"""One scope as a process holds it, in columns."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graph.model import KINDS, PHASES, STATES, STRATA
from graph.store.candidates import recallable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from graph.model import Floats, Recallable, Slot
    from graph.store.versions import Version

_BYTES_PER_MEMORY = 1_500  # what Python holds of one beside its text, its vector and its edges
_BYTES_PER_EDGE = 250
NAMES = ("kind", "stratum", "state", "phase", "correct")
KEYS = ("agent", "session", "domain", "model")
_TIMES = ("occurred", "recorded", "valid_from", "valid_to", "expires", "held_until")
COUNTED = ("access_count", "w0", "w_at")
"""What an access changes."""
_NUMBERS = {
    "q_value": np.float64,
    "q_count": np.int64,
    "q_left": np.float64,
    "q_init": np.float64,
    "q_m_two": np.float64,
    "importance": np.int64,
    "access_count": np.int64,
    "w0": np.float64,
    "w_at": np.float64,
    "occurred_at": np.float64,
    "link_count": np.int64,
}

_VALUES = (*KINDS, *STRATA, *STATES, *PHASES, "", "true", "false")
_CODES = {value: code for code, value in enumerate(dict.fromkeys(_VALUES))}

Column = np.ndarray[Any, np.dtype[Any]]
Edges = dict[str, list[tuple[str, str, float | None]]]


@dataclass(slots=True)
class HotScope:
    """The memories of one scope at one version, in the order of their uids.

    ``out`` and ``into`` hold the edges of a uid as (uid of the other end, type, confidence of
    what replaces another or None).
    """

    scope: str
    version: str | None
    counted: str | None
    slot: Slot
    memories: tuple[Recallable, ...]
    row_of: dict[str, int]
    vectors: Column
    lengths: Floats
    embedded: Column
    columns: dict[str, Column]
    tags: tuple[frozenset[str], ...]
    out: Edges
    into: Edges
    size: int

    def __len__(self) -> int:
        return len(self.memories)

    def count_accesses(self, written: Mapping[str, Sequence[Any]], counted: str) -> None:
        """Take over what was written right after what is held."""
        for place, uid in enumerate(written["uid"]):
            if (row := self.row_of.get(uid)) is not None:
                for name in COUNTED:
                    self.columns[name][row] = written[name][place]
        self.counted = counted


def hot_scope(
    scope: str, version: Version, slot: Slot, row: Mapping[str, Any], dimension: int
) -> HotScope:
    """Hold what `load_scope` read."""
    uids = cast("list[str]", row["uid"])
    vectors, embedded = _vectors(row["vector"], dimension)
    memories = tuple(recallable(values) for values in row["shown"])
    edges = [
        (uid, target, kind, confidence)
        for uid, ends in zip(uids, row["edges"], strict=True)
        for target, kind, confidence in ends
        if target is not None
    ]
    return HotScope(
        scope=scope,
        version=version[0],
        counted=version[1],
        slot=slot,
        memories=memories,
        row_of={uid: place for place, uid in enumerate(uids)},
        vectors=vectors,
        lengths=np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64),
        embedded=embedded,
        columns=_columns(row),
        tags=tuple(frozenset(memory.tags) for memory in memories),
        out=_grouped(edges),
        into=_grouped((end, start, kind, sure) for start, end, kind, sure in edges),
        size=_size(memories, vectors, len(edges)),
    )


def joined(scopes: Sequence[HotScope]) -> HotScope:
    """Put scopes together for one question."""
    held = [scope for scope in scopes if len(scope)] or list(scopes[:1])
    if len(held) == 1:
        return held[0]
    memories = tuple(chain.from_iterable(scope.memories for scope in held))
    columns = {
        name: np.concatenate([scope.columns[name] for scope in held]) for name in held[0].columns
    }
    return HotScope(
        scope="",
        version=None,
        counted=None,
        slot=held[0].slot,
        memories=memories,
        row_of={memory.uid: place for place, memory in enumerate(memories)},
        vectors=np.concatenate([scope.vectors for scope in held]),
        lengths=np.concatenate([scope.lengths for scope in held]),
        embedded=np.concatenate([scope.embedded for scope in held]),
        columns=columns,
        tags=tuple(chain.from_iterable(scope.tags for scope in held)),
        out=_merged([scope.out for scope in held]),
        into=_merged([scope.into for scope in held]),
        size=0,
    )


def passing_codes(values: Iterable[str]) -> Column:
    """Say for each code of a name whether it is among some values; the last is that of no name."""
    passing = np.zeros(len(_CODES) + 1, dtype=np.bool_)
    passing[[_CODES[value] for value in values]] = True
    return passing


def _vectors(column: Sequence[Sequence[Any]], dimension: int) -> tuple[Column, Column]:
    """Read vectors as they came over the wire: numbers in the order of bytes of the network."""
    given = [vector for (vector,) in column]
    missing = bytes(4 * dimension)
    packed = b"".join(missing if vector is None else vector.raw() for vector in given)
    vectors = np.frombuffer(packed, dtype=">f4").astype(np.float32).reshape(-1, dimension)
    return vectors, np.array([vector is not None for vector in given], dtype=np.bool_)


def _columns(row: Mapping[str, Any]) -> dict[str, Column]:
    columns: dict[str, Column] = {
        name: np.array(row[name], dtype=kind) for name, kind in _NUMBERS.items()
    }
    for name in NAMES:
        columns[name] = np.array([_CODES.get(value, -1) for value in row[name]], dtype=np.int64)
    for name in KEYS:
        columns[f"{name}_key"] = np.array(row[f"{name}_key"], dtype=np.int64)
    known = [None not in times for times in row["times"]]
    for place, name in enumerate(_TIMES):
        columns[name] = np.array([times[place] or 0 for times in row["times"]], dtype=np.int64)
    columns["ended"] = np.array(row["ended"], dtype=np.bool_)
    columns["complete"] = np.array(row["complete"], dtype=np.bool_) & np.array(known, np.bool_)
    return columns


def _grouped(edges: Iterable[tuple[str, str, str, float | None]]) -> Edges:
    grouped: Edges = {}
    for uid, other, kind, confidence in edges:
        grouped.setdefault(uid, []).append((other, kind, confidence))
    return grouped


def _merged(edges: Sequence[Edges]) -> Edges:
    merged: Edges = {}
    for each in edges:
        for uid, ends in each.items():
            merged[uid] = merged[uid] + ends if uid in merged else ends
    return merged


def _size(memories: Sequence[Recallable], vectors: Column, edges: int) -> int:
    texts = sum(
        sys.getsizeof(memory.text) + sys.getsizeof(memory.metadata or "") for memory in memories
    )
    return (
        texts + vectors.nbytes + _BYTES_PER_MEMORY * (1 + len(memories)) + _BYTES_PER_EDGE * edges
    )
