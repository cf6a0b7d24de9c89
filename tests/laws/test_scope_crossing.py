"""Nobody sees or changes what lies in another scope, whichever way in they try."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from unittest.mock import patch

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from pydantic import SecretStr

from graph.kernel.errors import NotFoundError
from graph.kernel.events import EventFilter
from graph.kernel.scope import Caller
from graph.model.engines.config import ENGINES
from graph.model.memories.browsing import EDGE_TYPES, RemovalRequest
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Filters
from graph.model.utility.rewards import UsedName
from graph.store.recall.candidates import ScopeShares
from service.bootstrap import Service
from service.mcp.asking import Asking
from service.mcp.inputs import Who
from service.mcp.server import Caller as Connection
from service.mcp.server import build_server
from service.use_cases.recall.recall import RecallRequest
from service.use_cases.utility.outcome import SignalReport
from tests.conftest import Run
from tests.doors.tools import call, refused
from tests.store.reading import linked
from tests.swapping import app_for, swapped

# Names that look like each other to a stemmer, a query parser, a path or an eye.
NAMES = st.sampled_from(
    [
        "run",
        "running",
        "runs",
        "Run",
        "run/agent/running",
        "../run",
        "run OR running",
        "*",
        "a:b",
        "run~",
        '"run"',
        "läufer",
        "laufer",
        "走る",
        "local/shared",
        "x" * 256,
    ]
)
TENANTS = st.sampled_from(["local", "acme", "acme-2"])


@st.composite
def callers(draw: st.DrawFn) -> Caller:
    kind = draw(st.sampled_from(["agent", "channel", "user"]))
    tenant, name = draw(TENANTS), draw(NAMES)
    if kind == "agent":
        return Caller(tenant, agent_id=name)
    if kind == "channel":
        return Caller(tenant, channel_ids=(name,))
    return Caller(tenant, user_ids=(name,))


async def seen(service: Service, caller: Caller, request: RecallRequest) -> set[str]:
    shown: set[str] = set()
    for holds_most in (False, True):  # both forms of the full-text query's scopes
        with patch.object(ScopeShares, "hold_most", return_value=holds_most):
            for engine in ENGINES:
                asked = replace(request, engine=engine)
                answer = await service.recall(asked)
                foreign = {r.memory.scope for r in answer.results} - set(caller.readable)
                assert not foreign
                shown |= {miss.uid for miss in answer.near_misses}
                shown |= {result.memory.uid for result in answer.results}
    return shown


async def searchable(service: Service, owner: Caller, uid: str) -> None:
    for _ in range(200):
        if uid in await seen(service, owner, RecallRequest(owner, text="grey cat", k=50)):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the owner does not find its own memory")


@given(owner=callers(), other=callers())
@settings(
    max_examples=15,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_no_way_in_crosses_a_scope(
    service: Service, cypher: Run, owner: Caller, other: Caller
) -> None:
    if owner.writable() in other.readable:
        return
    # In a thread: what the service writes in the background must be able to end.
    await asyncio.to_thread(cypher, "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
    text = "the grey cat is named Biscuit"
    [mine] = await service.remember(
        [
            NewMemory(
                owner.writable(),
                text,
                external_id="cat",
                session_id="s",
                speaker="Ann",
                tags=("pet",),
            )
        ]
    )
    [theirs] = await service.remember(
        [NewMemory(other.writable(), "a grey dog", external_id="dog", session_id="s")]
    )
    assert mine.uid
    assert theirs.uid
    await searchable(service, owner, mine.uid)
    await linked(service)
    crossed = cypher(
        "MATCH (a)-[:MENTIONS|SIMILAR_TO*1..2]-(b) WHERE a.scope <> b.scope RETURN count(*) AS n"
    )
    assert crossed == [{"n": 0}]
    cypher(
        "MATCH (a:Memory {uid: $a}), (b:Memory {uid: $b}) "
        "CREATE (a)-[:NEXT]->(b), (a)-[:SIMILAR_TO {similarity: 1.0}]->(b) "
        "WITH a, b MATCH (b)-[:MENTIONS]->(t:Term) CREATE (a)-[:MENTIONS]->(t)",
        a=theirs.uid,
        b=mine.uid,
    )
    base = RecallRequest(other, k=50, hops=2, explain=True)
    vector: list[float] = service.embedders.reading.embedder.embed([text])[0].tolist()
    for request in (
        replace(base, text=text),
        replace(base, text=text, filters=Filters(session_id="s")),
        replace(base, text=text, filters=Filters(tags_any=("pet",))),
        replace(base, vector=tuple(vector)),
        replace(base, like="external:dog"),
    ):
        assert mine.uid not in await seen(service, other, request)
    await crossing_is_refused(service, other, mine.uid)
    await rewards_stay_at_home(service, cypher, owner, other)
    await events_are_heard_at_home(service, owner, other)
    await configurations_stay_at_home(service, owner, other)
    await analytics_stay_at_home(service, owner, other, mine.uid)
    await tools_stay_at_home(service, owner, other, mine.uid)


async def crossing_is_refused(service: Service, other: Caller, uid: str) -> None:
    for name in (uid, "external:cat"):
        with pytest.raises(NotFoundError):
            await service.get_memory(other, name)
        with pytest.raises(NotFoundError):
            await service.delete_memory(other, name)
        with pytest.raises(NotFoundError):
            await service.amend_memory(other, name, {"text": "taken over"})
        with pytest.raises(NotFoundError):
            await service.list_versions(other, name)
        with pytest.raises(NotFoundError):
            await service.show_neighbourhood(other, name, types=EDGE_TYPES, hops=2, limit=200)
        named = RemovalRequest(None, (name,), None, dry_run=False)
        assert (await service.remove_memories(other, named)).deleted == 0
        with pytest.raises(NotFoundError):
            await service.recall(RecallRequest(other, like=name))
        linked = NewMemory(other.writable(), f"link to {name}", links=(Link("USED", name),))
        [answer] = await service.remember([linked])
        assert answer.status == "rejected"
    own = await service.show_neighbourhood(
        other, "external:dog", types=EDGE_TYPES, hops=2, limit=200
    )
    assert uid not in {node.id for node in own.nodes}
    readable = {f"term:{scope.partition('/')[2]}" for scope in other.readable}
    terms = {node.id.rpartition("/")[0] for node in own.nodes if node.label == "Term"}
    assert terms <= readable
    assert "biscuit" not in "".join(node.text for node in own.nodes).lower()
    for filters in (Filters(), Filters(session_id="s"), Filters(tags_any=("pet",))):
        page = await service.list_memories(other, filters)
        assert uid not in {memory.uid for memory in page.items}
        count = await service.count_memories(other, filters, by="session")
        assert count.total == len(page.items)
        meant = RemovalRequest(filters, None, None, dry_run=True)
        assert uid not in (await service.remove_memories(other, meant)).sample
    [same_name] = await service.remember(
        [NewMemory(other.writable(), "a cat of my own", external_id="cat")]
    )
    assert same_name.status == "created"
    assert same_name.uid != uid


async def heard(service: Service, caller: Caller) -> dict[str, str]:
    """Return all that a caller can hear: the scope of each event by its uid."""
    found: dict[str, str] = {}
    after, more = 0, True
    while more:
        page = await service.read_events(caller.tenant, EventFilter(caller.readable), after)
        found |= {each.event.uid: each.event.scope for each in page.events}
        after, more = page.after, page.more
    return found


async def events_are_heard_at_home(service: Service, owner: Caller, other: Caller) -> None:
    await service.report_outcome(owner, "t", "success")
    service.read_events.forget_cached()
    mine, theirs = await heard(service, owner), await heard(service, other)
    assert owner.home in mine.values()
    for caller, events in ((owner, mine), (other, theirs)):
        assert set(events.values()) <= set(caller.readable)
    both = {scope for uid, scope in mine.items() if uid in theirs}
    assert both <= set(owner.readable) & set(other.readable)


async def configurations_stay_at_home(service: Service, owner: Caller, other: Caller) -> None:
    await service.change_config(owner, {"q_default": 0.25})
    try:
        shown = await service.show_config(other.tenant)
        changes = await service.list_config_changes(other.tenant)
        if other.tenant != owner.tenant:
            assert shown.values["q_default"].source == "default"
            assert service.configs.of(other.tenant).q_default == 0.5
            assert changes.items == ()
    finally:
        await service.change_config.reset(owner)


async def rewards_stay_at_home(service: Service, cypher: Run, owner: Caller, other: Caller) -> None:
    await utility_is_refused(service, cypher, owner, other)
    await service.recall(RecallRequest(owner, text="grey cat", task_id="t"))
    with pytest.raises(NotFoundError):
        await service.report_outcome(other, "t", "failure")
    await service.recall(RecallRequest(other, text="grey cat", task_id="t"))
    await service.report_outcome(other, "t", "failure")
    [row] = cypher(
        "MATCH (m:Memory {scope: $scope, external_id: 'cat'}) "
        "RETURN m.q_value AS q, m.q_count AS n, m.text AS text",
        scope=owner.writable(),
    )
    assert (row["q"], row["n"]) == (0.5, 0)
    assert row["text"] == "the grey cat is named Biscuit"


async def analytics_stay_at_home(service: Service, owner: Caller, other: Caller, uid: str) -> None:
    """Run after the other's own memories were taught, and the owner's after that."""
    await service.report_outcome(owner, "t", "success")
    for by in ("agent", "channel", "phase", "stratum", "kind"):
        found = await service.analyse_utility(other, by=by, include_history=True)
        shown = (*found.top, *found.bottom)
        assert uid not in {ranked.memory.uid for ranked in shown}
        assert {ranked.memory.scope for ranked in shown} <= set(other.readable)
        held = await service.count_memories(other, Filters(states=("active", "archived")))
        assert found.distribution.memories == sum(found.histogram) == held.total
        assert found.groups is not None
        assert sum(group.memories for group in found.groups) == held.total
        moves = sum(len(ranked.moves or ()) for ranked in found.top)
        assert sum(day.rewards for day in found.trend) == moves
    own = await service.analyse_utility(owner, include_history=True)
    assert uid in {ranked.memory.uid for ranked in own.top}
    # The measures themselves, asked for memories by their uids.
    measures = service.analyse_utility.measures
    assert await measures.moves(owner.readable, [uid], 5)
    assert await measures.moves(other.readable, [uid], 5) == {}


async def tools_stay_at_home(service: Service, owner: Caller, other: Caller, uid: str) -> None:
    """A tool's call names anybody; the key's tenant and the names it gives are all it reads."""
    async with over_mcp(service, other) as client:
        for asked in (
            {"text": "grey cat", "k": 50},
            {"text": "grey cat", "k": 50, "filters": {"agentId": owner.agent_id or "x"}},
        ):
            answer = await call(client, "memory_recall", **asked)
            assert uid not in {result["uid"] for result in answer["results"]}
        told = await call(client, "memory_qvalue_analytics", topN=100, includeHistory=True)
        assert uid not in str(told)
        for name in (uid, "external:cat-of-another"):
            link = {"type": "USED", "to": name}
            said = await refused(client, "memory_remember", text=f"to {name}", links=[link])
            assert "links" in said
        for name in (uid, "external:cat-of-another"):
            by_hand = {"memoryId": name, "reward": -1, "reason": "not mine"}
            said = await refused(client, "memory_inject_reward", **by_hand)
            assert "no such memory" in said
        said = await refused(client, "memory_report_outcome", taskId="owners", status="failure")
        assert "no such task" in said


@asynccontextmanager
async def over_mcp(service: Service, caller: Caller) -> AsyncGenerator[Client]:
    """A client of the tools that speaks for somebody, with the key of that tenant."""
    key = SecretStr(f"key-of-{caller.tenant}-0123456789")
    settings = service.settings.model_copy(update={"api_keys": ((caller.tenant, key),)})
    app = app_for(swapped(service, settings=settings))
    who = {
        "agent_id": caller.agent_id,
        "channel_ids": caller.channel_ids,
        "user_ids": caller.user_ids,
    }
    connection = Connection(
        Who.model_validate({name: said for name, said in who.items() if said}),
        {"x-api-key": key.get_secret_value()},
    )
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:

        async def reach() -> httpx.AsyncClient:
            return http

        async with Client(build_server(Asking(reach), connection)) as client:
            yield client


async def utility_is_refused(service: Service, cypher: Run, owner: Caller, other: Caller) -> None:
    """Nobody rewards, takes back or looks at the utility of what lies elsewhere."""
    [row] = cypher(
        "MATCH (m:Memory {scope: $scope, external_id: 'cat'}) RETURN m.uid AS uid",
        scope=owner.writable(),
    )
    uid: str = row["uid"]
    with pytest.raises(NotFoundError):
        await service.inject_reward(other, uid, 1.0, "mine now")
    with pytest.raises(NotFoundError):
        await service.show_utility(other, uid)
    used = (UsedName(uid),)
    done = await service.report_signal(other, SignalReport("s", "step", "success", used=used))
    assert (done.rewarded, done.ignored) == ((), 1)
    outcome = await service.report_outcome(other, "u", "success", used=used)
    assert (outcome.rewarded, outcome.ignored) == ((), 1)
    given = await service.inject_reward(owner, uid, 1.0, "a secret reason")
    with pytest.raises(NotFoundError):
        await service.revert_reward(other, given.reward_uid or "")
    assert (await service.revert_reward(owner, given.reward_uid or "")).applied
