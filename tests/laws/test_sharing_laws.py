"""Who is not in the channel never sees a copy, by any way in; who leaves shares nothing any more."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.kernel.errors import NotFoundError, StratagraphError
from graph.kernel.scope import Caller
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run, shared_app

SECRET = "the grey cat is named Biscuit"
WIPE = "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n"
ANNA = Caller("local", "anna", ("team",))
NOT_THERE = [
    Caller("local", "bert"),
    Caller("local", "bert", ("teams",)),
    Caller("local", "bert", ("Team",), ("team",)),
    Caller("local", "team"),
    Caller("local", user_ids=("anna", "team")),
    Caller("other", "anna", ("team",)),
    Caller("other", "bert", ("team", "local/channel/team")),
]


def http(service: Service) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=shared_app(service), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")


async def recalled(service: Service, caller: Caller, like: str | None = None) -> set[str]:
    text = "grey cat Biscuit" if like is None else None
    request = RecallRequest(caller, k=50, text=text, like=like)
    answer = await service.recall(request)
    return {one.memory.uid for one in answer.results} | {miss.uid for miss in answer.near_misses}


async def shared(service: Service, cypher: Run) -> tuple[str, str]:
    """Publish one memory of Anna's in the team; answers its uid and its copy's."""
    await asyncio.to_thread(cypher, WIPE)
    async with http(service) as client:
        who = {"agent_id": "anna", "channel_ids": ["team"]}
        made = await client.post(
            "/v1/memories", json={"agent_id": "anna", "text": SECRET, "external_id": "cat"}
        )
        uid = made.json()["uid"]
        await client.post("/v1/channels/join", json=who)
        copy = (await client.post(f"/v1/memories/{uid}/publish", json=who)).json()["uid"]
    member = Caller("local", "carl", ("team",))
    for _ in range(200):
        if copy in await recalled(service, member):
            return uid, copy
        await asyncio.sleep(0.05)
    raise AssertionError("a member does not find the copy")


async def ways_in(service: Service, caller: Caller, uid: str, copy: str) -> list[str]:
    """Try whatever shows memories; answers the names of those that showed the copy."""
    shown = ["recall"] if copy in await recalled(service, caller) else []
    for name in (copy, uid, "external:cat"):
        with suppress(NotFoundError):
            found = await service.get_memory(caller, name)
            shown += [name] if found.uid in {uid, copy} or found.text == SECRET else []
    with suppress(StratagraphError):
        shown += ["like"] if await recalled(service, caller, like=copy) else []
    # Without keys there is one tenant at the door.
    return shown + (await doors_in(service, caller, copy) if caller.tenant == "local" else [])


async def doors_in(service: Service, caller: Caller, copy: str) -> list[str]:
    who = {
        "agent_id": caller.agent_id,
        "channel_ids": list(caller.channel_ids),
        "user_ids": list(caller.user_ids),
    }
    who = {name: value for name, value in who.items() if value}
    ways = (
        f"/v1/memories/{copy}/neighbourhood",
        f"/v1/memories/{copy}/versions",
        f"/v1/memories/{copy}/utility",
        "/v1/memories",
        "/v1/export",
    )
    async with http(service) as client:
        answers = {way: await client.get(way, params=who) for way in ways}
        members = (await client.get("/v1/channels", params=who)).json()["items"]
    shown = [
        way
        for way, answer in answers.items()
        if SECRET in answer.text or (answer.status_code == 200 and copy in answer.text)
    ]
    told = any(one["channel_id"] == "team" and one["agent_id"] == "anna" for one in members)
    return [*shown, "/v1/channels"] if told else shown


@given(other=st.sampled_from(NOT_THERE))
@settings(
    max_examples=len(NOT_THERE),
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_who_does_not_name_the_channel_never_sees_a_copy(
    service: Service, cypher: Run, other: Caller
) -> None:
    uid, copy = await shared(service, cypher)
    assert await ways_in(service, other, uid, copy) == []


async def test_a_member_sees_the_copy_and_never_what_it_is_a_copy_of(
    service: Service, cypher: Run
) -> None:
    uid, copy = await shared(service, cypher)
    member = Caller("local", "bert", ("team",))
    assert copy in await recalled(service, member)
    with pytest.raises(NotFoundError):
        await service.get_memory(member, uid)
    async with http(service) as client:
        who = {"agent_id": "bert", "channel_ids": "team"}
        for way in (f"/v1/memories/{copy}", f"/v1/memories/{copy}/neighbourhood", "/v1/export"):
            answer = await client.get(way, params=who)
            assert answer.status_code == 200, answer.text
            assert copy in answer.text
            assert uid not in answer.text


async def test_leaving_ends_it_at_once(service: Service, cypher: Run) -> None:
    uid, copy = await shared(service, cypher)
    member = Caller("local", "bert", ("team",))
    [left] = await service.leave_channels(ANNA)
    assert (left.was_member, left.copies) == (True, 1)
    assert await ways_in(service, member, uid, copy) == []
    rows = cypher("MATCH (m:Memory) RETURN m.uid AS uid")
    assert [row["uid"] for row in rows] == [uid]
    assert cypher("MATCH ()-[r:MEMBER_OF|SHARED_WITH|PUBLISHED_FROM]->() RETURN r") == []


async def test_who_publishes_while_leaving_leaves_nothing_behind(
    service: Service, cypher: Run
) -> None:
    await asyncio.to_thread(cypher, WIPE)
    async with http(service) as client:
        rows = [{"text": f"fact {number}"} for number in range(20)]
        made = await client.post("/v1/memories", json={"agent_id": "anna", "memories": rows})
        uids = [row["uid"] for row in made.json()["results"]]
    await service.join_channels(ANNA)

    async def publish(uid: str) -> None:
        with suppress(StratagraphError):  # it may have left by then
            await service.publish_memory(ANNA, uid)

    await asyncio.gather(*(publish(uid) for uid in uids[:10]))
    await asyncio.gather(service.leave_channels(ANNA), *(publish(uid) for uid in uids[10:]))
    assert cypher("MATCH (m:Memory) WHERE m.published_at IS NOT NULL RETURN m") == []
