"""Saying what is expected, reporting what happened, and reading what surprised."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, reader, stated

if TYPE_CHECKING:
    from stratagraph.fields import PredictionFields, SurpriseFields, SurprisesFields

_PREDICTIONS = "/v1/predictions"
_SURPRISES = "/v1/surprises"


def predict(caller: Caller, expected: Any, fields: PredictionFields) -> Call[wire.PredictionView]:
    """Without a name a repeat would be a second prediction."""
    body = {"expected": expected} | stated(fields) | caller.fields(fields)
    call = post(_PREDICTIONS, body, wire.PredictionView)
    return replace(call, repeatable=fields.get("prediction_id") is not None)


def report_surprise(caller: Caller, actual: Any, fields: SurpriseFields) -> Call[wire.SurpriseView]:
    """Without the event's name a repeat would be a second event."""
    body = {"actual": actual} | stated(fields) | caller.fields(fields)
    call = post(_SURPRISES, body, wire.SurpriseView)
    return replace(call, repeatable=fields.get("event_id") is not None)


def surprises(caller: Caller, fields: SurprisesFields) -> Call[wire.SurprisesAnswer]:
    query = stated(fields) | caller.fields(fields)
    return Call("GET", _SURPRISES, reader(wire.SurprisesAnswer), query=query)
