"""Runs of the three kinds, each begun, listed, shown and undone at a path of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, reader, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields

Begun = TypeVar("Begun", bound=BaseModel)
Listed = TypeVar("Listed", bound=BaseModel)
Shown = TypeVar("Shown", bound=BaseModel)
Undone = TypeVar("Undone", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class _Runs(Generic[Begun, Listed, Shown, Undone]):
    path: str
    begun: type[Begun]
    listed: type[Listed]
    shown: type[Shown]
    undone: type[Undone]

    def begin(self, caller: Caller, fields: Mapping[str, Any]) -> Call[Begun]:
        """What a lost answer did is not asked for again: it would be told as nothing."""
        call = post(self.path, stated(fields) | caller.fields(fields), self.begun)
        return replace(call, repeatable=fields.get("dry_run") is not False)

    def all(self, caller: Caller, limit: int | None, identity: IdentityFields) -> Call[Listed]:
        query = stated({"limit": limit}) | caller.fields(identity)
        return Call("GET", self.path, reader(self.listed), query=query)

    def one(
        self, caller: Caller, run: str, limit: int | None, identity: IdentityFields
    ) -> Call[Shown]:
        query = stated({"limit": limit}) | caller.fields(identity)
        return Call("GET", f"{self.path}/{segment(run)}", reader(self.shown), query=query)

    def undo(
        self, caller: Caller, run: str, identity: IdentityFields, skip_changed: bool = False
    ) -> Call[Undone]:
        body = {"skip_changed": True} if skip_changed else {}
        path = f"{self.path}/{segment(run)}/undo"
        return post(path, body | caller.fields(identity), self.undone)


_COLLECTIONS = _Runs(
    "/v1/gc",
    wire.CollectAnswer,
    wire.CollectionsAnswer,
    wire.CollectionAnswer,
    wire.CollectionView,
)
collect = _COLLECTIONS.begin
collections = _COLLECTIONS.all
collection = _COLLECTIONS.one
undo_collection = _COLLECTIONS.undo

_GATES = _Runs(
    "/v1/strata/gates",
    wire.GatesAnswer,
    wire.GateRunsAnswer,
    wire.GateRunAnswer,
    wire.GateRunView,
)
run_gates = _GATES.begin
gate_runs = _GATES.all
gate_run = _GATES.one
undo_gate_run = _GATES.undo

_CONSOLIDATIONS = _Runs(
    "/v1/consolidations",
    wire.ConsolidateAnswer,
    wire.ConsolidationsAnswer,
    wire.ConsolidationAnswer,
    wire.ConsolidationView,
)
consolidate = _CONSOLIDATIONS.begin
consolidations = _CONSOLIDATIONS.all
consolidation = _CONSOLIDATIONS.one
undo_consolidation = _CONSOLIDATIONS.undo
