"""Surprises in Neo4j: statistics of a context are locked before they are read, so no report is lost."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.leases import ExpiringStore
from graph.database.locks import lock_all
from graph.database.rows import as_json, from_row, to_row
from graph.database.store import in_transaction
from graph.database.vectors import to_stored
from graph.kernel.embedding import SlotVector
from graph.kernel.scope import tenant_of
from graph.kernel.values import BEGINNING, Floats
from graph.model.strata.surprises import (
    Decide,
    MomentumKey,
    MomentumState,
    Prediction,
    SurpriseQuery,
    SurpriseRecord,
)

_WAITING = 1_000  # the latest predictions of a context that are considered
_LAST = "~"  # greater than every uid
_MOST_PATHS = 200  # paths whose spread is kept, those with the most numbers


class SurpriseStore(ExpiringStore):
    """Store of predictions and surprises by scope."""

    expiring = QUERIES["strata.expire_surprises"]

    async def predict(self, prediction: Prediction) -> Prediction:
        """Store a prediction, or return the one with its name in its scope."""
        values = {**to_row(prediction), "tenant": tenant_of(prediction.scope)}
        name = {"scope": prediction.scope, "prediction_id": prediction.prediction_id}
        [row] = await self._database.write_one(
            QUERIES["strata.save_prediction"], {**name, "prediction": values}
        )
        return from_row(Prediction, row["prediction"])

    async def prediction(self, scope: str, prediction_id: str) -> Prediction | None:
        """Read a prediction by its name."""
        rows = await self._database.read(
            QUERIES["strata.read_named"].choose("predictions"),
            {"rows": [{"scope": scope, "prediction_id": prediction_id}]},
        )
        return from_row(Prediction, rows[0]["found"]) if rows else None

    async def waiting(self, scope: str, context: str, now: datetime) -> Sequence[Prediction]:
        """Read the open, valid predictions of a context."""
        rows = await self._database.read(
            QUERIES["strata.waiting_predictions"],
            {"scope": scope, "context": context, "now": now, "limit": _WAITING},
        )
        return [from_row(Prediction, row["prediction"]) for row in rows]

    async def cosines(self, scope: str, vector: SlotVector, now: datetime, nearest: int) -> Floats:
        """Measure the cosines of the nearest memories of a scope, shape ``(n,)``."""
        rows = await self._database.search(
            QUERIES["recall.measure_nearest"].choose("memories"),
            {
                "embedding": to_stored(vector.vector),
                "dimension": int(vector.vector.size),
                "scopes": [scope],
                "now": now,
                "nearest": nearest,
            },
            vector.slot,
        )
        return np.array([row["cosine"] for row in rows], dtype=np.float64)

    @in_transaction
    async def report(
        self,
        transaction: Transaction,
        keys: Sequence[MomentumKey],
        event: tuple[str, str | None],
        prediction_uid: str | None,
        now: datetime,
        decide: Decide,
    ) -> SurpriseRecord | None:
        """Decide on an event under the lock of its context, and store it with the new statistics.

        Returns the stored one if the scope has an event of that name, and None, with nothing written, if another event
        answered the prediction meanwhile.
        """
        rows = [
            {"scope": scope, "context": context, "tenant": tenant_of(scope)}
            for scope, context in sorted(keys)
        ]
        await transaction.run(QUERIES["database.lock_nodes"].choose("momenta"), {"rows": rows})
        # under the lock: the same event may have been reported meanwhile
        before = await _reported(transaction.run, *event)
        if before is not None:
            return before
        if prediction_uid is not None:
            [taken] = await transaction.run(
                QUERIES["strata.take_prediction"], {"uid": prediction_uid, "now": now}
            )
            if not taken["taken"]:
                return None
        found = await transaction.run(
            QUERIES["strata.read_named"].choose("momenta"), {"rows": rows}
        )
        record, momenta = decide(dict(_momentum(row["found"]) for row in found))
        await transaction.run(
            QUERIES["strata.save_surprise"],
            {
                "surprise": _properties(record),
                "momenta": [
                    _momentum_row(key, state, record.expires_at) for key, state in momenta.items()
                ],
            },
        )
        return record

    async def reported(self, scope: str, event_id: str) -> SurpriseRecord | None:
        """Read the surprise of an event by its name."""
        return await _reported(self._database.read, scope, event_id)

    @in_transaction
    async def link(
        self, transaction: Transaction, surprise_uid: str, memory_uid: str
    ) -> bool | None:
        """Link a surprise to the memory of its event; False if it is linked, None if either is gone."""
        await lock_all(transaction, [memory_uid])
        [row] = await transaction.run(
            QUERIES["strata.link_surprise"], {"surprise": surprise_uid, "memory": memory_uid}
        )
        return bool(row["first"]) if row["linked"] else None

    async def history(self, query: SurpriseQuery) -> Sequence[SurpriseRecord]:
        """Read surprises, newest first."""
        rows = await self._database.read(
            QUERIES["strata.list_surprises"],
            {
                "scopes": [*query.scopes],
                "since": query.since or BEGINNING,
                "before": query.before or _LAST,
                "types": [*query.types],
                "contexts": [*query.contexts],
                "surprising": query.surprising,
                "limit": query.limit,
            },
        )
        return [from_row(SurpriseRecord, row["surprise"]) for row in rows]


async def _reported(
    ask: Callable[..., Awaitable[Rows]], scope: str, event_id: str | None
) -> SurpriseRecord | None:
    if event_id is None:
        return None
    rows = await ask(
        QUERIES["strata.read_named"].choose("surprises"),
        {"rows": [{"scope": scope, "event_id": event_id}]},
    )
    return from_row(SurpriseRecord, rows[0]["found"]) if rows else None


def _momentum(row: Mapping[str, Any]) -> tuple[MomentumKey, MomentumState]:
    return (row["scope"], row["context"]), from_row(MomentumState, row)


def _momentum_row(key: MomentumKey, state: MomentumState, until: datetime) -> dict[str, Any]:
    most = sorted(state.spreads.items(), key=lambda item: (-item[1][2], item[0]))[:_MOST_PATHS]
    values = to_row(replace(state, spreads=dict(most))) | {"expires_at": until}
    if not state.outcomes:
        values["outcomes"] = None
    return {"scope": key[0], "context": key[1], "values": values}


_LINE_JSON = ("familiar", "spreads", "outcomes")


def momentum_line(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the export line of a context's statistics: its node, with parsed texts."""
    said = {name: json.loads(properties[name]) for name in _LINE_JSON if name in properties}
    return {**properties, **said}


def momentum_of_line(tenant: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row that writes an export line."""
    names = {"scope": values["scope"], "context": values["context"], "tenant": tenant}
    said = {name: as_json(values[name]) for name in _LINE_JSON if name in values}
    properties = {name: value for name, value in values.items() if name not in names}
    return {**names, "values": {**properties, **said}}


def _properties(record: SurpriseRecord) -> dict[str, Any]:
    return to_row(record) | {"tenant": tenant_of(record.scope)}
