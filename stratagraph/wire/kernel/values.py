"""Types of names, texts, times and numbers in requests, with their limits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError, to_json

from stratagraph.vocabulary import BuiltInStratum, PhaseName, ScopeKind

RecallableState = Literal["active", "archived"]

MAX_TEXT_BYTES = 100_000
MAX_JSON_BYTES = 65_536
MAX_EPISODE_BYTES = 1_048_576
MAX_JSON_DEPTH = 32
MAX_BATCH = 1_000
PHASE_ALIASES = {
    "observe": "observation",
    "reason": "reasoning",
    "plan": "planning",
    "act": "action",
    "reflect": "reflection",
}

KNOWN_STRATA: ContextVar[Sequence[str] | None] = ContextVar("known_strata", default=None)
"""Strata of the tenant whose request is read; None where nobody knows them, as in a client."""

_STRATUM = "[a-z][a-z0-9_]{0,31}"
_MAX_INTEGER = 2**63
_FIRST_TIME = datetime(1, 1, 2, tzinfo=UTC)
_LAST_TIME = datetime(9999, 1, 1, tzinfo=UTC)


def to_set(description: str, example: object) -> Any:
    """Declare a field that sets a value; null restores that of the environment."""
    return Field(default=None, description=description, examples=[example])


def owner(whose: str = "Whose", example: ScopeKind = "agent") -> Any:
    """Declare the field of a request that selects the scope."""
    rule = "unset: the agent's, else the user's, else the channel's."
    return Field(default=None, description=f"{whose}; {rule}", examples=[example])


def fault(slug: Literal["text", "name", "time", "json", "request"], message: str) -> Exception:
    return PydanticCustomError(slug, message)  # pyright: ignore[reportArgumentType] -- not a template


def _text(value: str) -> str:
    if "\0" in value:
        raise fault("text", "must not hold the character NUL")
    if not value.strip():
        raise fault("text", "must not be empty")
    if len(value.encode()) > MAX_TEXT_BYTES:
        raise fault("text", "at most 100,000 bytes of UTF-8; split it into several")
    return value


def _stratum(value: str) -> str:
    known = KNOWN_STRATA.get()
    if known is not None and value not in known:
        raise fault("name", f"must be one of {', '.join(known)}")
    if known is None and not re.fullmatch(_STRATUM, value):
        raise fault("name", "must be lower-case letters, digits and _, 32 at most")
    return value


def _move_target(value: str) -> str:
    return value if value in {"up", "down"} else _stratum(value)


def _printable(value: str) -> str:
    if not value.strip() or not value.isprintable():
        raise fault("name", "must be printable characters, and not only spaces")
    return value


TIME_FORM = "must be a time with its time zone, such as 2026-05-01T09:00:00Z"


def time_as_text(value: object) -> object:
    if isinstance(value, (str, datetime)):
        return value
    raise fault("time", TIME_FORM)


def zoned(value: datetime) -> datetime:
    if value.utcoffset() is None:
        raise fault("time", TIME_FORM)
    if not _FIRST_TIME <= value < _LAST_TIME:
        raise fault("time", "must lie from 0001-01-02 to 9998-12-31 in UTC")
    return value.astimezone(UTC)


def _small_json(value: Any) -> Any:
    check_json(value, 1)
    if len(to_json(value)) > MAX_JSON_BYTES:
        raise fault("json", "at most 64 KiB as JSON")
    return value


def _not_empty(value: object) -> object:
    if value is None or value in ([], {}) or (isinstance(value, str) and not value.strip()):
        raise fault("json", "must not be empty")
    return value


def _structured(value: dict[str, Any]) -> dict[str, Any]:
    asked = value.get("input")
    if not isinstance(asked, Mapping) or "problem" not in asked:
        return _small_json(value)
    check_json(value, 1)
    if len(json.dumps(value, ensure_ascii=False).encode()) > MAX_EPISODE_BYTES:
        raise fault("json", "at most 1 MiB as JSON")
    return value


_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def check_json(value: object, depth: int) -> None:
    if depth > MAX_JSON_DEPTH:
        raise fault("json", "nested deeper than 32")
    if isinstance(value, Mapping):
        entries = cast("Mapping[object, object]", value)
        for key, entry in entries.items():
            _check_json_text(key)
            check_json(entry, depth + 1)
    elif isinstance(value, (list, tuple)):
        for entry in cast("Sequence[object]", value):
            check_json(entry, depth + 1)
    else:
        _check_json_leaf(value)


def _check_json_leaf(value: object) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, int):
        if not -_MAX_INTEGER <= value < _MAX_INTEGER:
            raise fault("json", "whole numbers must fit in 64 bits; send others as strings")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise fault("json", "numbers must be finite")
    else:
        _check_json_text(value)


def _check_json_text(value: object) -> None:
    if not isinstance(value, str):
        raise fault("json", "must be JSON: objects, lists, strings, numbers, booleans, null")
    if _NO_TEXT.search(value):
        raise fault("json", "strings must not hold NUL or lone surrogates")


def _phase(value: object) -> object:
    return PHASE_ALIASES.get(value, value) if isinstance(value, str) else value


def _unique(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Text = Annotated[str, AfterValidator(_text), Field(min_length=1)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=256), AfterValidator(_printable)]
MemoryName = Annotated[
    str, StringConstraints(min_length=1, max_length=265), AfterValidator(_printable)
]
# One name, or several.
MemoryNames = Annotated[
    tuple[MemoryName, ...],
    Field(max_length=16),
    BeforeValidator(_several),
    AfterValidator(_unique),
]
_STRATUM_SCHEMA: dict[str, Any] = {
    "pattern": f"^{_STRATUM}$",
    "examples": list(get_args(BuiltInStratum)),
}
# A stratum in a request: built-in, or one that the tenant has added.
Stratum = Annotated[str, AfterValidator(_stratum), Field(json_schema_extra=_STRATUM_SCHEMA)]
# A stratum, or `up` or `down` for the next one.
MoveTarget = Annotated[str, AfterValidator(_move_target), Field(json_schema_extra=_STRATUM_SCHEMA)]
# A stratum in an answer; it may have been removed since.
StratumName = Annotated[str, StringConstraints(pattern=f"^{_STRATUM}$")]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=128), AfterValidator(_printable)]
Tags = Annotated[tuple[Tag, ...], Field(max_length=64), AfterValidator(_unique)]
Names = Annotated[tuple[Name, ...], Field(max_length=100), AfterValidator(_unique)]
Time = Annotated[datetime, BeforeValidator(time_as_text), AfterValidator(zoned)]
JsonObject = Annotated[dict[str, Any], AfterValidator(_small_json)]
# Any JSON value.
JsonValue = Annotated[Any, AfterValidator(_small_json)]
# The same, but not empty: no null, blank text, empty list or object.
SaidJson = Annotated[JsonValue, AfterValidator(_not_empty)]
# An episode may be larger than other objects.
Structured = Annotated[dict[str, Any], AfterValidator(_structured)]
Phase = Annotated[PhaseName, BeforeValidator(_phase)]
Importance = Annotated[int, Field(strict=True, ge=1, le=5)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
PositiveShare = Annotated[float, Field(strict=True, gt=0, le=1)]
Signed = Annotated[float, Field(strict=True, ge=-1, le=1)]
Flag = Annotated[bool, Field(strict=True)]
# Beyond this a 32-bit float may overflow; only the direction of a vector counts.
Number = Annotated[float, Field(strict=True, ge=-1e9, le=1e9)]
Vector = Annotated[tuple[Number, ...], Field(min_length=1, max_length=4096)]

NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
TIME_EXAMPLE = "2026-05-01T09:30:00Z"
UID_EXAMPLE = "01JZ8M5Q0V7Y3T2N4R6W8X9ABC"

_LAMBDA: dict[str, Any] = {"validation_alias": "lambda", "serialization_alias": "lambda"}
# The weight of utility that a request sets, and that an answer names.
UtilityWeight = Annotated[
    Share | None,
    Field(
        **_LAMBDA,
        description="λ: 0 ranks by relevance alone, 1 by learned utility alone; unset: by phase.",
        examples=[0.5],
    ),
]
UsedUtilityWeight = Annotated[
    float, Field(**_LAMBDA, description="The λ that was used.", examples=[0.5])
]
TimeZone = Annotated[Name, Field(description="Where days begin.", examples=["Europe/Berlin"])]
NextCursor = Annotated[
    str | None,
    Field(description="Opens the next page; null at the end.", examples=["WyIyMDI2…"]),
]
