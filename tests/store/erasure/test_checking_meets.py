"""What is mended while others write: looked at again behind the locks, and not before its edges had time to come."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx
import pytest

from graph.kernel.scope import Caller
from graph.model.erasure.checking import FlawKind
from graph.model.erasure.receipts import Subject
from graph.model.memories.memory import NewMemory
from graph.store.erasure.checking import GraphChecks
from service.bootstrap import Service
from tests.conftest import Remembers, Run
from tests.doors.erasure.test_erasing_meets import begun
from tests.doors.moving import WIPE, exported, imported, of
from tests.store.erasure.test_checking import checked, sound
from tests.store.memories.test_places import HOME, SAID, condense, say
from tests.store.reading import aged, linked

EDGES = (
    "MATCH (a:Memory)-[r:PUBLISHED_FROM|PROMOTED_FROM]->(b:Memory) "
    "RETURN type(r) AS type, a.uid AS a, a.state AS of, b.uid AS b, b.state AS to ORDER BY a, b"
)


@pytest.mark.parametrize("kind", ["copies", "marked", "stranded"])
async def test_what_is_as_it_should_be_behind_the_locks_stays(
    service: Service, cypher: Run, remember: Remembers, kind: FlawKind
) -> None:
    """The edge came, or an erasure began, after the look."""
    await sound(service, cypher, remember)
    [row] = cypher("MATCH (m:Memory {text: 'one'}) RETURN m.uid AS uid, m.scope AS scope")
    if kind == "marked":
        await begun(service, Subject("memory", row["scope"], row["uid"]))
    uid = "copy" if kind == "copies" else row["uid"]
    whole = "MATCH (m:Memory {uid: $uid}) RETURN m.state AS state, COUNT { (m)--() } AS n"
    before = cypher(whole, uid=uid)
    checks = GraphChecks(service.database)
    assert await checks.mend(kind, [(uid,)], datetime.now(UTC)) == 0
    assert cypher(whole, uid=uid) == before != []


@pytest.mark.parametrize("link", [False, True], ids=["waiting", "linked"])
async def test_an_import_under_way_is_left_alone(
    service: Service, client: httpx.AsyncClient, cypher: Run, link: bool
) -> None:
    ops = Caller("local", "anna", ("ops",))
    await say(service, *SAID)
    await condense(service, cypher)
    [shared] = await service.remember([NewMemory(HOME, "shared", agent_id="anna")])
    await service.join_channels(ops)
    await service.publish_memory(ops, shared.uid or "")
    lines, before = await exported(client), cypher(EDGES)
    assert [row["type"] for row in before] == ["PROMOTED_FROM", "PROMOTED_FROM", "PUBLISHED_FROM"]
    cypher(WIPE)
    await imported(client, [line for line in lines if line["type"] != "edge"])
    if link:
        await linked(service)
    found = await checked(service, repair=True)
    mended = {kind: (found[kind].count, found[kind].mended) for kind in ("copies", "stranded")}
    assert mended == {"copies": (1, 0), "stranded": (2, 0)}
    await imported(client, lines)
    assert cypher(EDGES) == before
    cypher("MATCH ()-[r:PUBLISHED_FROM|PROMOTED_FROM]->() DELETE r")
    aged(cypher)
    found = await checked(service, repair=True)
    mended = {kind: (found[kind].count, found[kind].mended) for kind in ("copies", "stranded")}
    assert mended == {"copies": (1, 1), "stranded": (2, 2)}
    assert len(of(lines, "memory")) - 1 == len(cypher("MATCH (m:Memory) RETURN m"))
