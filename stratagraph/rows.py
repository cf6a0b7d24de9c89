"""Batches of memories or episodes in as many requests as needed, and the request of a change. No I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel

from stratagraph import wire
from stratagraph.call import Call, Caller, Plan, encoded, said, stated
from stratagraph.errors import UsageError
from stratagraph.operations.episodes import ADD_EPISODE
from stratagraph.operations.memories import AMEND, REMEMBER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stratagraph import wire
    from stratagraph.fields import EpisodeWhere, IdentityFields, PatchFields, RowFields
    from stratagraph.operations.declaration import Operation

# Below the service's limit of 32 MB for a body, for rows of any length.
MAX_BATCH_BYTES = 16 * 1024 * 1024
Episode = Mapping[str, Any] | wire.EpisodeRecord


def remember_all(
    caller: Caller,
    rows: Iterable[str | RowFields | wire.MemoryRequest],
    identity: IdentityFields,
    *,
    atomic: bool,
) -> Plan[wire.BatchAnswer]:
    """Send rows in batches of the maximum size; they keep their numbers."""
    parts: Iterable[list[bytes]] = batches(map(_row, rows))
    if atomic:
        parts = list(parts)
        if len(parts) > 1:
            raise UsageError("atomic: needs all rows in one request, 1,000 and 16 MB at most")
    answers: list[wire.RowAnswer] = []
    for part in parts:
        start = len(answers)
        call = _batch(REMEMBER, "memories", caller.fields(identity), part, wire.BatchAnswer)
        answer: wire.BatchAnswer = yield replace(call, query={"atomic": "true"} if atomic else {})
        answers += [row.model_copy(update={"index": start + row.index}) for row in answer.results]
    counts = Counter(answer.status for answer in answers)
    return wire.BatchAnswer(
        counts=wire.CountsView(**counts),
        results=tuple(answers),
        redacted=wire.redacted_in(answers),
    )


def add_episode(
    caller: Caller, episode: Episode, where: EpisodeWhere
) -> Call[wire.AddEpisodeAnswer]:
    """Return the request that adds one episode, given as a model or as the mapping of its source document."""
    return ADD_EPISODE.call(caller, {**_episode(episode), **where})


def add_episodes(
    caller: Caller, episodes: Iterable[Episode], where: EpisodeWhere
) -> Plan[wire.AddEpisodesAnswer]:
    """Send episodes in batches of the maximum size; they keep their numbers."""
    answers: list[wire.EpisodeRowAnswer] = []
    evicted: list[wire.EvictedView] = []
    head = stated(where) | caller.fields(where)
    for part in batches(encoded(_episode(episode)) for episode in episodes):
        start = len(answers)
        answer: wire.AddEpisodesAnswer = yield _batch(
            ADD_EPISODE, "episodes", head, part, wire.AddEpisodesAnswer
        )
        answers += [row.model_copy(update={"index": start + row.index}) for row in answer.results]
        evicted += answer.evicted
    counts = wire.CountsView(**Counter(answer.status for answer in answers))
    return wire.AddEpisodesAnswer(counts=counts, results=tuple(answers), evicted=tuple(evicted))


def batches(rows: Iterable[bytes]) -> Generator[list[bytes]]:
    """Split rows so that each batch fits into one request."""
    part: list[bytes] = []
    size = 0
    for row in rows:
        if part and (len(part) == wire.MAX_BATCH or size + len(row) > MAX_BATCH_BYTES):
            yield part
            part, size = [], 0
        part.append(row)
        size += len(row)
    if part:
        yield part


def _batch(
    operation: Operation[Any],
    name: str,
    head: Mapping[str, Any],
    rows: Sequence[bytes],
    answer: type[BaseModel],
) -> Call[Any]:
    members = [f'"{name}":['.encode() + b",".join(rows) + b"]"]
    if head:
        members.insert(0, encoded(head)[1:-1])
    body = b"{" + b",".join(members) + b"}"
    call = operation.call(Caller(), {})
    return replace(call, body=body, read=answer.model_validate_json)


def _row(row: object) -> bytes:
    if isinstance(row, str):
        return encoded({"text": row})
    if isinstance(row, BaseModel):
        return encoded(said(row))
    # Other values are sent as they are: the answer names this row, and the others are stored.
    return encoded(stated(cast("RowFields", row)) if isinstance(row, Mapping) else row)


def _episode(episode: Episode) -> dict[str, Any]:
    if isinstance(episode, BaseModel):
        return said(episode)
    made = dict(episode)
    at = made.get("timestamp")
    if isinstance(at, datetime) and at.tzinfo is None:
        made["timestamp"] = at.astimezone()  # as Python does: a time without zone is local
    return made


_MERGE_PATCH = "application/merge-patch+json"


def amend(
    caller: Caller,
    name: str,
    changes: PatchFields | Mapping[str, Any],
    if_match: wire.MemoryView | str | None,
    identity: IdentityFields,
) -> Call[wire.AmendedView]:
    """Return the request; with ``if_match`` it is not repeatable.

    A repeat could not tell its own change from another's.
    """
    headers = {"Content-Type": _MERGE_PATCH}
    if if_match is not None:
        headers["If-Match"] = if_match if isinstance(if_match, str) else tag_of(if_match)
    call = AMEND.call(caller, {"name": name})
    return replace(
        call,
        query=caller.fields(identity),
        body=encoded(dict(cast("Mapping[str, Any]", changes))),
        headers=headers,
        repeatable=if_match is None,
    )


def tag_of(memory: wire.MemoryView) -> str:
    """Return the entity tag of a memory as it was read."""
    return f'"{memory.uid}-{memory.revision}"'
