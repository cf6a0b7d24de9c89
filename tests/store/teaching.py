"""Tasks with given memories, and learning configurations."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.model.utility.config import UtilityConfig
from graph.model.utility.rewards import Track
from graph.model.utility.tasks import Retrieval
from graph.scoring.learning import replayed
from service.bootstrap import Service
from service.use_cases.utility.outcome import ReportOutcome
from tests.conftest import Run
from tests.fixed_configs import FixedConfigs

HOME = "local/agent/anna"
_BIRTH = Track()


async def give(
    service: Service,
    caller: Caller,
    task_id: str,
    uids: Sequence[str],
    *,
    phase: str | None = None,
    contexts: Sequence[str] = (),
) -> None:
    """Give memories to a task, the first at rank 1."""
    now = datetime.now(UTC)
    await service.recall.tasks.record_retrieval(
        home=caller.home,
        task_id=task_id,
        phase=phase,
        retrievals=[Retrieval(uid, rank, 0.5) for rank, uid in enumerate(uids, start=1)],
        now=now,
        expires_at=now + timedelta(days=1),
        contexts=contexts,
    )


async def stored(service: Service, count: int, **fields: Any) -> list[str]:
    """Store facts of the first agent."""
    saved = await service.remember([NewMemory(HOME, f"fact {i}", **fields) for i in range(count)])
    return [answer.uid or "" for answer in saved]


def reporting(service: Service, **config: Any) -> ReportOutcome:
    """Return outcomes under another configuration."""
    return replace(service.report_outcome, configs=FixedConfigs(UtilityConfig(**config)))


def histories(cypher: Run) -> dict[str, list[dict[str, Any]]]:
    """Read the entries of each memory, oldest first."""
    rows = cypher(
        "MATCH (m:Memory)<-[r:REWARDED]-(w:Reward) WITH m, r, w ORDER BY r.seq "
        "RETURN m.uid AS uid, collect(r {.*, kind: w.kind, at: w.recorded_at, "
        "reverted: w.reverted_at IS NOT NULL}) AS entries"
    )
    return {row["uid"]: row["entries"] for row in rows}


def tracks(cypher: Run) -> dict[str, Track]:
    """Read the utility of each memory."""
    rows = cypher(
        "MATCH (m:Memory) RETURN m.uid AS uid, [m.q_value, m.q_count, coalesce(m.q_left, 1.0), "
        "m.q_m2, coalesce(m.q_init, 0.5)] AS track"
    )
    return {row["uid"]: Track(*row["track"]) for row in rows}


def check_history(entries: Sequence[dict[str, Any]], track: Track, start: Track = _BIRTH) -> None:
    """Assert that entries are consecutive, and that a replay gives exactly the stored utility."""
    assert [entry["seq"] for entry in entries] == list(
        range(entries[0]["seq"], entries[0]["seq"] + len(entries))
    )
    for before, after in itertools.pairwise(entries):
        assert after["q_before"] == before["q_after"]
    assert entries[-1]["q_after"] == track.value
    held = [entry for entry in entries if entry["kind"] != "revert" and not entry["reverted"]]
    value, left, deviation = replayed(
        (start.value, start.left, start.deviation),
        np.array([entry["target"] for entry in held]),
        np.array([entry["step"] for entry in held]),
    ).tolist()
    assert (value, left, deviation) == (track.value, track.left, track.deviation)
    assert track.count == start.count + len(held)
