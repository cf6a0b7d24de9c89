"""What the recall statement answers at each place is the property that is read there."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.model.recall.candidates import CandidateQuery, Filters, PoolLimits
from graph.store.recall.candidates import COLUMNS, parameters, statement, to_pool
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.reading import settled

DAY = 86_400_000.0
STORED = {
    "importance": 4,
    "q_value": 0.61,
    "q_count": 7,
    "q_left": 0.32,
    "q_init": 0.43,
    "q_m2": 0.054,
    "access_count": 9,
    "w0": 0.87,
}
SAID = NewMemory(
    "local/agent/anna",
    "the grey cat sleeps",
    kind="insight",
    stratum="episodic",
    external_id="cat",
    speaker="Ben",
    session_id="monday",
    tags=("cats",),
    metadata={"colour": "grey"},
    occurred_at=datetime(2026, 1, 2, tzinfo=UTC),
)
ANCHOR, GRACE = datetime(2026, 2, 3, tzinfo=UTC), datetime(2026, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize("grace", [None, GRACE])
async def test_each_column_is_the_property_of_its_name(
    service: Service, cypher: Run, anna: Caller, grace: datetime | None
) -> None:
    [saved] = await service.remember([SAID])
    properties = {**STORED, "w_at": ANCHOR, "grace_until": grace}
    cypher("MATCH (m:Memory) SET m += $properties", properties=properties)
    await settled(cypher)
    using = service.embedders.reading
    query = CandidateQuery(
        scopes=anna.readable,
        embedding=using.embedder.embed_query("the grey cat sleeps"),
        terms=("grey", "cat"),
        filters=Filters(),
        now=datetime.now(UTC),
        hops=1,
        limits=PoolLimits(),
        slot=using.slot,
    )
    asked = statement(query)
    [row] = await service.database.read(asked, parameters(query, asked.params, most=False))
    values = dict(zip(COLUMNS, row["candidates"][0], strict=True))
    shown = ("external_id", "scope", "kind", "stratum", "text", "speaker", "session_id")
    at = (grace or ANCHOR).timestamp() * 1000
    assert values | STORED | {name: getattr(SAID, name) for name in shown} == values
    assert (values["uid"], values["tags"]) == (saved.uid, ["cats"])
    assert json.loads(values["metadata"]) == SAID.metadata
    assert (values["w_at"], values["hop"]) == (at, 0)
    assert SAID.occurred_at is not None
    assert values["occurred_at"] == SAID.occurred_at.timestamp() * 1000

    pool = to_pool(row, 40)
    read = {
        "importance": pool.importance,
        "q_value": pool.q_value,
        "q_count": pool.q_count,
        "q_left": pool.q_left,
        "q_init": pool.q_init,
        "q_m2": pool.q_variance,
        "access_count": pool.access_count,
        "w0": pool.weight,
    }
    assert {name: column[0] for name, column in read.items()} == STORED
    assert pool.weight_day[0] == at / DAY
    assert pool.memories[0].speaker == "Ben"
    assert pool.cosine[0] > 0.9
