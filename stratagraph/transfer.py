"""Export and import of whole graphs as series of repeatable calls."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter
from pydantic_core import to_json

from stratagraph import wire
from stratagraph.call import Call, Caller
from stratagraph.errors import ConnectionFailedError
from stratagraph.operations.declaration import RACE
from stratagraph.rows import batches

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields

PAGES = 4
_NDJSON = {"Content-Type": "application/x-ndjson", "Accept": "application/x-ndjson"}
_TYPE = re.compile(rb'\s*\{\s*"type"\s*:\s*"([a-z]{1,20})"')
_FRAME = frozenset({"header", "position", "footer", "error"})
_BROKEN_TRIES = 3

Line = bytes | str | Mapping[str, Any]
_AnswerLine = wire.LineReport | wire.ImportProgress | wire.ImportSummary | wire.ImportBroken
_ANSWER: TypeAdapter[_AnswerLine] = TypeAdapter(_AnswerLine)


@dataclass(frozen=True, slots=True)
class ImportPart:
    """Result of the lines up to ``line``.

    ``counts`` are those of this part. ``complete`` is set in the last part: whether all lines counted by the export's
    footer were there; None for lines that are no export.
    """

    line: int
    counts: wire.ImportCounts
    reports: tuple[wire.LineReport, ...] = ()
    embedded: int = 0
    complete: bool | None = None


class Exporting:
    """State of an export: the next call, and the received lines."""

    def __init__(
        self,
        caller: Caller,
        scope: Literal["tenant"] | None,
        identity: IdentityFields,
        *,
        vectors: bool,
        after: str | None,
    ) -> None:
        whose = {"scope": scope} if scope else caller.fields(identity)
        self._query = whose | ({"vectors": "true"} if vectors else {})
        self._after = after
        self._done = False
        self._broken = _Interruptions()

    def call(self) -> Call[bytes] | None:
        """Return the next call; None at the end."""
        if self._done:
            return None
        place = {"after": self._after} if self._after else {}
        query = self._query | place | {"pages": PAGES}
        return Call("GET", "/v1/export", bytes, query=query, headers={"Accept": _NDJSON["Accept"]})

    def take(self, body: bytes) -> bytes:
        """Return the received complete lines; none if the call was interrupted and is repeated."""
        end = body.rstrip(b"\n").rfind(b"\n") + 1
        last = json.loads(body[end:] or b"{}")
        match last:
            case {"type": "position", "after": str(after)}:
                self._after = after
            case {"type": "footer"}:
                self._done = True
            case _:
                self._broken.note(str(last.get("detail", "the export broke off")))
                # dropped completely: the pages since the last position are sent again
                return b""
        self._broken = _Interruptions()
        return body


class Importing:
    """State of an import: the next call, and its results."""

    def __init__(
        self,
        caller: Caller,
        lines: Iterable[Line],
        identity: IdentityFields,
        *,
        first_line: int,
        agent_map: Mapping[str, str],
        dry_run: bool,
        path: str = "/v1/import",
        more: Mapping[str, Any] | None = None,
    ) -> None:
        self._path = path
        self._query: dict[str, Any] = {**caller.fields(identity), **(more or {})}
        if agent_map:
            self._query["agent_map"] = [f"{old}={new}" for old, new in agent_map.items()]
        if dry_run:
            self._query["dry_run"] = "true"
        self._line = first_line
        self._seen = _LineCounts(whole=first_line == 1)
        # in batches as they are read: a file may be larger than memory
        self._parts = batches(map(self._written, lines))
        self._part: list[bytes] | None = next(self._parts, None)
        self._broken = _Interruptions()

    def call(self) -> Call[tuple[_AnswerLine, ...]] | None:
        """Return the next call; None at the end."""
        if self._part is None:
            return None
        return Call(
            "POST",
            self._path,
            _read,
            query={**self._query, "first_line": self._line},
            body=b"".join(self._part),
            headers=_NDJSON,
            busy=RACE,
        )

    def take(self, answer: tuple[_AnswerLine, ...]) -> ImportPart | None:
        """Return the result of a part; None if it was interrupted and is sent again."""
        last = answer[-1]
        # interrupted: stored lines change nothing when they are sent again
        if not isinstance(last, wire.ImportSummary):
            detail = last.detail if isinstance(last, wire.ImportBroken) else "no summary came"
            self._broken.note(detail)
            return None
        self._broken = _Interruptions()
        self._line += len(self._part or ())
        self._part = next(self._parts, None)
        part = ImportPart(
            self._line - 1,
            last.counts,
            tuple(line for line in answer if isinstance(line, wire.LineReport)),
            last.embedded,
        )
        return replace(part, complete=self._seen.complete) if self._part is None else part

    def _written(self, line: Line) -> bytes:
        raw = line.encode() if isinstance(line, str) else line
        raw = raw if isinstance(raw, bytes) else to_json(dict(raw))
        self._seen.note(raw)
        return raw if raw.endswith(b"\n") else raw + b"\n"


class _Interruptions:
    """Counts consecutive interrupted answers."""

    def __init__(self) -> None:
        self._times = 0

    def note(self, detail: str) -> None:
        self._times += 1
        if self._times == _BROKEN_TRIES:
            raise ConnectionFailedError(f"The service broke off {self._times} times: {detail}")


class _LineCounts:
    """Compares the received lines with the counts of a footer."""

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self._counts = Counter[str]()
        self._headed = False
        self._footer: Mapping[str, int] | None = None

    @property
    def complete(self) -> bool | None:
        if not self._whole or not (self._headed or self._footer):
            # started in the middle: the lines before are unknown
            return None
        return self._footer == self._counts

    def note(self, raw: bytes) -> None:
        match = _TYPE.match(raw)
        kind = match[1].decode() if match else _type_by_parsing(raw)
        if kind not in _FRAME and raw.strip():
            self._counts[kind] += 1
        self._headed = self._headed or kind == "header"
        if kind == "footer":
            self._footer = _counts(raw)


def _type_by_parsing(raw: bytes) -> str:
    """Return the type of a line that does not begin with it."""
    try:
        value: Any = json.loads(raw)
        return str(value.get("type", "memory"))
    except (ValueError, AttributeError, RecursionError):
        return "unusable"


def _counts(raw: bytes) -> Mapping[str, int] | None:
    try:
        return wire.FooterLine.model_validate_json(raw).counts
    except ValueError:
        return None


def _read(body: bytes) -> tuple[_AnswerLine, ...]:
    lines: Iterator[bytes] = iter(body.splitlines())
    answer = tuple(_ANSWER.validate_json(line) for line in lines)
    if not answer:
        raise ValueError("an import answers with a line at least")
    return answer
