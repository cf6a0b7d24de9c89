"""Whatever memories there are: what the gates move comes back as it was, and no weight rises by itself."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.kernel.scope import Caller
from graph.kernel.values import STRATA
from graph.model.memories.memory import NewMemory
from graph.model.strata.gates import StratumRows
from graph.scoring.gates import StratumColumns, weights_now
from graph.store.strata.store import StrataStore
from service.bootstrap import Service
from service.use_cases.kernel.runs import UndoRun
from service.use_cases.strata.gates import (
    MOVED_AT_ONCE,
    UNKNOWN_GATE_RUN,
    Gates,
    RunGates,
    days_of,
    policy_of,
)
from tests.conftest import Run
from tests.standing_clock import At

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")
PROPERTIES = "MATCH (m:Memory) RETURN properties(m) AS p ORDER BY m.uid"
WIPE = "MATCH (n) WHERE n:Memory OR n:Run OR n:Transition DETACH DELETE n"
AGED = (
    "UNWIND $rows AS row MATCH (m:Memory {uid: row.uid}) "
    "SET m.recorded_at = m.recorded_at - duration({seconds: row.age}), "
    "m.w_at = m.w_at - duration({seconds: row.age}), m.w0 = row.w0, m.q_value = row.q, "
    "m.access_count = row.accesses, m.surprise = row.surprise, "
    "m.stratum_since = CASE m.stratum WHEN 'long_term' THEN m.recorded_at END, "
    "m.grace_until = CASE WHEN row.grace > 0 THEN m.w_at + duration({seconds: row.grace}) END"
)

ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "stratum": st.sampled_from(STRATA),
            "importance": st.integers(1, 5),
            "age": st.sampled_from([0, 700, 1900, 30_000, 90_000, 1_000_000, 5_000_000]),
            "w0": st.floats(0.01, 2.0),
            "q": st.floats(0, 1),
            "accesses": st.integers(0, 200),
            "surprise": st.floats(0, 1),
            "grace": st.sampled_from([0, 0, 3600, 10_000_000]),
        }
    ),
    min_size=1,
    max_size=6,
)


def lawfully(examples: int) -> Any:
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )


async def stored(service: Service, cypher: Run, rows: list[dict[str, Any]]) -> None:
    cypher(WIPE)
    new = [
        NewMemory(HOME, f"thing {i}", stratum=row["stratum"], importance=row["importance"])
        for i, row in enumerate(rows)
    ]
    saved = await service.remember(new)
    aged = [{**row, "uid": answer.uid} for row, answer in zip(rows, saved, strict=True)]
    cypher(AGED, rows=aged)


@lawfully(12)
@given(rows=ROWS)
async def test_what_the_gates_move_and_move_back_is_as_it_was_in_every_property(
    service: Service, cypher: Run, rows: list[dict[str, Any]]
) -> None:
    await stored(service, cypher, rows)
    strata, clock = StrataStore(service.database, service.configs), At(datetime.now(UTC))
    gates = Gates(strata, service.configs, service.remember.identifiers)
    before = cypher(PROPERTIES)
    done = await RunGates(strata, gates, clock=clock, identifiers=service.remember.identifiers)(
        ANNA, dry_run=False
    )
    assert done.run is not None
    assert (cypher(PROPERTIES) != before) == bool(done.plan.total)
    back = await UndoRun(strata, clock=clock, at_once=MOVED_AT_ONCE, unknown=UNKNOWN_GATE_RUN)(
        ANNA, done.run.uid
    )
    assert back.restored == done.plan.total
    assert cypher(PROPERTIES) == before


def columns(rows: StratumRows) -> StratumColumns:
    shared = {field.name for field in fields(StratumColumns)} & {
        f.name for f in fields(StratumRows)
    }
    return StratumColumns(
        owner=np.zeros(len(rows), np.int64),
        **{name: getattr(rows, name) for name in shared},
    )


async def weights(service: Service, now: datetime) -> dict[str, float]:
    """Return what is left of each memory, as the gates would see it."""
    strata, config = (
        StrataStore(service.database, service.configs),
        service.configs.strata_of("local"),
    )
    found: dict[str, float] = {}
    for stratum in STRATA:
        rows = await strata.rows(HOME, stratum)
        if len(rows):
            left, _ = weights_now(columns(rows), policy_of(config, stratum), now=days_of(now))
            found |= dict(zip(rows.uids, left.tolist(), strict=True))
    return found


@lawfully(12)
@given(rows=ROWS, days=st.lists(st.floats(0, 90), min_size=2, max_size=4).map(sorted))
async def test_no_weight_rises_by_itself_nor_by_what_only_anchors_it(
    service: Service, cypher: Run, rows: list[dict[str, Any]], days: list[float]
) -> None:
    await stored(service, cypher, rows)
    now = datetime.now(UTC)
    before = await weights(service, now)
    assert len(before) == len(rows)
    for day in days:
        at = now + timedelta(days=day)
        after = await weights(service, at)
        assert all(after[uid] <= before[uid] * (1 + 1e-12) for uid in before)
        await service.remember.store.count_accesses(dict.fromkeys(before, 3), at)
        anchored = await weights(service, at)
        np.testing.assert_allclose(
            [anchored[uid] for uid in before], [after[uid] for uid in before], atol=1e-9
        )
        before = anchored


MORE = st.sampled_from(["importance", "accesses", "q"])
LIVED = st.lists(st.tuples(ROWS.map(lambda rows: rows[0]), MORE), min_size=1, max_size=5)


@lawfully(12)
@given(pairs=LIVED, days=st.lists(st.sampled_from([0.1, 2.0, 20.0, 200.0]), max_size=3))
async def test_more_importance_accesses_or_utility_never_ends_a_life_sooner(
    service: Service, cypher: Run, pairs: list[tuple[dict[str, Any], str]], days: list[float]
) -> None:
    """Whatever the gates do in between, as long as all fits."""
    most = {"importance": 5, "accesses": 1000, "q": 1.0}
    lesser = [row for row, _ in pairs]
    greater = [{**row, name: most[name]} for row, name in pairs]
    await stored(service, cypher, [*lesser, *greater])
    strata, clock = StrataStore(service.database, service.configs), At(datetime.now(UTC))
    gates = Gates(strata, service.configs, service.remember.identifiers)
    run_gates = RunGates(strata, gates, clock=clock, identifiers=service.remember.identifiers)
    for day in [0.0, *days]:
        clock.time += timedelta(days=day)
        await run_gates(ANNA, dry_run=False)
        rows = cypher("MATCH (m:Memory) RETURN m.text AS text, m.state AS state, m.stratum AS at")
        at = {
            row["text"]: (row["state"] == "active") * (1 + STRATA.index(row["at"])) for row in rows
        }
        for place in range(len(pairs)):
            assert at[f"thing {place + len(pairs)}"] >= at[f"thing {place}"]
