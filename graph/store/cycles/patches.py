"""Patches in Neo4j: each change locks its patch before reading it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.rows import from_row, to_row
from graph.database.store import Store, in_transaction
from graph.kernel.scope import tenant_of
from graph.model.cycles.patches import Evidence, Patch, PatchQuery

_LAST = "~"  # greater than every uid


class PatchStore(Store):
    """Store of patches; each change is one transaction under the lock of its patch."""

    async def save(self, patch: Patch, scopes: Sequence[str], episode_uid: str | None) -> Patch:
        """Store a patch of a cycle, or return the stored one with its number.

        ``scopes`` limit the memories that can be its evidence; ``episode_uid`` is the attempt that it repairs.
        """
        rows = [
            {"uid": each.uid, "kind": each.kind, "weight": each.weight}
            for each in sorted(patch.evidence)
            if each.kind != "tool_error"
        ]
        errors = [each._asdict() for each in sorted(patch.evidence) if each.kind == "tool_error"]
        [row] = await self._database.write_one(
            QUERIES["cycles.save_patch"],
            {
                "cycle": patch.cycle_uid,
                "number": patch.number,
                "values": _properties(patch),
                "evidence": rows,
                "errors": errors,
                "episode": episode_uid or "",
                "scopes": list(scopes),
            },
        )
        uid = row["patch"]["uid"]
        # a stored one is read with the evidence that these scopes may see
        found = await self._read(self._database.read, [patch.scope], uid, scopes)
        return found or patch

    async def find(self, scopes: Sequence[str], uid: str, readable: Sequence[str]) -> Patch | None:
        """Read a patch of these scopes, with its readable evidence."""
        return await self._read(self._database.read, scopes, uid, readable)

    async def list(self, query: PatchQuery, readable: Sequence[str]) -> Sequence[Patch]:
        """Read patches, newest first."""
        rows = await self._database.read(
            QUERIES["cycles.read_patches"].choose("scope"),
            {
                "scopes": [*query.scopes],
                "readable": list(readable),
                "cycle": query.cycle_uid or "",
                "states": [*query.states],
                "before": query.before or _LAST,
                "limit": query.limit,
            },
        )
        return _patches(rows)

    @in_transaction
    async def change(
        self,
        transaction: Transaction,
        patch: Patch,
        readable: Sequence[str],
        decide: Callable[[Patch], Patch],
    ) -> Patch:
        """Change a locked patch; if ``decide`` raises, nothing is written."""
        await transaction.run(QUERIES["database.lock_nodes"].choose("patch"), {"uid": patch.uid})
        held = await self._read(transaction.run, [patch.scope], patch.uid, readable)
        changed = decide(held or patch)
        values = {"uid": patch.uid, "values": _properties(changed)}
        await transaction.run(QUERIES["database.set_values"].choose("patch"), values)
        return changed

    async def _read(
        self, ask: Callable[..., Any], scopes: Sequence[str], uid: str, readable: Sequence[str]
    ) -> Patch | None:
        rows: Rows = await ask(
            QUERIES["cycles.read_patches"].choose("one"),
            {"uid": uid, "scopes": list(scopes), "readable": list(readable)},
        )
        return next(iter(_patches(rows)), None)


def _patches(rows: Rows) -> list[Patch]:
    return [
        from_row(Patch, row["patch"], evidence=tuple(Evidence(*each) for each in row["evidence"]))
        for row in rows
    ]


def _properties(patch: Patch) -> dict[str, Any]:
    return {**to_row(patch, "evidence"), "tenant": tenant_of(patch.scope)}
