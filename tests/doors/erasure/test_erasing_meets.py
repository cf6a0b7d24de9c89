"""What comes while an erasure runs: it finds nothing of what is hidden, brings nothing back, and does not fail."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from graph.model.erasure.receipts import Erasure, Subject
from graph.model.memories.links import Lease
from graph.store.erasure.store import ErasureStore
from service.use_cases.erasure.erase import GoOnErasing
from tests.doors.attempts import episode
from tests.store.reading import lease_of

if TYPE_CHECKING:
    import httpx

    from service.bootstrap import Service
    from tests.conftest import Run

ANNA, HOME = {"agent_id": "anna"}, "local/agent/anna"
_HIDDEN = 4


async def stored(client: httpx.AsyncClient, text: str, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/v1/memories", json=ANNA | {"text": text} | fields)
    assert answer.is_success, answer.text
    return answer.json()


async def begun(service: Service, subject: Subject, steps: int = 1) -> str:
    """Begin an erasure, and hide what there is; two steps hide an owner's memories, then surprises.

    By so few at once what is hidden is not removed by the same step.
    """
    now = datetime.now(UTC)
    store, uid = service.erase.store, service.remember.identifiers.new_uid(now)
    await store.begin(uid, subject, now)
    for _ in range(steps):
        erasure = await store.step(uid, now, _HIDDEN, None)
        assert erasure is not None
        assert erasure.state == "running"
    return uid


async def ended(service: Service, uid: str) -> None:
    store = service.erase.store
    erasure = await store.step(uid, datetime.now(UTC), 1000, None)
    while erasure and erasure.state == "running":
        erasure = await store.step(uid, datetime.now(UTC), 1000, None)


async def test_nothing_surprises_any_more(client: httpx.AsyncClient, service: Service) -> None:
    told = ANNA | {"expected": {"status": "success"}, "actual": {"status": "failed"}}
    for fields in ({"text": "Deploy 42 failed."}, {"actual": {"status": "success"}}):
        assert (await client.post("/v1/surprises", json=told | fields)).is_success
    prediction = ANNA | {"expected": 1, "context": "deploy", "prediction_id": "p"}
    assert (await client.post("/v1/predictions", json=prediction)).is_success
    assert len((await client.get("/v1/surprises", params=ANNA)).json()["items"]) == 2
    uid = await begun(service, Subject("agent", HOME, "anna"), steps=2)
    assert (await client.get("/v1/surprises", params=ANNA)).json()["items"] == []
    named = ANNA | {"prediction_id": "p", "actual": 1}
    assert (await client.post("/v1/surprises", json=named)).status_code == 404
    await ended(service, uid)


async def test_the_surprise_of_a_hidden_memory_goes_with_it(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    told = ANNA | {"expected": {"status": "success"}, "actual": {"status": "failed"}}
    found = (await client.post("/v1/surprises", json=told | {"text": "It failed."})).json()
    uid = await begun(service, Subject("memory", HOME, found["memory_uid"]))
    assert (await client.get("/v1/surprises", params=ANNA)).json()["items"] == []
    await ended(service, uid)
    [row] = cypher("MATCH (r:Run {uid: $uid}) RETURN r.counts AS counts", uid=uid)
    assert '"Surprise": 1' in row["counts"]


async def test_what_is_stored_at_the_end_of_a_session_has_its_words(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    last = (await stored(client, "The last word.", session_id="s"))["uid"]
    uid = await begun(service, Subject("memory", HOME, last))
    new = (await stored(client, "The next word.", session_id="s"))["uid"]
    [row] = cypher("MATCH (m:Memory {uid: $uid}) RETURN m.context_text AS words", uid=new)
    assert row["words"] == "The next word."
    await ended(service, uid)


async def test_an_update_that_comes_too_late_is_another_memory(
    client: httpx.AsyncClient, service: Service, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds the memory, which is hidden before it is written."""
    old = (await stored(client, "The first text.", external_id="x"))["uid"]
    running: list[str] = []
    from graph.store.memories import store as memories

    real = memories.replace_contents

    async def late(*arguments: Any) -> None:
        if not running:
            running.append(await begun(service, Subject("memory", HOME, old)))
        await real(*arguments)

    monkeypatch.setattr(memories, "replace_contents", late)
    new = await stored(client, "The second text.", external_id="x")
    assert (new["status"], new["uid"] == old) == ("created", False)
    states = "MATCH (m:Memory {uid: $uid}) RETURN m.state AS state, m.text AS text"
    assert cypher(states, uid=old) == [{"state": "hidden", "text": None}]
    await ended(service, running[0])
    held = (await client.get(f"/v1/memories/{new['uid']}", params=ANNA)).json()
    assert held["text"] == "The second text."


async def test_episodes_can_be_counted_and_cleared(
    client: httpx.AsyncClient, service: Service
) -> None:
    episodes = [episode("ep-1"), episode("ep-2", output__answer="13")]
    answer = await client.post("/v1/episodes", json=ANNA | {"episodes": episodes})
    first = answer.json()["results"][0]["uid"]
    uid = await begun(service, Subject("memory", HOME, first))
    asked = ANNA | {"dry_run": "true"}
    assert (await client.delete("/v1/episodes", params=asked)).status_code == 200
    await ended(service, uid)


async def test_one_that_fails_keeps_no_other_waiting(
    client: httpx.AsyncClient, service: Service
) -> None:
    one, two = [(await stored(client, f"Fact {n}."))["uid"] for n in range(2)]
    bad = await begun(service, Subject("memory", HOME, one))
    good = await begun(service, Subject("memory", HOME, two))

    class Failing(ErasureStore):
        async def step(
            self, uid: str, now: datetime, limit: int, lease: Lease | None
        ) -> Erasure | None:
            if uid == bad:
                raise ValueError(uid)
            return await super().step(uid, now, limit, lease)

    lease, now = await lease_of(service), datetime.now(UTC)
    store = Failing(service.database)
    job = GoOnErasing(store, keep=timedelta(days=1), pause=timedelta(seconds=1))
    with pytest.raises(ValueError, match=bad):
        await job.step(now, lease)
    async with asyncio.timeout(20):
        while (await store.get("local", good) or pytest.fail("it is gone")).state == "running":
            await job.step(now, lease)
    await service.leases.release(lease)
    await ended(service, bad)
