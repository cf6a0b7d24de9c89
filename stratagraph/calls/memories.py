"""Memories: remembered, read, removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from stratagraph import wire
from stratagraph.calls.call import (
    Call,
    Caller,
    Plan,
    encoded,
    filters_of,
    post,
    reader,
    said,
    segment,
    stated,
)
from stratagraph.errors import UsageError

if TYPE_CHECKING:
    from stratagraph.fields import DeleteFields, IdentityFields, RememberFields, RowFields

# Under the service's limit of 32 MB for a body, however long the rows.
MAX_BATCH_BYTES = 16 * 1024 * 1024
# The same memories are being written by another, who may be this call's own first attempt.
RACE = frozenset({409})


def remember(caller: Caller, text: str, fields: RememberFields) -> Call[wire.RememberAnswer]:
    body = stated({**fields, "text": text}) | caller.fields(fields)
    return replace(post("/v1/memories", body, wire.RememberAnswer), busy=RACE)


def remember_all(
    caller: Caller,
    rows: Iterable[str | RowFields | wire.MemoryRequest],
    identity: IdentityFields,
    *,
    atomic: bool,
) -> Plan[wire.BatchAnswer]:
    """Send as many rows at a time as the service takes; rows keep their numbers."""
    parts: Iterable[list[bytes]] = batches(map(_row, rows))
    if atomic:
        parts = list(parts)
        if len(parts) > 1:
            raise UsageError("atomic: needs all rows in one request, 1,000 and 16 MB at most")
    answers: list[wire.RowAnswer] = []
    head = caller.fields(identity)
    for part in parts:
        start = len(answers)
        answer: wire.BatchAnswer = yield _batch(head, part, atomic=atomic)
        answers += [row.model_copy(update={"index": start + row.index}) for row in answer.results]
    counts = Counter(answer.status for answer in answers)
    return wire.BatchAnswer(
        counts=wire.CountsView(**counts),
        results=tuple(answers),
        redacted=wire.redacted_in(answers),
    )


def batches(rows: Iterable[bytes]) -> Generator[list[bytes]]:
    """Split rows so that each part fits into one request."""
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


def get(caller: Caller, name: str, identity: IdentityFields) -> Call[wire.SingleMemoryView]:
    path = f"/v1/memories/{segment(name)}"
    return Call("GET", path, reader(wire.SingleMemoryView), query=caller.fields(identity))


def supersede(
    caller: Caller, newer: str, older: str, identity: IdentityFields
) -> Call[wire.SupersessionView]:
    path = _between(newer, older)
    return Call("PUT", path, reader(wire.SupersessionView), query=caller.fields(identity))


def unsupersede(caller: Caller, newer: str, older: str, identity: IdentityFields) -> Call[None]:
    return Call("DELETE", _between(newer, older), _nothing, query=caller.fields(identity))


def delete(caller: Caller, name: str, identity: IdentityFields) -> Call[None]:
    path = f"/v1/memories/{segment(name)}"
    return Call("DELETE", path, _nothing, query=caller.fields(identity), gone_is_done=True)


def delete_many(caller: Caller, fields: DeleteFields) -> Call[wire.DeleteAnswer]:
    """Remove many, or say which; what a lost answer removed is not asked for again.

    A repeat would also remove what others stored since, and count what is gone as never there.
    """
    body = stated(fields)
    if "filters" in body:
        body["filters"] = filters_of(body["filters"])
    call = post("/v1/memories/delete", body | caller.fields(fields), wire.DeleteAnswer)
    return replace(call, repeatable=fields.get("dry_run") is not False)


def _batch(
    head: Mapping[str, Any], rows: Sequence[bytes], *, atomic: bool
) -> Call[wire.BatchAnswer]:
    members = [b'"memories":[' + b",".join(rows) + b"]"]
    if head:
        members.insert(0, encoded(head)[1:-1])
    call = post("/v1/memories", {}, wire.BatchAnswer)
    query = {"atomic": "true"} if atomic else {}
    return replace(call, body=b"{" + b",".join(members) + b"}", query=query, busy=RACE)


def _row(row: str | RowFields | wire.MemoryRequest) -> bytes:
    if isinstance(row, str):
        return encoded({"text": row})
    return encoded(said(row) if isinstance(row, BaseModel) else stated(row))


def _between(newer: str, older: str) -> str:
    return f"/v1/memories/{segment(newer)}/supersedes/{segment(older)}"


def _nothing(_content: bytes) -> None:
    return None
