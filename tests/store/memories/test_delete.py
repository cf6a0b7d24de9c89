from __future__ import annotations

import pytest

from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Recalls, Remembers, Run

HOME = "local/agent/anna"


async def test_a_deleted_memory_is_gone_with_its_versions_and_edges(
    service: Service, cypher: Run, anna: Caller, remember: Remembers, recall: Recalls
) -> None:
    other = await remember(anna, "stays")
    uid = await remember(anna, "goes", external_id="g", links=(Link("USED", other),))
    await service.remember([NewMemory(HOME, "goes now", external_id="g")])
    await recall(anna, "goes now", expect=2)
    await service.delete_memory(anna, uid)
    assert cypher("MATCH (n:Memory) RETURN n.text AS text") == [{"text": "stays"}]
    assert cypher("MATCH (v:Version) RETURN v") == []
    with pytest.raises(NotFoundError):
        await service.get_memory(anna, uid)
    answer = await service.recall(RecallRequest(anna, text="goes now"))
    assert [result.memory.uid for result in answer.results] == [other]


async def test_a_memory_is_deleted_by_its_external_id(
    service: Service, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "named", external_id="with/slash: and colon")
    await service.delete_memory(anna, "external:with/slash: and colon")
    with pytest.raises(NotFoundError):
        await service.get_memory(anna, uid)


async def test_deleting_twice_is_not_found(
    service: Service, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "once")
    await service.delete_memory(anna, uid)
    with pytest.raises(NotFoundError):
        await service.delete_memory(anna, uid)


@pytest.mark.parametrize("name", ["", "external:", "nobody", "external:nobody", "*", "' OR 1=1"])
async def test_deleting_nothing_is_not_found(
    service: Service, anna: Caller, remember: Remembers, cypher: Run, name: str
) -> None:
    await remember(anna, "stays")
    with pytest.raises(NotFoundError):
        await service.delete_memory(anna, name)
    assert cypher("MATCH (m:Memory) RETURN count(m) AS n") == [{"n": 1}]


async def test_what_is_in_another_scope_is_not_found_and_stays(
    service: Service, anna: Caller, bert: Caller, remember: Remembers
) -> None:
    his = await remember(bert, "his", external_id="h")
    for name in (his, "external:h"):
        with pytest.raises(NotFoundError):
            await service.delete_memory(anna, name)
        with pytest.raises(NotFoundError):
            await service.get_memory(anna, name)
    assert (await service.get_memory(bert, "external:h")).uid == his


async def test_a_hidden_memory_is_neither_read_nor_recalled_alike(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "hidden")
    cypher("MATCH (m:Memory) SET m.state = 'hidden'")
    with pytest.raises(NotFoundError):
        await service.get_memory(anna, uid)
    with pytest.raises(NotFoundError):
        await service.recall(RecallRequest(anna, like=uid))


async def test_the_links_of_what_stays_are_counted_down(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    hub = await remember(anna, "hub")
    uid = await remember(anna, "leaf", links=(Link("USED", hub), Link("SIMILAR_TO", hub)))
    await service.delete_memory(anna, uid)
    [row] = cypher("MATCH (m:Memory) RETURN m.link_count AS n")
    assert row["n"] == 0
