"""Conversion of records to and from the rows, nodes and properties of statements.

It follows the types of a record's fields: times are Python's, lists are tuples, and values that a property cannot hold,
such as a mapping or another record, are JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from functools import cache, partial
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from neo4j.time import DateTime

R = TypeVar("R")
_PLAIN = frozenset({str, int, float, bool, datetime, Literal})


def from_row(kind: type[R], row: Mapping[str, Any], /, **beside: Any) -> R:
    """Read a record from a row; a null becomes the field's default, if it has one.

    Values in ``beside`` are used as they are.
    """
    for name, field in _fields(kind).items():
        kept = row.get(name)
        if name not in beside and (kept is not None or field.needed):
            beside[name] = field.read(kept)
    return kind(**beside)


def to_row(record: object, *without: str) -> dict[str, Any]:
    """Return the fields of a record as node properties, but for ``without``."""
    return {
        name: field.written(getattr(record, name))
        for name, field in _fields(type(record)).items()
        if name not in without
    }


def as_json(value: object) -> str:
    """Return a value that a property cannot hold as JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=asdict)


class _Field(NamedTuple):
    """Conversion of a field from and to a property."""

    is_json: bool
    optional: bool
    needed: bool  # nullable, without a default
    make: Callable[[Any], Any]

    def read(self, kept: Any) -> Any:
        said = json.loads(kept) if self.is_json and isinstance(kept, str) else kept
        return None if said is None else self.make(said)

    def written(self, value: Any) -> Any:
        if value is None and self.optional:
            return None
        if self.is_json:
            return as_json(value)
        return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value


@cache
def _fields(kind: type[Any]) -> Mapping[str, _Field]:
    taken = signature(kind).parameters
    return {
        name: _field(hint, has_default=taken[name].default is not Parameter.empty)
        for name, hint in get_type_hints(kind).items()
    }


def _field(hint: Any, *, has_default: bool) -> _Field:
    kinds = get_args(hint)[:1] if get_origin(hint) is tuple else _kinds(hint)
    optional = NoneType in get_args(hint)
    needed = (optional or hint is Any) and not has_default
    return _Field(not all(map(_is_plain, kinds)), optional, needed, _maker(hint))


def _kinds(hint: Any) -> tuple[Any, ...]:
    """Return the possible types of a value, without null."""
    choices = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    return tuple(each for each in choices if each is not NoneType)


def _is_plain(hint: Any) -> bool:
    return hint in _PLAIN or get_origin(hint) in _PLAIN


def _maker(hint: Any) -> Callable[[Any], Any]:
    """Return the converter to a type from a value of the driver or of JSON."""
    kinds = _kinds(hint)
    kind = kinds[0] if len(kinds) == 1 else Any
    origin, parts = get_origin(kind), get_args(kind)
    if kind is datetime:
        return _time
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return partial(_nested, kind)
    if origin is tuple:
        return _all_of(_maker(parts[0]), tuple) if parts[-1] is Ellipsis else tuple
    if origin is list:
        return _all_of(_maker(parts[0]), list)
    if origin in {Mapping, dict}:
        return _each_of(_maker(parts[1]), int if parts[0] is int else _as_it_is)
    return _as_it_is


def in_utc(stored: DateTime) -> datetime:
    """Convert a time of the driver to UTC, as Neo4j orders equal instants by zone."""
    return stored.to_native().astimezone(UTC)


def _time(kept: Any) -> datetime:
    if isinstance(kept, str):
        return datetime.fromisoformat(kept)
    return kept.to_native() if isinstance(kept, DateTime) else kept


def _nested(kind: Any, kept: Mapping[str, Any] | Sequence[Any]) -> Any:
    if not isinstance(kept, Mapping):
        return kind(*kept)
    known = _fields(kind)
    made = ((n, None if value is None else known[n].make(value)) for n, value in kept.items())
    return kind(**dict(made))


def _all_of(make: Callable[[Any], Any], kind: type[Any]) -> Callable[[Any], Any]:
    return kind if make is _as_it_is else lambda kept: kind(map(make, kept))


def _each_of(make: Callable[[Any], Any], name: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda kept: {name(key): make(value) for key, value in kept.items()}


def _as_it_is(kept: Any) -> Any:
    return kept


_NAMES = (
    "occurred_at",
    "recorded_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "unlinked_since",
    "w_at",
)


class Times:
    """Distinct times of the rows of a statement, as text; rows refer to them by index."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._seen: dict[int, tuple[datetime, int]] = {}

    @property
    def texts(self) -> list[str]:
        """The times, by index."""
        return list(self._places)

    def part(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row's properties without its times, and the indexes of these."""
        rest, places = dict(properties), dict[str, int]()
        for name in _NAMES:
            at = rest.pop(name, None)
            if at is not None:
                places[name] = self._place(at)
        return {"properties": rest, "times": places}

    def _place(self, at: datetime) -> int:
        seen = self._seen.get(id(at))  # most rows share a few times
        if seen is None:
            place = self._places.setdefault(at.isoformat(), len(self._places))
            # the time is kept alive, as its id could be reused
            self._seen[id(at)] = (at, place)
            return place
        return seen[1]
