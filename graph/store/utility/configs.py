"""Run-time settings in Neo4j: one node per tenant, and one per change."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.events import event_rows
from graph.database.rows import from_row, to_row
from graph.database.store import Store, in_transaction
from graph.kernel.errors import ConflictError
from graph.kernel.values import END, Stratum
from graph.model.memories.browsing import PagePosition
from graph.model.utility.configs import ConfigChange, ConfigDecision, DecideConfig, Overrides

_KEPT_CHANGES = 1_000  # per tenant


class ConfigStore(Store):
    """Store of the run-time settings of tenants."""

    def __init__(self, database: Database, event_life: timedelta | None) -> None:
        super().__init__(database)
        self._event_life = event_life

    async def overrides(self, tenant: str) -> Overrides:
        """Read the settings of a tenant that differ from the defaults."""
        rows = await self._database.read(
            QUERIES["utility.read_configs"].choose("one"), {"tenant": tenant}
        )
        return _overrides(rows[0]) if rows else Overrides()

    async def all_overrides(self) -> Mapping[str, Overrides]:
        """Read these settings of every tenant."""
        rows = await self._database.read(QUERIES["utility.read_configs"].choose("all"), {})
        return {row["tenant"]: _overrides(row) for row in rows}

    @in_transaction
    async def change(
        self, transaction: Transaction, tenant: str, decide: DecideConfig
    ) -> Overrides:
        """Decide new settings under the lock of the old; None keeps them."""
        await transaction.run(QUERIES["database.lock_nodes"].choose("config"), {"tenant": tenant})
        [row] = await transaction.run(
            QUERIES["utility.read_configs"].choose("one"), {"tenant": tenant}
        )
        present = _overrides(row)
        decision = decide(present)
        if decision is None or not decision.changes:
            return present
        if decision.leaving:
            await _check_empty(transaction, tenant, decision.leaving)
        return await self._save(transaction, tenant, present, decision)

    async def _save(
        self, transaction: Transaction, tenant: str, present: Overrides, decision: ConfigDecision
    ) -> Overrides:
        now = max(change.changed_at for change in decision.changes)
        await transaction.run(
            QUERIES["utility.save_config"],
            {
                "tenant": tenant,
                "overrides": json.dumps(dict(decision.values), sort_keys=True),
                "version": present.version + 1,
                "now": now,
                "changes": [_row(tenant, change) for change in decision.changes],
                "events": event_rows(decision.events, self._event_life),
            },
        )
        kept = {"tenant": tenant, "kept": _KEPT_CHANGES}
        await transaction.run(QUERIES["utility.trim_config_changes"], kept)
        return Overrides(present.version + 1, decision.values, now)

    async def changes(
        self, tenant: str, names: Sequence[str], limit: int, start: PagePosition | None
    ) -> tuple[ConfigChange, ...]:
        """Read changes of some settings, newest first, after a position."""
        rows = await self._database.read(
            QUERIES["utility.list_config_changes"],
            {
                "tenant": tenant,
                "names": list(names),
                "before": start.at if start else END,
                "before_uid": start.uid if start else "",
                "limit": limit,
            },
        )
        return tuple(_change(row) for row in rows)


async def _check_empty(transaction: Transaction, tenant: str, leaving: Sequence[Stratum]) -> None:
    """Refuse to remove strata that contain memories in any state."""
    rows = await transaction.run(
        QUERIES["strata.measure_population"].choose("tenant"),
        {"prefix": f"{tenant}/", "strata": list(leaving)},
    )
    if rows:
        held = ", ".join(f"{row['stratum']} ({row['held']})" for row in rows)
        raise ConflictError(
            f"own_strata: these strata still hold memories, in recall or not: {held}. "
            "Move or delete them first",
        )


def _overrides(row: Mapping[str, Any]) -> Overrides:
    return from_row(Overrides, row, values=json.loads(row["overrides"] or "{}"))


def _row(tenant: str, change: ConfigChange) -> dict[str, Any]:
    values = {"old": json.dumps(change.old), "new": json.dumps(change.new)}
    return {**to_row(change), **values, "tenant": tenant}


def _change(row: Mapping[str, Any]) -> ConfigChange:
    return from_row(ConfigChange, row, old=json.loads(row["old"]), new=json.loads(row["new"]))
