"""Knowledge in Neo4j: a scope's base is locked, then counts are read, changed and written in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.keys import knowledge_query
from graph.database.leases import count_fenced, fence_if
from graph.database.rows import from_row
from graph.database.store import Store, in_transaction
from graph.kernel.scope import tenant_of
from graph.kernel.values import BEGINNING
from graph.model.knowledge.executions import (
    BaseState,
    Changes,
    ContextCounts,
    Correction,
    Counts,
    ErrorCounts,
    ExecutionReport,
    Found,
    Insight,
    Keys,
    LearnJob,
    ParameterCounts,
    Pattern,
    Preference,
    PreferenceChange,
    ToolCounts,
    ToolFacts,
    Wanted,
)
from graph.model.memories.links import Lease
from graph.store.knowledge.rows import (
    execution_values,
    packed_value,
    record_of,
    values_of,
)

T = TypeVar("T")
_MOST_GENERAL = 200
_FEW_TEMPLATES = 8  # up to this number the database selects matching general patterns
_MOST_FACTS = 500
_MOST_PATTERNS = 2500  # of each type, the most used and the latest
_MOST_INSIGHTS = 1000
_MOST_PREFERENCES = 1000
_KINDS: Mapping[str, type[Any]] = {
    "tools": ToolCounts,
    "contexts": ContextCounts,
    "errors": ErrorCounts,
    "parameters": ParameterCounts,
    "patterns": Pattern,
    "insights": Insight,
}
_LOCK = QUERIES["database.lock_nodes"]
_LIST = QUERIES["knowledge.list_knowledge"]


class KnowledgeStore(Store):
    """Store of knowledge from executions; every write locks its scope first."""

    @in_transaction
    async def observe(
        self,
        transaction: Transaction,
        scope: str,
        reports: Sequence[ExecutionReport],
        keys: Keys,
        expires_at: datetime,
        apply: Callable[[Counts, Sequence[ExecutionReport]], Sequence[T]],
    ) -> list[T | None]:
        """Count reports in order; None for one whose task is known.

        ``apply`` may be called again after a conflict, with current counts.
        """
        counts, known = await _read_counts(transaction, scope, keys, reports)
        before = {name: set(getattr(counts, name)) for name in _KINDS}
        # the first report of a task in a batch counts
        fresh = {r.task_id: r for r in reversed(reports) if r.task_id not in known}
        if not fresh:
            return [None] * len(reports)
        ordered = [r for r in reports if fresh.get(r.task_id) is r]
        answers = dict(zip((r.task_id for r in ordered), apply(counts, ordered), strict=True))
        rows = [
            {
                "task_id": r.task_id,
                "values": execution_values(r, scope, expires_at, digest_of(r)),
            }
            for r in ordered
        ]
        await save_counts(transaction, scope, counts, before, rows)
        # a repeated batch is answered as known
        return [answers.get(r.task_id) if fresh.get(r.task_id) is r else None for r in reports]

    async def find(self, wanted: Wanted) -> Found:
        """Find knowledge that may help with a situation."""
        [row] = await self._database.read(
            QUERIES["knowledge.find_knowledge"],
            {
                "scopes": list(wanted.scopes),
                "words_query": knowledge_query(wanted.words, wanted.scopes),
                "keys": list(wanted.keys),
                "lengths": list(wanted.lengths),
                "context": wanted.context,
                "session_id": wanted.session_id,
                "least": wanted.least_confidence,
                "as_of": wanted.as_of,
                "limit": wanted.limit,
            },
        )
        return _to_known(row)

    async def tool_facts(self, scopes: Sequence[str], tools: Sequence[str]) -> ToolFacts:
        """Read facts about some tools."""
        asked = {"scopes": list(scopes), "tools": sorted(set(tools)), "limit": _MOST_FACTS}
        [row] = await self._database.read(QUERIES["knowledge.read_tools"], asked)
        return ToolFacts(**{name: _records(name, row[name]) for name in (*_KINDS,)[:4]})

    async def list_tools(self, scopes: Sequence[str], limit: int) -> list[ToolCounts]:
        """Read the counts of tools, most used first."""
        asked = {"scopes": list(scopes), "limit": limit}
        rows = await self._database.read(_LIST.choose("tools"), asked)
        return [record_of(ToolCounts, row["found"]) for row in rows]

    async def patterns(self, scopes: Sequence[str], keys: Sequence[str]) -> list[Pattern]:
        """Read patterns by their keys."""
        asked = {"scopes": list(scopes), "keys": list(keys), "limit": _MOST_FACTS}
        rows = await self._database.read(_LIST.choose("named_patterns"), asked)
        return [record_of(Pattern, row["found"]) for row in rows]

    async def general_patterns(self, scopes: Sequence[str], length: int) -> list[Pattern]:
        """Read general patterns with the given numbers of words, most used first."""
        asked = {"scopes": list(scopes), "lengths": [length], "limit": _MOST_GENERAL}
        rows = await self._database.read(_LIST.choose("general_patterns"), asked)
        return [record_of(Pattern, row["found"]) for row in rows]

    async def executions(
        self, scopes: Sequence[str], since: datetime, limit: int
    ) -> list[ExecutionReport]:
        """Read the latest executions, newest first."""
        asked = {"scopes": list(scopes), "since": since, "limit": limit}
        rows = await self._database.read(_LIST.choose("executions"), asked)
        return [from_row(ExecutionReport, row["found"]) for row in rows]

    async def insights(self, scope: str) -> list[Insight]:
        """Read the insights of one scope."""
        asked = {"scopes": [scope], "limit": _MOST_INSIGHTS}
        rows = await self._database.read(_LIST.choose("insights"), asked)
        return [record_of(Insight, row["found"]) for row in rows]

    async def errors(self, scope: str, limit: int) -> list[tuple[ErrorCounts, int]]:
        """Read the errors of one scope's tools, each with the calls of its tool."""
        asked = {"scopes": [scope], "limit": limit}
        rows = await self._database.read(_LIST.choose("errors"), asked)
        return [(record_of(ErrorCounts, row["found"]), int(row["calls"])) for row in rows]

    async def bases(self, scopes: Sequence[str]) -> list[BaseState]:
        """Read the learning state of some scopes."""
        rows = await self._database.read(
            QUERIES["knowledge.read_bases"].choose("states"), {"scopes": list(scopes)}
        )
        return [record_of(BaseState, row["state"]) for row in rows]

    async def models(
        self, scopes: Sequence[str], known: Sequence[str]
    ) -> list[tuple[str, str, str | None]]:
        """Read scopes' models with their versions; the text is omitted where the version is known."""
        asked = {"scopes": list(scopes), "known": list(known)}
        rows = await self._database.read(QUERIES["knowledge.read_bases"].choose("models"), asked)
        return [(row["scope"], row["version"], row["model"]) for row in rows]

    @in_transaction
    async def change(
        self,
        transaction: Transaction,
        scope: str,
        lease: Lease | None,
        decide: Callable[[Counts], Changes],
        *,
        with_patterns: bool = True,
    ) -> Changes:
        """Change the knowledge of a scope, read under its lock; patterns are read only on request.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        # the lease before other locks
        await fence_if(transaction, lease)
        # one lock for a scope: reports about the same tools in different order cannot deadlock (ADR
        # 59)
        await lock_base(transaction, scope)
        changes = decide(await _read_all(transaction, scope, with_patterns=with_patterns))
        await _save_changes(transaction, scope, changes)
        return changes

    @in_transaction
    async def prefer(
        self,
        transaction: Transaction,
        scope: str,
        now: datetime,
        decide: Callable[
            [Sequence[Preference], Sequence[Correction]],
            tuple[Sequence[PreferenceChange], Sequence[Correction]],
        ],
        lease: Lease | None = None,
    ) -> tuple[Sequence[PreferenceChange], Sequence[Correction]]:
        """Write preferences and corrections, decided with the current ones read under the lock."""
        await fence_if(transaction, lease)
        await lock_base(transaction, scope)
        asked = {"scope": scope, "now": now, "limit": _MOST_PREFERENCES}
        [row] = await transaction.run(QUERIES["knowledge.read_preferences"], asked)
        preferences = [record_of(Preference, each) for each in row["preferences"]]
        corrections = [record_of(Correction, each) for each in row["corrections"]]
        # under the lock: concurrent corrections must not supersede the same preference
        changes, added = decide(preferences, corrections)
        saved = {
            "scope": scope,
            "now": now,
            "preferences": [_preference_row(each, scope) for each in changes],
            "corrections": [{"uid": c.uid, "values": values_of(c, scope)} for c in added],
        }
        await transaction.run(QUERIES["knowledge.save_preferences"], saved)
        return changes, added

    async def due(self, job: LearnJob, before: datetime) -> str | None:
        """Return a scope with new observations since its last job, and the position of that job."""
        query = QUERIES["knowledge.find_due"].choose(job)
        rows = await self._database.read(query, {"before": before})
        return rows[0]["scope"] if rows else None

    async def expire(self, now: datetime, before: datetime, limit: int, lease: Lease) -> int:
        """Remove expired knowledge, and knowledge last used before a time."""
        asked = {"now": now, "before": before, "limit": limit}
        query = QUERIES["knowledge.expire_knowledge"]
        return await count_fenced(self._database, lease, query, **asked)


async def lock_base(transaction: Transaction, scope: str) -> None:
    """Lock the base of a scope until the transaction ends; a missing one is created."""
    await transaction.run(_LOCK.choose("new_bases"), _based(scope) | {"scopes": [scope]})


def _based(scope: str) -> dict[str, Any]:
    return {"scope": scope, "tenant": tenant_of(scope), "beginning": BEGINNING}


def digest_of(report: ExecutionReport) -> str:
    """Return a hash of a report."""
    return hashlib.sha256(repr(report).encode()).hexdigest()[:16]


async def _read_counts(
    transaction: Transaction, scope: str, keys: Keys, reports: Sequence[ExecutionReport]
) -> tuple[Counts, set[str]]:
    """Lock a scope and read its counts in one round trip."""
    # as one map: Neo4j plans a statement anew for each combination of list lengths (ADR 59)
    asked: dict[str, Any] = {name: sorted(getattr(keys, name)) for name in ("tools", "contexts", "errors", "parameters", "patterns", "lengths", "used")}  # fmt: skip
    few = len(keys.templates) <= _FEW_TEMPLATES
    # for many queries all general patterns are read, as the database compares more slowly (ADR 66)
    asked["templates"] = sorted(map(list, keys.templates)) if few else []
    asked["any_template"] = not few
    asked["task_ids"] = [r.task_id for r in reports]
    [row] = await transaction.run(
        QUERIES["knowledge.read_counts"], _based(scope) | {"asked": asked, "limit": _MOST_GENERAL}
    )
    return counts_of(row), {each["task_id"] for each in row["known"]}


def counts_of(row: Mapping[str, Any]) -> Counts:
    """Return counts from lists of properties, of the kinds that were read."""
    sorts = [name for name in _KINDS if name in row]
    named = {name: {each.key: each for each in _records(name, row[name])} for name in sorts}
    return Counts(record_of(BaseState, row["state"]), **named)


def _records(name: str, rows: Iterable[Mapping[str, Any]]) -> list[Any]:
    return [record_of(_KINDS[name], row) for row in rows]


async def save_counts(
    transaction: Transaction,
    scope: str,
    counts: Counts,
    before: Mapping[str, set[str]],
    executions: Sequence[Mapping[str, Any]],
) -> None:
    """Write counts of a locked scope; new ones, with keys not in ``before``, are linked to their tools."""
    asked: dict[str, Any] = {"executions": executions}
    asked["state"] = values_of(counts.state, scope)
    for name in ("tools", "insights"):
        asked[name] = [{"key": k, "values": values_of(v, scope)} for k, v in sorted(getattr(counts, name).items())]  # fmt: skip
    for name in ("contexts", "errors", "parameters"):
        asked[name] = [
            {"key": key, "tool": each.tool, "new": key not in before[name], "values": values_of(each, scope)}
            for key, each in sorted(getattr(counts, name).items())
        ]  # fmt: skip
    asked["patterns"] = [
        _pattern_row(each, scope, new=key not in before["patterns"])
        for key, each in sorted(counts.patterns.items())
    ]
    await transaction.run(QUERIES["knowledge.save_counts"], {"scope": scope, "saved": asked})


def _pattern_row(pattern: Pattern, scope: str, *, new: bool) -> dict[str, Any]:
    # linked once, when new; plans name steps, not tools
    tools = sorted(set(pattern.steps)) if new and pattern.pattern_type != "plan_pattern" else []
    return {"key": pattern.key, "tools": tools, "values": values_of(pattern, scope)}


def _preference_row(change: PreferenceChange, scope: str) -> dict[str, Any]:
    return {
        "uid": change.preference.uid,
        "values": values_of(change.preference, scope),
        "replaces": change.replaces,
        "taught_by": change.taught_by,
    }


async def _read_all(transaction: Transaction, scope: str, *, with_patterns: bool) -> Counts:
    """Read all patterns and insights of a locked scope."""
    [row] = await transaction.run(
        QUERIES["knowledge.read_bases"].choose("states"), {"scopes": [scope]}
    )
    counts = Counts(record_of(BaseState, row["state"]))
    # The most used ones alone would hide the new ones of a larger scope from a job.
    for choice in ("patterns", "latest_patterns") if with_patterns else ():
        for sort in ("query_pattern", "plan_pattern", "tool_sequence", "error_pattern"):
            asked = {"scopes": [scope], "pattern_type": sort, "limit": _MOST_PATTERNS}
            for each in await transaction.run(_LIST.choose(choice), asked):
                pattern = record_of(Pattern, each["found"])
                counts.patterns.setdefault(pattern.key, pattern)
    asked = {"scopes": [scope], "limit": _MOST_INSIGHTS}
    for each in await transaction.run(_LIST.choose("insights"), asked):
        insight = record_of(Insight, each["found"])
        counts.insights[insight.key] = insight
    return counts


async def _save_changes(transaction: Transaction, scope: str, changes: Changes) -> None:
    for choice, dropped in (("patterns", changes.dropped_patterns), ("insights", changes.dropped_insights)):  # fmt: skip
        if dropped:
            query = QUERIES["database.delete_nodes"].choose(choice)
            await transaction.run(query, {"scope": scope, "keys": sorted(dropped)})
    saved: dict[str, Any] = {key: [] for key in ("executions", "contexts", "errors")}
    saved |= {
        "state": {name: packed_value(value) for name, value in changes.state.items()},
        "tools": [{"key": key, "values": dict(v)} for key, v in sorted(changes.tools.items())],
        "parameters": [
            {"key": key, "tool": "", "new": False, "values": dict(v)}
            for key, v in sorted(changes.parameters.items())
        ],
        "patterns": [_pattern_row(p, scope, new=True) for p in sorted(changes.patterns, key=lambda p: p.key)],
        "insights": [{"key": i.key, "values": values_of(i, scope)} for i in sorted(changes.insights, key=lambda i: i.key)],
    }  # fmt: skip
    await transaction.run(QUERIES["knowledge.save_counts"], {"scope": scope, "saved": saved})
    if changes.sources:
        rows = [{"insight": insight, "source": source} for insight, source in changes.sources]
        joined = {"scope": scope, "patterns": rows, "errors": rows}
        await transaction.run(QUERIES["knowledge.join_insights"], joined)
    if changes.tools:
        await _join_tools(transaction, scope, changes)


async def _join_tools(transaction: Transaction, scope: str, changes: Changes) -> None:
    # from all of them: followers may have changed by calls of others
    rows = await transaction.run(_LIST.choose("tools"), {"scopes": [scope], "limit": _MOST_FACTS})
    joined = [
        {"tool": tool.key, "next": name, "uses": won + lost, "successes": won}
        for tool in (record_of(ToolCounts, row["found"]) for row in rows)
        if tool.key in changes.tools
        for name, (won, lost) in sorted(tool.after.items())
    ]
    await transaction.run(QUERIES["knowledge.join_tools"], {"scope": scope, "rows": joined})


def _to_known(row: Mapping[str, Any]) -> Found:
    found = Found(tools=list(row["tools"]))
    patterns = [record_of(Pattern, each) for each in row["patterns"]]
    insights = [record_of(Insight, each) for each in row["insights"]]
    for hit in row["worded"]:
        if hit["pattern"] is not None:
            patterns.append(record_of(Pattern, hit["pattern"]))
            found.scores[patterns[-1].uid] = hit["score"]
        elif hit["insight"] is not None:
            insights.append(record_of(Insight, hit["insight"]))
            found.scores[insights[-1].uid] = hit["score"]
        else:
            found.tools.append(hit["tool"])
            found.scores[hit["tool"]] = max(hit["score"], found.scores.get(hit["tool"], 0.0))
    # a match by words may also match by key
    found.patterns = list({each.uid: each for each in patterns}.values())
    found.insights = list({each.uid: each for each in insights}.values())
    found.tools = list(dict.fromkeys(found.tools))
    found.preferences = [record_of(Preference, each) for each in row["preferences"]]
    found.corrections = [record_of(Correction, each) for each in row["corrections"]]
    return found
