"""`/v1/surprises`, `/v1/predictions`: predictions, events, and their surprise."""

from __future__ import annotations

from datetime import timedelta

from fastapi import APIRouter

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.strata.surprises import SurpriseRecord
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import value_of, view_of
from service.use_cases.strata.surprise import EventReport, NewPrediction
from stratagraph import wire
from stratagraph.operations.strata import PREDICT, REPORT_SURPRISE, SURPRISES

router = APIRouter()


@serves(router, PREDICT)
async def predict(
    caller: Caller, body: wire.PredictionRequest, service: Bound
) -> wire.PredictionView:
    new = value_of(
        NewPrediction,
        body,
        context=wire.context_name(body.context),
        stands=timedelta(seconds=body.stands_seconds),
    )
    stored = await service.predict(caller, new)
    return view_of(wire.PredictionView, stored)


@serves(router, REPORT_SURPRISE)
async def report_surprise(
    caller: Caller, body: wire.SurpriseRequest, service: Bound
) -> wire.SurpriseView:
    if body.expected is not None and body.prediction_id is not None:
        raise InvalidInputError(
            "expected: give it or the prediction_id that says it, not both", field="expected"
        )
    report = value_of(
        EventReport,
        body,
        context=wire.context_name(body.context),
        circumstances=body.circumstances
        or (None if isinstance(body.context, str) else body.context),
    )
    record = await service.report_surprise(caller, report)
    return _view(record)


@serves(router, SURPRISES)
async def list_surprises(
    caller: Caller, asked: wire.SurprisesRequest, service: Bound
) -> wire.SurprisesAnswer:
    found = await service.list_surprises(
        caller,
        types=asked.type,
        contexts=asked.context,
        since=asked.since,
        before=asked.before,
        surprising=asked.surprising,
        limit=asked.limit,
    )
    return wire.SurprisesAnswer(items=tuple(map(_view, found)))


def _view(record: SurpriseRecord) -> wire.SurpriseView:
    """Return the view of an event; an unsurprising one has no type of surprise."""
    kind = record.type if record.surprising else None
    return view_of(wire.SurpriseView, record, type=kind)
