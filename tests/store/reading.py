"""Reads of the graph beside the service."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from graph.model.memories.links import Lease
from graph.model.recall.candidates import RecallAnswer
from service.bootstrap import Service
from service.use_cases.operation.jobs import Job
from tests.conftest import Run


async def settled(cypher: Run) -> None:
    """Wait until both indexes contain every memory; that of vectors lags."""
    [row] = cypher(
        "MATCH (m:Memory) WHERE size(m.embedding_a) = 384 AND m.embedding_a[0] IS NOT NULL "
        "RETURN count(m) AS n, head(collect(m.embedding_a)) AS v"
    )
    deadline = asyncio.get_running_loop().time() + 20
    while asyncio.get_running_loop().time() < deadline:
        near = cypher(
            "CALL db.index.vector.queryNodes('memory_embedding_a', $n, $v) YIELD node "
            "RETURN count(node) AS n",
            n=max(row["n"], 1),
            v=row["v"] or [1.0] * 384,
        )
        worded = cypher(
            "CALL db.index.fulltext.queryNodes('memory_text', 'keys:[r0 TO r9]') YIELD node "
            "RETURN count(node) AS n"
        )
        if near[0]["n"] >= row["n"] and worded[0]["n"] >= row["n"]:
            return
        await asyncio.sleep(0.02)


def job_of(service: Service, name: str) -> Job:
    return next(job for job in service.jobs if job.name == name)


async def lease_of(service: Service, holder: str = "tests") -> Lease:
    """Take the worker's lease, also from a failed test."""
    for _ in range(200):
        lease = await service.leases.acquire("worker", holder, 60)
        if lease is not None:
            return lease
        await asyncio.sleep(0.1)
    raise AssertionError("another holds the worker's lease")


async def linked(service: Service, holder: str = "tests") -> None:
    """Link all waiting memories like the worker."""
    lease = await lease_of(service, holder)
    deadline = asyncio.get_running_loop().time() + 20
    while await service.links.count_unlinked():
        assert asyncio.get_running_loop().time() < deadline, "some memories stay without links"
        await job_of(service, "link_memories").step(
            datetime.now(UTC) + timedelta(seconds=10), lease
        )
    await service.leases.release(lease)


def texts(answer: RecallAnswer) -> list[str]:
    return [result.memory.text for result in answer.results]


def uids(answer: RecallAnswer) -> list[str]:
    return [result.memory.uid for result in answer.results]


def chain(cypher: Run, scope: str, session_id: str) -> list[dict[str, Any]]:
    """Return a session's memories along NEXT; fails unless they form one unbroken chain."""
    members = cypher(
        "MATCH (m:Memory {scope: $scope, session_id: $session_id}) "
        "RETURN m.uid AS uid, m.text AS text, m.sequence AS sequence, m.context_text AS context",
        scope=scope,
        session_id=session_id,
    )
    edges = cypher(
        "MATCH (a:Memory {scope: $scope, session_id: $session_id})-[r:NEXT]->(b:Memory) "
        "RETURN a.uid AS a, b.uid AS b",
        scope=scope,
        session_id=session_id,
    )
    after = {edge["a"]: edge["b"] for edge in edges}
    assert len(after) == len(edges) == len({edge["b"] for edge in edges}), "the chain forks"
    assert len(edges) == max(len(members) - 1, 0), "the chain is broken"
    by_uid = {member["uid"]: member for member in members}
    starts = set(by_uid) - set(after.values())
    ordered: list[dict[str, Any]] = []
    place = next(iter(starts), None)
    while place is not None:
        ordered.append(by_uid[place])
        place = after.get(place)
    assert len(ordered) == len(members), "the chain does not reach every memory"
    return ordered


def assert_whole(cypher: Run, scope: str, session_id: str) -> list[dict[str, Any]]:
    """Check chain, order, contexts and the session's own properties; return the chain.

    The last place may be beyond the last memory, after removals.
    """
    ordered = chain(cypher, scope, session_id)
    sequences = [member["sequence"] for member in ordered]
    assert sequences == sorted(sequences), "the chain is out of order"
    said = [member["text"] for member in ordered]
    expected = ["\n".join(said[max(i - 1, 0) : i + 2]) for i in range(len(said))]
    assert [member["context"] for member in ordered] == expected
    sessions = cypher(
        "MATCH (s:Session {scope: $scope, session_id: $session_id}) "
        "RETURN s.last_sequence AS last, s.tail_uid AS tail",
        scope=scope,
        session_id=session_id,
    )
    if ordered:
        assert [session["tail"] for session in sessions] == [ordered[-1]["uid"]]
        assert sessions[0]["last"] >= sequences[-1]
    else:
        assert sessions == []
    return ordered


def aged(cypher: Run) -> None:
    """Make all memories old: for a check they are no import in progress."""
    cypher(
        "MATCH (m:Memory) SET m.linked_at = datetime() - duration('PT2H') REMOVE m.unlinked_since"
    )
