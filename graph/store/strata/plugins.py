"""Surprise plugins in Neo4j: one node for each agent's scope, locked before it is read."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeVar

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.rows import as_json, from_row, to_row
from graph.database.store import Store, in_transaction
from graph.kernel.scope import tenant_of
from graph.model.strata.plugins import Decide, PluginSettings, PluginState, Sensed, SurprisePlugin

T = TypeVar("T")
_LOCK = QUERIES["database.lock_nodes"]
_COUNTED = ("counts", "pairs")


class PluginStore(Store):
    """Store of one surprise plugin for each agent's scope."""

    @in_transaction
    async def attach(
        self, transaction: Transaction, scope: str, settings: PluginSettings, now: datetime
    ) -> tuple[SurprisePlugin, bool]:
        """Attach a plugin; one with other settings replaces the attached one and starts again.

        Returns the attached plugin, and whether it started again.
        """
        await transaction.run(_LOCK.choose("new_plugins"), {"scopes": [scope]})
        before = (await _plugins(transaction.run, [scope])).get(scope)
        # the same settings: its learned state is kept
        if before is not None and before.settings == settings:
            return before, False
        begun = SurprisePlugin(scope, settings, PluginState(), now)
        await _save(transaction, {scope: plugin_properties(begun)})
        return begun, True

    @in_transaction
    async def detach(self, transaction: Transaction, scope: str) -> None:
        """Remove a plugin with its learned state."""
        await transaction.run(QUERIES["database.delete_nodes"].choose("plugin"), {"scope": scope})

    async def attached(self, scopes: Sequence[str]) -> Mapping[str, SurprisePlugin]:
        """Read the plugins of some scopes; scopes without one are left out."""
        return await _plugins(self._database.read, scopes)

    @in_transaction
    async def learn(
        self, transaction: Transaction, scopes: Sequence[str], now: datetime, decide: Decide[T]
    ) -> T:
        """Update locked plugins; if ``decide`` raises, nothing is written.

        ``decide`` may be called again after a conflict.
        """
        ordered = sorted(set(scopes))
        await transaction.run(_LOCK.choose("plugins"), {"scopes": ordered})
        answer, learned = decide(await _plugins(transaction.run, ordered))
        values = {
            scope: {
                "state": _state_text(state),
                "observed_at": now if state.observations else None,
            }
            for scope, state in learned.items()
        }
        if values:
            await _save(transaction, values)
        return answer


async def _plugins(
    ask: Callable[..., Awaitable[Rows]], scopes: Sequence[str]
) -> dict[str, SurprisePlugin]:
    rows = [{"scope": scope} for scope in scopes]
    found = await ask(QUERIES["strata.read_named"].choose("plugins"), {"rows": rows})
    return {row["found"]["scope"]: plugin_of(row["found"]) for row in found}


async def _save(transaction: Transaction, values: Mapping[str, Mapping[str, Any]]) -> None:
    rows = [{"scope": scope, "values": dict(each)} for scope, each in sorted(values.items())]
    await transaction.run(QUERIES["database.set_values"].choose("plugins"), {"rows": rows})


def plugin_properties(plugin: SurprisePlugin) -> dict[str, Any]:
    """Return the properties of a plugin's node beside its scope; equal settings and states give equal texts."""
    derived = {"tenant": tenant_of(plugin.scope), "kind": plugin.settings.kind}
    return {**to_row(plugin, "scope", "state"), **derived, "state": _state_text(plugin.state)}


def plugin_line(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the export line of a plugin: its node, with parsed settings and state."""
    said = {name: json.loads(properties[name]) for name in ("settings", "state")}
    return {name: value for name, value in {**properties, **said}.items() if name != "kind"}


def plugin_of(row: Mapping[str, Any]) -> SurprisePlugin:
    """Return the plugin of a node or of an export line."""
    state = row["state"]
    said = json.loads(state) if isinstance(state, str) else state
    return from_row(SurprisePlugin, row, state=_state_of(said))


def _state_text(state: PluginState) -> str:
    values = asdict(state)
    for name in _COUNTED:  # JSON keys are texts: a count is stored as a pair of key and number
        values[name] = [[*key, count] for key, count in values[name].items()]
    return as_json(values)


def _state_of(said: Mapping[str, Any]) -> PluginState:
    values = dict(said)
    for name in _COUNTED:
        values[name] = {tuple(key): count for *key, count in values.get(name, ())}
    values["latest"] = tuple(Sensed(**each) for each in values.get("latest", ()))
    return PluginState(**values)
