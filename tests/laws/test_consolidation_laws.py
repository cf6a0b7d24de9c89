"""Whatever is condensed, and however often: no evidence is lost or made up, and an undo of all of it is identity."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph.kernel.scope import Caller
from graph.kernel.values import STRATA, Stratum
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.reading import linked

pytestmark = pytest.mark.usefixtures("in_pairs")

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")
RISING = STRATA[:-1]
COUNTS = ("q_count", "retrieval_count", "success_count", "failure_count", "access_count")
WIPE = "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n"
TAUGHT = (
    "UNWIND $rows AS row MATCH (m:Memory {uid: row.uid}) "
    "SET m.q_value = row.q, m.q_count = row.q_count, m.success_count = row.q_count, "
    "m.failure_count = row.accesses % 3, m.retrieval_count = row.q_count + row.accesses, "
    "m.access_count = row.accesses, m.q_m2 = row.q * row.q_count"
)
JOINED = (
    "UNWIND $pairs AS pair MATCH (a:Memory {uid: pair[0]}), (b:Memory {uid: pair[1]}) "
    "CREATE (a)-[:SIMILAR_TO {similarity: 0.9}]->(b)"
)
TEXTS = (
    "The boat went to Porto on 3 May with 12 people.",
    "Clara did not come, because the harbour was closed and nobody had told her the way around it.",
    "We paid 1,200 euros. It was not cheap.",
    "Fine.",
    "The lift of house 4 is broken again, and the caretaker of the house said that he never saw it work.",
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.sampled_from(TEXTS),
            "stratum": st.sampled_from(STRATA),
            "session": st.sampled_from([None, "s", "t"]),
            "kind": st.sampled_from(["observation"] * 4 + ["preference"]),
            "speaker": st.sampled_from([None, "Ann", "Bob"]),
            "importance": st.integers(1, 5),
            "tags": st.sets(st.sampled_from(["a", "b", "c"])),
            "q": st.floats(0, 1),
            "q_count": st.integers(0, 9),
            "accesses": st.integers(0, 40),
            "rewarded": st.booleans(),
        }
    ),
    min_size=2,
    max_size=9,
)
PAIRS = st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=4)
RUNS = st.lists(
    st.sets(st.sampled_from(RISING), min_size=1).map(lambda found: sorted(found, key=STRATA.index)),
    min_size=1,
    max_size=4,
)

lawfully = settings(
    max_examples=12,
    phases=[Phase.generate],  # to shrink a failure would take minutes
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


async def stored(
    service: Service, cypher: Run, rows: list[dict[str, Any]], pairs: set[tuple[int, int]]
) -> None:
    cypher(WIPE)
    new = [
        NewMemory(
            HOME,
            row["text"],
            agent_id="anna",
            external_id=f"m{place}",
            stratum=row["stratum"],
            session_id=row["session"],
            kind=row["kind"],
            speaker=row["speaker"],
            importance=row["importance"],
            tags=tuple(sorted(row["tags"])),
        )
        for place, row in enumerate(rows)
    ]
    uids = [answer.uid or "" for answer in await service.remember(new)]
    cypher(
        TAUGHT,
        rows=[{**row, "uid": uid, "tags": None} for row, uid in zip(rows, uids, strict=True)],
    )
    for row, uid in zip(rows, uids, strict=True):
        if row["rewarded"]:
            await service.inject_reward(ANNA, uid, row["q"], reason="it helped")
    near = [(one, two) for one, two in pairs if one < two < len(uids)]
    cypher(JOINED, pairs=[[uids[one], uids[two]] for one, two in near])


ACTIVE = """
MATCH (m:Memory {state: 'active'}) WHERE NOT m:Pattern
RETURN m {.*, leaves: COLLECT {
  MATCH (m)-[:PROMOTED_FROM*0..20]->(s:Memory) WHERE NOT (s)-[:PROMOTED_FROM]->() RETURN s.uid
}} AS m
"""


def evidence(cypher: Run) -> dict[str, Any]:
    """Sum up what the active memories rest on."""
    rows = [row["m"] for row in cypher(ACTIVE)]
    leaves = [uid for row in rows for uid in row["leaves"]]
    assert len(leaves) == len(set(leaves)), "two active memories were made of one"
    return {
        **{name: sum(row.get(name) or 0 for row in rows) for name in COUNTS},
        "leaves": set(leaves),
        "tags": {tag for row in rows for tag in row.get("tags") or ()},
        "importance": max(row["importance"] for row in rows),
        "q": pytest.approx(
            sum((row.get("q_count") or 0) * row["q_value"] for row in rows), abs=1e-9
        ),
    }


MADE = """
MATCH (m:Memory {made_by: $run})-[:PROMOTED_FROM {run_uid: $run}]->(s:Memory)
WITH m, s ORDER BY s.uid
RETURN m {.*} AS made, collect(s {.*}) AS sources
"""


def is_what_its_sources_were(made: dict[str, Any], sources: list[dict[str, Any]]) -> None:
    for name in COUNTS:
        assert made[name] == sum(source.get(name) or 0 for source in sources)
    for name in ("importance", "surprise"):
        assert (made.get(name) or 0) == max(source.get(name) or 0 for source in sources)
    assert set(made["tags"]) == {tag for source in sources for tag in source["tags"]}
    weights = [source.get("q_count") or 0 for source in sources]
    weights = weights if any(weights) else [1] * len(sources)
    total = sum(source["q_value"] * n for source, n in zip(sources, weights, strict=True))
    assert made["q_value"] == pytest.approx(total / sum(weights), abs=1e-9)
    assert {source["state"] for source in sources} == {"archived"}


WHOLE = """
MATCH (n) WHERE NOT n:Schema AND NOT n:Lease AND NOT n:Run AND NOT n:Cluster AND NOT n:Event AND NOT n:EventClock
RETURN labels(n) AS labels, properties(n) AS properties, COLLECT {
  MATCH (n)-[e]->(o) RETURN [type(e), coalesce(o.uid, o.name), properties(e)]
} AS edges
"""
# When these were last written, and which of two versions of a scope a replica holds.
WRITTEN = {
    "Scope": ("version", "asked_at", "changed_at"),
    "Session": ("changed_at",),
    "Term": ("changed_at",),
}

LONG = ("embedding_a", "embedding_b", "keys")


def whole(cypher: Run) -> list[str]:
    """Return all nodes and edges, but for runs, events, and what a write leaves to be locked by."""
    found: list[str] = []
    for row in cypher(WHOLE):
        passing = {name for label in row["labels"] for name in WRITTEN.get(label, ())}
        kept = {name: value for name, value in row["properties"].items() if name not in passing}
        if kept.get("link_count") == 0:  # nothing, and not counted yet, are the same
            del kept["link_count"]
        kept = {name: hash(str(v)) if name in LONG else v for name, v in kept.items()}
        edges = sorted(json.dumps(edge, default=str, sort_keys=True) for edge in row["edges"])
        found.append(json.dumps([row["labels"], kept, edges], default=str, sort_keys=True))
    return sorted(found)


def differs(before: list[str], after: list[str]) -> None:
    """Fail with what differs alone."""
    assert [line for line in before if line not in after] == [
        line for line in after if line not in before
    ]
    assert len(before) == len(after)


async def condensed(service: Service, strata: list[Stratum]) -> str | None:
    done = await service.consolidate(ANNA, strata=strata, everything=True, dry_run=False)
    if done.run is None:
        return None
    assert done.run.state == "done"
    return done.run.uid


@lawfully
@given(rows=ROWS, pairs=PAIRS, runs=RUNS, link=st.sampled_from([False, False, False, True]))
async def test_evidence_is_conserved_by_every_run_and_the_undo_of_all_is_identity(
    service: Service,
    cypher: Run,
    rows: list[dict[str, Any]],
    pairs: set[tuple[int, int]],
    runs: list[list[Stratum]],
    link: bool,
) -> None:
    await stored(service, cypher, rows, pairs)
    if link:
        await linked(service)
    first = evidence(cypher)
    undone: list[tuple[str, list[str]]] = []
    for strata in runs:
        before = whole(cypher)
        run = await condensed(service, strata)
        if run is None:
            differs(before, whole(cypher))
            continue
        undone.append((run, before))
        for row in cypher(MADE, run=run):
            is_what_its_sources_were(row["made"], row["sources"])
        assert evidence(cypher) == first
        if link:
            await linked(service)
    for run, before in reversed(undone):
        back = await service.undo_consolidation(ANNA, run)
        assert back.state == "undone"
        differs(before, whole(cypher))
