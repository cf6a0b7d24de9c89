"""Removal of executions from scopes of others, and of knowledge that only they support."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from cypher import QUERIES, Query
from graph.database.driver import Rows, Transaction
from graph.database.rows import as_json
from graph.model.erasure.receipts import Subject
from graph.model.knowledge.executions import written

_LOCK = QUERIES["database.lock_nodes"].choose("bases")


async def forget_knowledge(transaction: Transaction, subject: Subject, limit: int) -> Counter[str]:
    """Remove some knowledge of a subject: all of an owner, and its evidence in scopes of others."""
    counts: Counter[str] = Counter()
    # a single memory has no executions
    if subject.kind not in {"agent", "user", "session"}:
        return counts
    rows = await _executions(transaction, subject, limit)
    by_scope: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_scope[row["scope"]].append(row)
    # sorted: concurrent locks of the scopes cannot deadlock
    await transaction.run(_LOCK, {"scopes": sorted({*by_scope, subject.scope})})
    for scope, found in sorted(by_scope.items()):
        counts.update(await _forget(transaction, scope, found))
    if not subject.owner:
        asked = {"scope": subject.scope, "session_id": subject.name}
        counts.update(
            await run_counts(transaction, QUERIES["erasure.forget_session_preferences"], asked)
        )
        return counts
    # an eighth: an execution has several nodes
    asked = {
        "tenant": subject.tenant,
        "scope": subject.owner,
        "user": subject.user,
        "limit": max(1, limit // 8),
    }
    counts.update(await run_counts(transaction, QUERIES["erasure.forget_knowledge"], asked))
    return counts


async def _executions(transaction: Transaction, subject: Subject, limit: int) -> Rows:
    asked: dict[str, Any] = {"limit": max(1, limit // 8)}
    if subject.kind == "session":
        asked |= {"scope": subject.scope, "session_id": subject.name}
    else:
        asked |= {"tenant": subject.tenant, "name": subject.name}
    return await transaction.run(QUERIES["erasure.find_executions"].choose(subject.kind), asked)


class _Traces:
    """Traces of some executions in the counts of one scope."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.tasks = sorted(row["task_id"] for row in rows)
        self.goals = {row["goal"] for row in rows}
        self.runs = Counter(row["context"] for row in rows)
        # contexts of an error count failed calls, not runs
        self.failed: dict[str, Counter[str]] = defaultdict(Counter)
        self.tools: Counter[str] = Counter()
        self.contexts: Counter[tuple[str, str]] = Counter()
        self.values: dict[tuple[str, str], set[str]] = defaultdict(set)
        for row in rows:
            for step in json.loads(row["steps"]):
                self.tools[step["tool"]] += 1
                self.contexts[step["tool"], step["context"]] += 1
                if not step["ok"]:
                    self.failed[step["tool"]][step["context"]] += 1
                for name, value in step["parameters"].items():
                    self.values[step["tool"], name].add(written(value))

    def without(self, row: Mapping[str, Any], contexts: Mapping[str, int]) -> dict[str, Any]:
        """Return a row without evidence of the tasks; None if no other evidence is left."""
        known = json.loads(row["evidence"])
        # shared counts have no evidence, hence none of the tasks
        if not known and row.get("shared"):
            return {"key": row["key"], "gone": False, "values": {}}
        left = [each for each in known if each[0] not in self.tasks]
        if left == known and known:
            return {"key": row["key"], "gone": False, "values": {}}
        # stated by hand or imported: independent of these tasks
        unsupported = not left and row.get("origin") != "manual" and not row.get("shared")
        values: dict[str, Any] = {"evidence": as_json(left)}
        if "contexts" in row:
            counts = {
                name: n - contexts.get(name, 0) for name, n in json.loads(row["contexts"]).items()
            }
            values["contexts"] = as_json({name: n for name, n in counts.items() if n > 0})
        return {"key": row["key"], "gone": unsupported, "values": values}

    def pattern(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a pattern without the search words of the tasks' goals."""
        without = self.without(row, self.runs)
        # words of goals are removed; those of the pattern itself are computed again
        named = "".join(c if c.isalnum() else " " for c in row["pattern"].lower())
        without["values"]["words"] = " ".join(named.split())
        without["values"]["goal"] = "" if row["goal"] in self.goals else row["goal"]
        return without

    def error(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return an error without values of the tasks."""
        without = self.without(row, self.failed[row["tool"]])
        given = {f"{name}={value}" for (_, name), values in self.values.items() for value in values}
        known = json.loads(row["culprits"])
        without["values"]["culprits"] = as_json({n: c for n, c in known.items() if n not in given})
        return without

    def parameter(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a parameter without values of the tasks; derived properties are computed again."""
        given = self.values[row["tool"], row["parameter"]]
        known = json.loads(row["values"])
        left = as_json({value: counts for value, counts in known.items() if value not in given})
        return {
            "key": row["key"],
            "values": {"values": left, "optimal_value": None, "value_pattern": None},
        }


async def _forget(
    transaction: Transaction, scope: str, rows: Sequence[Mapping[str, Any]]
) -> dict[str, int]:
    left = _Traces(rows)
    asked = {"scope": scope, "task_ids": left.tasks, "tools": sorted(left.tools)}
    [taught] = await transaction.run(QUERIES["erasure.find_taught"], asked)
    contexts = taught["contexts"]
    erased = {
        "scope": scope,
        "task_ids": left.tasks,
        "patterns": [left.pattern(row) for row in taught["patterns"]],
        "insights": [left.without(row, {}) for row in taught["insights"]],
        "errors": [left.error(row) for row in taught["errors"]],
        "parameters": [left.parameter(row) for row in taught["parameters"]],
        # tools that nobody else called are removed
        "tools": [row["key"] for row in taught["tools"] if row["uses"] <= left.tools[row["key"]]],
        "contexts": [
            row["key"]
            for row in contexts
            if row["uses"] <= left.contexts[row["tool"], row["context"]]
        ],
    }
    return await run_counts(transaction, QUERIES["erasure.forget_executions"], erased)


async def run_counts(
    transaction: Transaction, query: Query, asked: Mapping[str, Any]
) -> dict[str, int]:
    """Run a statement that returns numbers of removed nodes, by label."""
    [row] = await transaction.run(query, asked)
    return {label: int(count) for label, count in row.items()}


Counts = dict[str, int]


async def forget_surprises(transaction: Transaction, subject: Subject, limit: int) -> Counts:
    """Remove surprises and predictions of an owner in one transaction, as they are few."""
    if not subject.owner:
        return {}
    asked = {
        "tenant": subject.tenant,
        "scope": subject.owner,
        "agent": subject.agent,
        "user": subject.user,
        "limit": max(1, limit // 2),
    }
    return await run_counts(transaction, QUERIES["erasure.forget_surprises"], asked)


async def sweep(transaction: Transaction, subject: Subject, limit: int) -> Counts:
    """Remove what is left of a subject; repeated for an owner until nothing is found."""
    if not subject.owner:
        named = {"scope": subject.scope, "session_id": subject.name}
        counts = await run_counts(transaction, QUERIES["erasure.sweep_session"], named)
        return counts | await forget_knowledge(transaction, subject, limit)
    asked = {
        "tenant": subject.tenant,
        "scope": subject.owner,
        "actor": subject.actor,
        "limit": max(1, limit // 8),
    }
    counts = await run_counts(transaction, QUERIES["erasure.sweep_owned"], asked)
    for others in (
        await forget_surprises(transaction, subject, limit),
        await forget_knowledge(transaction, subject, limit),
    ):
        counts |= {name: counts.get(name, 0) + count for name, count in others.items()}
    return counts
