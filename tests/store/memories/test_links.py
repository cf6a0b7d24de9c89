from __future__ import annotations

import pytest

from graph.kernel.scope import Caller
from graph.kernel.values import LINK_TYPES, LinkType
from graph.model.memories.memory import Link, NewMemory
from service.bootstrap import Service
from tests.conftest import Remembers, Run
from tests.store.reading import assert_whole

HOME = "local/agent/anna"


def edges(cypher: Run) -> list[tuple[str, str, str]]:
    rows = cypher(
        "MATCH (a:Memory)-[r]->(b:Memory) RETURN a.text AS a, type(r) AS type, b.text AS b "
        "ORDER BY a, type, b"
    )
    return [(row["a"], row["type"], row["b"]) for row in rows]


@pytest.mark.parametrize("kind", LINK_TYPES)
async def test_a_new_memory_links_to_a_stored_one(
    service: Service, cypher: Run, anna: Caller, remember: Remembers, kind: LinkType
) -> None:
    uid = await remember(anna, "old", external_id="o")
    for name, target in (("by uid", uid), ("by name", "external:o")):
        await service.remember([NewMemory(HOME, name, links=(Link(kind, target),))])
    assert edges(cypher) == [("by name", kind, "old"), ("by uid", kind, "old")]


async def test_rows_of_one_batch_link_to_each_other_in_both_directions(
    service: Service, cypher: Run
) -> None:
    saved = await service.remember(
        [
            NewMemory(HOME, "a", external_id="a", links=(Link("USED", "external:b"),)),
            NewMemory(HOME, "b", external_id="b", links=(Link("DERIVED_FROM", "external:a"),)),
        ]
    )
    assert {answer.status for answer in saved} == {"created"}
    assert edges(cypher) == [("a", "USED", "b"), ("b", "DERIVED_FROM", "a")]


async def test_a_link_to_a_row_that_stands_twice_in_its_batch_is_made(
    service: Service, cypher: Run
) -> None:
    twice = NewMemory(HOME, "twice", external_id="t")
    linked = NewMemory(HOME, "linked", links=(Link("USED", "external:t"),))
    saved = await service.remember([twice, twice, linked])
    assert [answer.status for answer in saved] == ["created", "duplicate", "created"]
    assert edges(cypher) == [("linked", "USED", "twice")]


async def test_a_link_to_a_row_of_the_batch_that_is_refused_is_refused(
    service: Service, cypher: Run
) -> None:
    await service.remember([NewMemory(HOME, "there", session_id="s", sequence=1)])
    refused = NewMemory(HOME, "refused", external_id="r", session_id="s", sequence=1)
    linked = NewMemory(HOME, "linked", links=(Link("USED", "external:r"),))
    for rows in ([refused, linked], [linked, refused]):
        saved = await service.remember(rows)
        assert [answer.status for answer in saved] == ["rejected", "rejected"]
    assert edges(cypher) == []


@pytest.mark.parametrize("target", ["nobody", "external:nobody", "", "external:"])
async def test_a_link_to_nothing_is_refused(service: Service, cypher: Run, target: str) -> None:
    [saved] = await service.remember([NewMemory(HOME, "x", links=(Link("USED", target),))])
    assert (saved.status, saved.field) == ("rejected", "links")
    assert cypher("MATCH (m:Memory) RETURN m") == []


async def test_a_link_into_another_scope_is_refused(
    service: Service, cypher: Run, bert: Caller, remember: Remembers
) -> None:
    his = await remember(bert, "his", external_id="h")
    shared = await service.remember([NewMemory("local/shared", "everyone's", external_id="s")])
    for target in (his, "external:h", shared[0].uid or "", "external:s"):
        [saved] = await service.remember([NewMemory(HOME, "mine", links=(Link("USED", target),))])
        assert (saved.status, saved.field) == ("rejected", "links")
    assert edges(cypher) == []


async def test_the_same_link_twice_is_one(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "old")
    new = NewMemory(
        HOME, "new", external_id="n", links=(Link("USED", uid), Link("USED", uid))
    )  # fmt: skip
    await service.remember([new])
    await service.remember([new])
    assert edges(cypher) == [("new", "USED", "old")]
    rows = cypher("MATCH (m:Memory) RETURN m.text AS text, m.link_count AS n ORDER BY text")
    assert [row["n"] for row in rows] == [1, 1]


async def test_an_unchanged_memory_sent_with_another_link_gains_it(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "old")
    await service.remember([NewMemory(HOME, "new", external_id="n")])
    await service.remember([NewMemory(HOME, "new", external_id="n", links=(Link("USED", uid),))])
    assert edges(cypher) == [("new", "USED", "old")]


async def test_a_memory_may_not_link_to_itself_twice_over_its_own_name(
    service: Service, cypher: Run
) -> None:
    """A link to oneself is harmless: it is made or refused, and never breaks the batch."""
    own = NewMemory(HOME, "own", external_id="o", links=(Link("USED", "external:o"),))
    saved = await service.remember([own, NewMemory(HOME, "other")])
    assert saved[1].status == "created"


async def test_a_row_with_links_keeps_its_place_in_its_session(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "old")
    rows = [
        NewMemory(HOME, "one", session_id="s", links=(Link("USED", uid),)),
        NewMemory(HOME, "two", session_id="s"),
    ]
    await service.remember(rows)
    assert [m["text"] for m in assert_whole(cypher, HOME, "s")] == ["one", "two"]


async def test_links_along_refused_rows_are_refused_one_after_the_other(
    service: Service, cypher: Run
) -> None:
    rows = [
        NewMemory(HOME, f"row {i}", external_id=str(i), links=(Link("USED", f"external:{i + 1}"),))
        for i in range(5)
    ]
    saved = await service.remember([*rows, NewMemory(HOME, "alone")])
    assert [answer.status for answer in saved] == [*["rejected"] * 5, "created"]
    assert edges(cypher) == []
