"""JSON lines: each limited while it arrives, and validated separately."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import jiter
import numpy as np

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import named_scope
from graph.model.memories.memory import NewMemory
from graph.model.transfer.records import (
    RECORD_TYPES,
    SCOPES,
    Entry,
    KeptMemory,
    LineFault,
    Record,
    RecordType,
)
from service.faults import FaultyRequestError, read_as
from service.http.kernel.body import json_fault
from service.http.kernel.security import caller_of
from service.http.memories.routes import new_memory
from stratagraph import wire

MAX_LINE_BYTES = 2 * 1024 * 1024

# Line models of records, such as `ScopeLine` of a scope.
_RECORDS: dict[RecordType, type[wire.Line]] = {
    name: getattr(wire, f"{name.capitalize()}Line") for name in RECORD_TYPES if name != "memory"
}
# State of a memory in its line: fields that a new memory lacks, without names and vector.
_LIFE = tuple(
    name
    for name in wire.MemoryLine.__annotations__
    if name not in {"type", "uid", "scope", "agent_id", "channel_id", "user_id"}
    and name not in {"recorded_at", "content_hash", "embedder", "embedding"}
)
_SAID = sorted(
    set(NewMemory.__dataclass_fields__)
    & set(wire.MemoryLine.model_fields) - {"scope", "links", "vector", "content_type"}
)
_FRAME = frozenset({"header", "position", "footer", "error"})
_NOT_KEPT = frozenset({"links", "scope_kind"})
_WHO = frozenset({"agent_id", "channel_ids", "user_ids"})

Content = NewMemory | KeptMemory | Record | None


class JudgedLines(ABC):
    """Base of readers of JSON lines, each an entry or the faults of its line."""

    def __init__(self, first_line: int) -> None:
        self.last_line = first_line - 1

    @property
    def complete(self) -> bool | None:
        """Return whether an export is complete; None if the lines are no export."""
        return None

    async def entries(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[Entry]:
        """Read entries line by line."""
        async for raw in split_lines(chunks):
            self.last_line += 1
            if raw is None:
                yield self._faulty(
                    LineFault(None, f"is longer than {MAX_LINE_BYTES // 1024 // 1024} MB")
                )
            elif raw.strip():
                yield self._entry(raw)

    def _entry(self, raw: bytes) -> Entry:
        try:
            value = jiter.from_json(raw, allow_inf_nan=False, catch_duplicate_keys=True)
        except ValueError as error:
            return self._faulty(LineFault(None, f"is not usable JSON: {json_fault(str(error))}"))
        try:
            return self._read(value, len(raw))
        except UnreadableExportError:
            raise  # such a file is for another release
        except FaultyRequestError as error:
            return self._faulty(*(LineFault(each.field, each.message) for each in error.faults))
        except InvalidInputError as error:
            message = error.message.removeprefix(f"{error.field}: ")
            return self._faulty(LineFault(error.field, message))

    def _faulty(self, *faults: LineFault) -> Entry:
        return Entry(self.last_line, 0, faults=faults)

    @abstractmethod
    def _read(self, value: object, size: int) -> Entry:
        """Parse a line with a known number of bytes."""


class LineReader(JudgedLines):
    """Reads lines as entries of one tenant, and counts them.

    ``identity`` owns plain rows without an owner; ``agents`` renames agents.
    """

    def __init__(
        self, tenant: str, identity: wire.Identity, agents: Mapping[str, str], first_line: int
    ) -> None:
        super().__init__(first_line)
        self._tenant = tenant
        self._identity = identity
        self._agents = agents
        self._headed = False
        self._footed: Mapping[str, int] | None = None
        self._counts = Counter[str]()

    @property
    def complete(self) -> bool | None:
        """Return whether the footer has the counts of the lines; None for lines that are no export."""
        return self._footed == self._counts if self._headed or self._footed else None

    def _read(self, value: object, size: int) -> Entry:
        if not isinstance(value, dict):
            return self._faulty(LineFault(None, "must be a JSON object"))
        return self._read_object(cast("dict[str, Any]", value), size)

    def _read_object(self, value: dict[str, Any], size: int) -> Entry:
        said: object = value.get("type", "memory")
        kind = said if isinstance(said, str) else ""
        if kind not in _FRAME:
            self._counts[kind] += 1
        content: Content = None
        model: type[wire.Line] | type[wire.MemoryLine] | None = None
        match kind:
            case "memory" if "uid" not in value:
                content = self._plain(value)
            case "memory":
                model, content = wire.MemoryLine, self._kept(value)
            case kind if kind in _RECORDS:
                model = _RECORDS[kind]
                content = self._record(kind, model, value)
            case "header":
                self._check_header(value)
            case "footer":
                self._footed = read_as(wire.FooterLine, value).counts
            case "position" | "error":
                pass
            case _:
                fault = LineFault("type", "is not known to this release", skipped=True)
                return self._faulty(fault)
        return Entry(self.last_line, size, content, _unknown(model, value) if model else ())

    def _check_header(self, value: Mapping[str, Any]) -> None:
        self._headed = True
        version: object = value.get("version")
        major = version.partition(".")[0] if isinstance(version, str) else ""
        if value.get("format") != wire.FORMAT or major != wire.FORMAT_VERSION.partition(".")[0]:
            raise UnreadableExportError(self.last_line)
        read_as(wire.HeaderLine, value)

    def _plain(self, value: dict[str, Any]) -> NewMemory:
        row = {name: said for name, said in value.items() if name != "type"}
        request = read_as(wire.RememberRequest, row)
        identity = request if row.keys() & _WHO else self._identity
        identity = wire.Identity(
            agent_id=self._agents.get(identity.agent_id or "", identity.agent_id),
            channel_ids=identity.channel_ids,
            user_ids=identity.user_ids,
        )
        return new_memory(caller_of(self._tenant, identity), request)

    def _kept(self, value: dict[str, Any]) -> KeptMemory:
        line = read_as(wire.MemoryLine, value)
        said = {name: getattr(line, name) for name in _SAID}
        said["agent_id"] = self._agents.get(line.agent_id or "", line.agent_id)
        new = NewMemory(
            scope=self._scope(line.scope),
            content_type=line.content_type or ("structured" if line.structured else "text"),
            **said,
        )
        life = {name: said for name in _LIFE if (said := getattr(line, name)) is not None}
        vector = None
        if line.embedding is not None:
            vector = np.frombuffer(line.embedding, dtype="<f4").astype(np.float32)
        elif line.vector is not None:
            vector = np.asarray(line.vector, dtype=np.float32)
        return KeptMemory(
            new=new,
            uid=line.uid,
            recorded_at=line.recorded_at,
            content_hash=line.content_hash,
            embedder=line.embedder,
            vector=vector,
            life=life,
        )

    def _record(self, kind: RecordType, model: type[wire.Line], value: dict[str, Any]) -> Record:
        line = read_as(model, value)
        values = line.model_dump(by_alias=True, exclude_none=True, exclude={"type"})
        values |= {name: self._scope(values[name]) for name in SCOPES if name in values}
        return Record(kind, values)

    def _scope(self, shown: str) -> str:
        owner, _, name = shown.partition("/")
        if owner == "agent":
            shown = f"agent/{self._agents.get(name, name)}"
        return named_scope(self._tenant, shown)


class UnreadableExportError(InvalidInputError):
    """The lines are an export of another format."""

    def __init__(self, line: int) -> None:
        version = wire.FORMAT_VERSION.partition(".")[0]
        super().__init__(
            f"version: line {line} heads an export that is not of version {version} of this "
            "format; a newer release may read it",
            field="version",
        )


async def split_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes | None]:
    """Split a stream into lines; None stands for one above the limit, which is not kept."""
    held = bytearray()
    lost = False
    async for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            held += part
            yield None if lost or len(held) > MAX_LINE_BYTES else bytes(held)
            held.clear()
            lost = False
        held += rest
        if len(held) > MAX_LINE_BYTES:
            lost = True
            held.clear()
    if held or lost:
        yield None if lost else bytes(held)


def _unknown(
    model: type[wire.Line] | type[wire.MemoryLine], value: Mapping[str, Any]
) -> tuple[LineFault, ...]:
    known = {info.alias or name for name, info in model.model_fields.items()} - _NOT_KEPT
    unknown = value.keys() - known
    named = sorted(name for name in unknown if name.isidentifier() and len(name) <= 64)
    message = "is not known to this release; the rest of the line counts"
    return tuple(
        LineFault(name if name in named else "(unknown)", message, skipped=True)
        for name in sorted(unknown)[:10]
    )
