"""A new memory begins with what similar ones are worth, as the background finds them."""

from __future__ import annotations

from typing import Any

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Remembers, Run
from tests.store.reading import linked, settled
from tests.store.teaching import give

HOME = "local/agent/anna"
KNOWN = "The night ferry to the island leaves at nine from the old pier."
ALIKE = "The night ferry to the island leaves at ten from the old pier."
OTHER = "Saffron is sold by weight."


def memory_of(cypher: Run, uid: str) -> dict[str, Any]:
    [row] = cypher("MATCH (m:Memory {uid: $uid}) RETURN m {.*} AS memory", uid=uid)
    return row["memory"]


@pytest.fixture
async def known(service: Service, cypher: Run, anna: Caller, remember: Remembers) -> str:
    """A memory that ten tasks were glad of."""
    uid = await remember(anna, KNOWN)
    for place in range(10):
        await give(service, anna, f"t{place}", [uid])
        await service.report_outcome(anna, f"t{place}", "success")
    await linked(service)
    await settled(cypher)
    return uid


async def stored(service: Service, cypher: Run, text: str, scope: str = HOME) -> dict[str, Any]:
    [saved] = await service.remember([NewMemory(scope, text)])
    await settled(cypher)
    await linked(service)
    return memory_of(cypher, saved.uid or "")


async def test_what_resembles_a_good_memory_begins_better(
    service: Service, cypher: Run, known: str
) -> None:
    new = await stored(service, cypher, ALIKE)
    assert new["initialized_from"] == "transfer"
    [row] = cypher("MATCH ({uid: $uid})-[r:SIMILAR_TO]-({uid: $known}) RETURN r.similarity AS s",
                   uid=new["uid"], known=known)  # fmt: skip
    weight = row["s"] * (1 - 0.9**10) / 0.1
    assert new["q_init"] == pytest.approx(0.5 + 0.5 * weight / (weight + 5), abs=1e-5)
    assert (new["q_value"], new["q_count"]) == (new["q_init"], 0)
    shown = await service.get_memory(Caller("local", "anna"), new["uid"])
    assert shown.initialized_from == "transfer"


async def test_what_resembles_nothing_that_was_taught_begins_as_ever(
    service: Service, cypher: Run, known: str
) -> None:
    other = await stored(service, cypher, OTHER)
    assert (other["initialized_from"], other["q_value"]) == ("default", 0.5)
    assert "q_init" not in other
    elsewhere = await stored(service, cypher, ALIKE, "local/agent/bert")
    assert elsewhere["initialized_from"] == "default"


async def test_what_began_better_lends_nothing_on(
    service: Service, cypher: Run, known: str
) -> None:
    await stored(service, cypher, ALIKE)
    cypher("MATCH (m:Memory {uid: $uid}) DETACH DELETE m", uid=known)
    again = await stored(service, cypher, ALIKE.replace("ten", "six"))
    assert again["initialized_from"] == "default"


async def test_own_rewards_and_a_set_beginning_stand(
    service: Service, cypher: Run, anna: Caller, known: str
) -> None:
    taught, given = await service.remember(
        [NewMemory(HOME, ALIKE), NewMemory(HOME, ALIKE.replace("ten", "six"))]
    )
    await give(service, anna, "own", [taught.uid or ""])
    await service.report_outcome(anna, "own", "failure")
    cypher(
        "MATCH (m:Memory {uid: $uid}) SET m.initialized_from = 'manual', m.q_value = 0.2, "
        "m.q_init = 0.2",
        uid=given.uid,
    )
    await settled(cypher)
    await linked(service)
    first, second = (memory_of(cypher, answer.uid or "") for answer in (taught, given))
    assert (first["initialized_from"], first["q_value"]) == ("default", pytest.approx(0.45))
    assert (second["initialized_from"], second["q_value"]) == ("manual", 0.2)


async def test_without_learning_nothing_is_taken_over(
    service: Service, cypher: Run, anna: Caller, known: str
) -> None:
    try:
        await service.change_config(anna, {"utility_learning": False})
        new = await stored(service, cypher, ALIKE)
    finally:
        await service.change_config.reset(anna)
    assert new["initialized_from"] == "default"
