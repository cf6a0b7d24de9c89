"""Each call of the service as a value: what is sent, and how the answer is read. No I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast
from urllib.parse import quote

from pydantic import BaseModel
from pydantic_core import to_json

from stratagraph import wire
from stratagraph.errors import UsageError

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields, RecallFields, RememberFields, RowFields

A = TypeVar("A")
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

# Under the service's limit of 32 MB for a body, however long the rows.
MAX_BATCH_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Call(Generic[A]):
    """One request and how its answer is read.

    ``repeatable``: sent twice it does what it does once, so that it may be tried again when it is
    not known whether it arrived. ``gone_is_done``: a repeat that finds nothing did its work before.
    ``accepts``: statuses that are answers beside 2xx. ``busy``: statuses that ask for a repeat
    beside the usual ones.
    """

    method: str
    path: str
    read: Callable[[bytes], A]
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    gone_is_done: bool = False
    accepts: frozenset[int] = frozenset()
    busy: frozenset[int] = frozenset()


# The same memories are being written by another, who may be this call's own first attempt.
RACE = frozenset({409})

# A task made of several calls: it is sent the answer to each call that it yields.
Plan = Generator[Call[Any], Any, T]


@dataclass(frozen=True, slots=True)
class Caller:
    """Whom a client stands for."""

    agent_id: str | None = None
    channel_ids: Sequence[str] = ()
    user_ids: Sequence[str] = ()

    def fields(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the identity to send; what a call names replaces what the client stands for."""
        own = {
            "agent_id": self.agent_id,
            "channel_ids": self.channel_ids,
            "user_ids": self.user_ids,
        }
        return _given(own | {name: given[name] for name in own if name in given})


def remember(caller: Caller, text: str, fields: RememberFields) -> Call[wire.RememberAnswer]:
    body = _given({**fields, "text": text}) | caller.fields(fields)
    return replace(_post("/v1/memories", body, wire.RememberAnswer), busy=RACE)


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
    return wire.BatchAnswer(counts=wire.CountsView(**counts), results=tuple(answers))


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


def recall(caller: Caller, text: str | None, fields: RecallFields) -> Call[wire.RecallAnswerView]:
    question = _given({**fields, "text": text})
    if "utility_weight" in question:
        question["lambda"] = question.pop("utility_weight")
    if "filters" in question:
        question["filters"] = _filters(question["filters"])
    return _post("/v1/recall", question | caller.fields(fields), wire.RecallAnswerView)


def report_outcome(
    caller: Caller,
    task_id: str,
    status: wire.Status,
    quality: float | None,
    identity: IdentityFields,
) -> Call[wire.OutcomeView]:
    body = _given({"status": status, "quality": quality}) | caller.fields(identity)
    return _post(f"/v1/tasks/{segment(task_id)}/outcome", body, wire.OutcomeView)


def get(caller: Caller, name: str, identity: IdentityFields) -> Call[wire.MemoryView]:
    path = f"/v1/memories/{segment(name)}"
    return Call("GET", path, reader(wire.MemoryView), query=caller.fields(identity))


def delete(caller: Caller, name: str, identity: IdentityFields) -> Call[None]:
    path = f"/v1/memories/{segment(name)}"
    return Call("DELETE", path, _nothing, query=caller.fields(identity), gone_is_done=True)


def health() -> Call[wire.HealthView]:
    return Call("GET", "/healthz", reader(wire.HealthView))


def ready() -> Call[wire.HealthView]:
    return Call("GET", "/readyz", reader(wire.HealthView), accepts=frozenset({503}))


def reader(model: type[M]) -> Callable[[bytes], M]:
    return model.model_validate_json


def segment(name: str) -> str:
    """Write a name so that it is one step of a path, whatever it holds."""
    return quote(name, safe="") if name.strip(".") else name.replace(".", "%2E")


def _post(path: str, body: Mapping[str, Any], answer: type[M]) -> Call[M]:
    return Call("POST", path, reader(answer), body=_json(body))


def _batch(
    head: Mapping[str, Any], rows: Sequence[bytes], *, atomic: bool
) -> Call[wire.BatchAnswer]:
    members = [b'"memories":[' + b",".join(rows) + b"]"]
    if head:
        members.insert(0, _json(head)[1:-1])
    call = _post("/v1/memories", {}, wire.BatchAnswer)
    query = {"atomic": "true"} if atomic else {}
    return replace(call, body=b"{" + b",".join(members) + b"}", query=query, busy=RACE)


def _row(row: str | RowFields | wire.MemoryRequest) -> bytes:
    if isinstance(row, str):
        return _json({"text": row})
    return _json(_said(row) if isinstance(row, BaseModel) else _given(row))


def _filters(filters: object) -> dict[str, Any]:
    if isinstance(filters, BaseModel):
        return _said(filters)
    return _given(cast("Mapping[str, Any]", filters))


def _said(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _json(value: object) -> bytes:
    """Encode; what cannot be encoded is the caller's mistake."""
    try:
        return to_json(value, fallback=_as_list)
    except (TypeError, ValueError) as error:
        raise UsageError(f"This cannot be sent as JSON: {error}") from error


def _as_list(value: object) -> object:
    # An array of numpy or torch, which this package does not know.
    if hasattr(value, "tolist"):
        return cast("Any", value).tolist()
    raise TypeError(f"a value of type {type(value).__name__}")


def _nothing(_content: bytes) -> None:
    return None
