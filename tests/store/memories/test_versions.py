from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.store.memories.owners import Owners
from service.bootstrap import Service
from tests.conftest import Recalls, Run
from tests.store.reading import texts

HOME = "local/agent/anna"
NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)


async def test_a_version_keeps_what_was_replaced(
    service: Service, cypher: Run, anna: Caller
) -> None:
    first = NewMemory(HOME, "one", external_id="e", importance=5, tags=("a",), occurred_at=NOON)
    [saved] = await service.remember([first])
    await service.remember([NewMemory(HOME, "two", external_id="e", kind="insight")])
    await service.remember([NewMemory(HOME, "three", external_id="e")])
    rows = cypher(
        "MATCH (v:Version)-[:VERSION_OF]->(m:Memory) RETURN v.text AS text, v.kind AS kind, "
        "v.importance AS importance, v.tags AS tags, v.scope AS scope, v.tenant AS tenant, "
        "v.memory_uid = m.uid AS of, v.embedding_a AS vector ORDER BY v.replaced_at"
    )
    assert [row["text"] for row in rows] == ["one", "two"]
    assert [row["kind"] for row in rows] == ["observation", "insight"]
    assert rows[0]["importance"] == 5
    assert rows[0]["tags"] == ["a"]
    assert {(row["scope"], row["tenant"], row["of"]) for row in rows} == {(HOME, "local", True)}
    assert {row["vector"] for row in rows} == {None}
    memory = await service.get_memory(anna, saved.uid or "")
    assert (memory.text, memory.kind, memory.importance) == ("three", "observation", 3)


async def test_an_update_moves_label_vector_keys_and_words(
    service: Service, cypher: Run, anna: Caller, recall: Recalls
) -> None:
    await service.remember([NewMemory(HOME, "a red lighthouse", external_id="e", tags=("x",))])
    await service.remember([NewMemory(HOME, "Zürcher Käse", external_id="e", kind="insight")])
    [row] = cypher("MATCH (m:Memory) RETURN labels(m) AS labels, size(m.tags) AS tags")
    assert set(row["labels"]) == {"Memory", "Insight"}
    assert row["tags"] == 0
    answer = await recall(anna, "zurcher kase", explain=True)
    assert texts(answer) == ["Zürcher Käse"]
    assert answer.results[0].explanation is not None
    assert answer.results[0].explanation.components["lexical"] > 0
    answer = await recall(anna, "lighthouse", explain=True)
    assert answer.results[0].explanation is not None
    assert answer.results[0].explanation.components["lexical"] == 0


async def test_an_update_keeps_what_was_learned(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [saved] = await service.remember([NewMemory(HOME, "one", external_id="e")])
    cypher("MATCH (m:Memory) SET m.q_value = 0.9, m.q_count = 4, m.access_count = 7")
    await service.remember([NewMemory(HOME, "two", external_id="e")])
    memory = await service.get_memory(anna, saved.uid or "")
    assert (memory.q_value, memory.q_count, memory.access_count) == (0.9, 4, 7)


@pytest.mark.parametrize("second", [None, datetime(2025, 4, 1, tzinfo=UTC)])
async def test_an_update_without_a_time_keeps_when_it_happened(
    service: Service, anna: Caller, second: datetime | None
) -> None:
    [saved] = await service.remember(
        [NewMemory(HOME, "one", external_id="e", occurred_at=NOON)]
    )  # fmt: skip
    await service.remember([NewMemory(HOME, "two", external_id="e", occurred_at=second)])
    memory = await service.get_memory(anna, saved.uid or "")
    assert memory.occurred_at == (second or NOON)


async def test_going_back_to_an_older_text_is_an_update_too(service: Service, cypher: Run) -> None:
    for text, status in (("a", "created"), ("b", "updated"), ("a", "updated"), ("a", "unchanged")):
        [saved] = await service.remember([NewMemory(HOME, text, external_id="e")])
        assert saved.status == status
    assert cypher("MATCH (v:Version) RETURN count(v) AS n") == [{"n": 2}]


async def test_who_finds_its_scope_made_by_another_meanwhile_draws_a_version_too(
    service: Service, cypher: Run
) -> None:
    """Both looked for the scope before it was there."""
    versions: list[str] = []
    for _ in range(2):
        owners = Owners(service.database)
        rows = [NewMemory(HOME, "one")]
        await service.database.write(lambda tx, o=owners, r=rows: o.note(tx, r, NOON, ()))
        [row] = cypher("MATCH (s:Scope) RETURN s.version AS version")
        versions.append(row["version"])
    assert len({*versions, None}) == 3
