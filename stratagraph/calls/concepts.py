"""Concepts by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, stated

if TYPE_CHECKING:
    from stratagraph.fields import ArchiveFields, ExtractFields, RestoreFields


def extract_concepts(caller: Caller, fields: ExtractFields) -> Call[wire.ExtractView]:
    body = stated({**fields}) | caller.fields(fields)
    return post("/v1/concepts/extract", body, wire.ExtractView)


def archive_covered(caller: Caller, fields: ArchiveFields) -> Call[wire.ArchiveView]:
    body = stated({**fields}) | caller.fields(fields)
    return post("/v1/concepts/archive", body, wire.ArchiveView)


def restore_covered(caller: Caller, fields: RestoreFields) -> Call[wire.RestoreView]:
    body = stated({**fields}) | caller.fields(fields)
    return post("/v1/concepts/restore", body, wire.RestoreView)
