"""`Operation`: declaration of one request, from which route, client, tool and docs are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import NoneType
from typing import Any, Generic, Literal, TypeVar, cast, get_args

from pydantic import BaseModel

from stratagraph.call import Call, Caller, encoded, said, segment, stated
from stratagraph.wire.kernel.base import Identity

A = TypeVar("A")
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Room = Literal[
    "memories",
    "recall",
    "utility",
    "episodes",
    "strata",
    "knowledge",
    "arousal",
    "consolidation",
    "cycles",
    "sharing",
    "erasure",
    "transfer",
    "operation",
]
Examples = Mapping[str, tuple[str, Mapping[str, Any]]]

# Another caller is writing the same memories, perhaps an earlier attempt of this call.
RACE = frozenset({409})
_IDENTITY = frozenset(Identity.model_fields)
_NAME_IN_PATH = re.compile(r"\{(\w+)(?::path)?\}")


def always(_given: Mapping[str, Any]) -> bool:
    """Allow a repeat: it has the effect of one call."""
    return True


def never(_given: Mapping[str, Any]) -> bool:
    """Forbid a repeat: it would act, or count, a second time."""
    return False


def if_dry(given: Mapping[str, Any]) -> bool:
    """Allow a repeat of a dry run; without ``dry_run`` it acts."""
    return given.get("dry_run") is True


def unless_done(given: Mapping[str, Any]) -> bool:
    """Allow a repeat unless ``dry_run`` is False: a repeat would report that nothing was done."""
    return given.get("dry_run") is not False


def once_named(name: str) -> Callable[[Mapping[str, Any]], bool]:
    """Allow a repeat if a field identifies the event, so that it counts once."""
    return lambda given: given.get(name) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[A]):
    """One request of the service.

    ``lead``: fields that the client takes by position, after those in the path. ``takes``: the model of the body, or of
    the query if there is no body; None without fields. ``bodies``: models of the body, if there are others than
    ``takes``. ``fails``: statuses of errors beside the usual ones. ``fixed``: defaults that the client sends.
    ``null_is_value``: None is sent. ``repeatable``, ``gone_is_done``, ``accepts``, ``busy``: as in `Call`. ``by_hand``:
    the client's method is not generated. ``is_open``: it needs no key.
    """

    name: str
    method: Method
    path: str
    room: Room
    summary: str
    details: str = ""
    takes: type[BaseModel] | None = None
    bodies: tuple[type[BaseModel], ...] = ()
    gives: type[A]
    lead: tuple[str, ...] = ()
    fails: tuple[int, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    null_is_value: bool = False
    repeatable: Callable[[Mapping[str, Any]], bool] = always
    gone_is_done: bool = False
    accepts: frozenset[int] = frozenset()
    busy: frozenset[int] = frozenset()
    examples: Examples = field(default_factory=dict[str, tuple[str, Mapping[str, Any]]])
    by_hand: bool = False
    is_open: bool = False

    @property
    def path_names(self) -> tuple[str, ...]:
        """Names in the path, in order."""
        return tuple(_NAME_IN_PATH.findall(self.path))

    @property
    def has_body(self) -> bool:
        """Return whether the fields are a JSON body, or else the query."""
        return self.method in {"POST", "PATCH"} and bool(self.takes or self.bodies)

    @property
    def statuses(self) -> tuple[int, ...]:
        """Statuses of its errors."""
        if self.is_open:
            return self.fails
        usual = {401, 503}
        if self.takes or self.path_names:
            usual.add(422)
        if self.has_body:
            usual |= {400, 413, 415}
        return tuple(sorted(usual | {*self.fails}))

    def path_to(self, given: Mapping[str, Any]) -> str:
        """Return the path; each name in it is encoded as one segment."""
        return _NAME_IN_PATH.sub(lambda found: segment(given[found[1]]), self.path)

    def call(self, caller: Caller, given: Mapping[str, Any]) -> Call[A]:
        """Return the request of a caller, with fields by name."""
        fields = self._written({**given, **self._fixed(given)})
        if self.takes is not None and issubclass(self.takes, Identity):
            fields |= caller.fields(given)
        return Call(
            self.method,
            self.path_to(given),
            self._read,
            query={} if self.has_body else {name: _plain(value) for name, value in fields.items()},
            body=encoded(fields) if self.has_body else None,
            repeatable=self.repeatable(given),
            gone_is_done=self.gone_is_done,
            accepts=self.accepts,
            busy=self.busy,
        )

    def _fixed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in self.fixed.items() if given.get(name) is None}

    def _read(self, content: bytes) -> A:
        if self.gives is NoneType:
            return cast("A", None)
        return cast("A", cast("type[BaseModel]", self.gives).model_validate_json(content))

    def _written(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields by the names that are sent."""
        known = self.takes.model_fields if self.takes else {}
        fields: dict[str, Any] = {}
        for name, value in given.items():
            if name in self.path_names or name in _IDENTITY:
                continue
            info = known.get(name)
            if value is None and not (self.null_is_value or (info and info.is_required())):
                continue
            sent = (info and info.serialization_alias) or name
            fields[sent] = _object(value) if info and _is_object(info.annotation) else value
        return fields


def _object(value: object) -> object:
    """Return a model or a mapping as an object, without None."""
    if isinstance(value, BaseModel):
        return said(value)
    if isinstance(value, Mapping):
        return stated(cast("Mapping[str, Any]", value))
    return value


def _is_object(annotation: object) -> bool:
    choices = get_args(annotation) or (annotation,)
    return any(isinstance(one, type) and issubclass(one, BaseModel) for one in choices)


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
