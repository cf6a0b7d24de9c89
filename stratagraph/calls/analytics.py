"""Utility, attempts and strata at large, and where a memory came from."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, reader, segment, stated

if TYPE_CHECKING:
    from stratagraph.fields import AnalyticsFields, IdentityFields, ReasoningAnalyticsFields


def utility_analytics(caller: Caller, fields: AnalyticsFields) -> Call[wire.UtilityAnalyticsView]:
    asked = {
        name: value for name, value in fields.items() if name not in wire.Identity.model_fields
    }
    query = stated(asked) | caller.fields(fields)
    return Call("GET", "/v1/utility/analytics", reader(wire.UtilityAnalyticsView), query=query)


def reasoning_analytics(
    caller: Caller, fields: ReasoningAnalyticsFields
) -> Call[wire.ReasoningAnalyticsView]:
    asked = {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in fields.items()
        if name not in wire.Identity.model_fields
    }
    query = stated(asked) | caller.fields(fields)
    return Call("GET", "/v1/analytics/reasoning", reader(wire.ReasoningAnalyticsView), query=query)


def strata_analytics(
    caller: Caller, days: int | None, identity: IdentityFields
) -> Call[wire.StrataAnalyticsView]:
    query = stated({"days": days}) | caller.fields(identity)
    return Call("GET", "/v1/strata/analytics", reader(wire.StrataAnalyticsView), query=query)


def provenance(
    caller: Caller, name: str, limit: int | None, identity: IdentityFields
) -> Call[wire.ProvenanceView]:
    query = stated({"limit": limit}) | caller.fields(identity)
    path = f"/v1/memories/{segment(name)}/provenance"
    return Call("GET", path, reader(wire.ProvenanceView), query=query)
