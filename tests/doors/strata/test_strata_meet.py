"""What gates, consolidations, deletes and stores do to a memory that another of them had before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from graph.model.erasure.receipts import Subject
from graph.model.memories.memory import NewMemory
from graph.store.strata.store import StrataStore
from service.use_cases.consolidation.consolidate import new_run
from service.use_cases.consolidation.tend_strata import TendStrata
from service.use_cases.strata.gates import Gates
from service.use_cases.strata.gates import new_run as gate_run
from tests.doors.consolidation.test_consolidation import ANNA, ANNA_CALLER, TURNS
from tests.store.reading import job_of, lease_of

pytestmark = pytest.mark.usefixtures("in_pairs")

if TYPE_CHECKING:
    import httpx

    from service.bootstrap import Service
    from tests.conftest import Run

HOME = "local/agent/anna"


async def fill(client: httpx.AsyncClient, stratum: str = "episodic") -> list[str]:
    rows = [
        {"text": text, "session_id": "s", "stratum": stratum, "external_id": f"turn {place}"}
        for place, text in enumerate(TURNS[:2])
    ]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    return [item["uid"] for item in answer.json()["results"]]


async def condense(client: httpx.AsyncClient, *strata: str) -> dict[str, Any]:
    asked = ANNA | {"dry_run": False, "everything": True, "strata": list(strata)}
    return (await client.post("/v1/consolidations", json=asked)).json()


async def shown(client: httpx.AsyncClient) -> list[str]:
    answer = await client.get("/v1/memories", params=ANNA | {"session_id": "s", "order": "oldest"})
    return [item["text"] for item in answer.json()["items"]]


def aged(cypher: Run, minutes: int) -> None:
    cypher(
        "MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration({minutes: $minutes})",
        minutes=minutes,
    )


async def test_a_move_is_not_undone_over_a_later_consolidation(client: httpx.AsyncClient) -> None:
    uids = await fill(client, "short_term")
    moved = ANNA | {"to": "up", "memories": uids}
    run = (await client.post("/v1/strata/moves", json=moved)).json()["run"]["run"]
    later = (await condense(client, "episodic"))["run"]["run"]
    condensed = await shown(client)
    refused = await client.post(f"/v1/strata/gates/{run}/undo", json=ANNA)
    assert refused.status_code == 409
    assert later in refused.json()["detail"]
    passed = await client.post(f"/v1/strata/gates/{run}/undo", json=ANNA | {"skip_changed": True})
    assert passed.json()["restored"] == 0
    assert await shown(client) == condensed
    back = await client.post(f"/v1/consolidations/{later}/undo", json=ANNA)
    assert (back.status_code, await shown(client)) == (200, TURNS[:2])


async def test_a_source_that_is_said_anew_outlives_what_it_was_condensed_to(
    client: httpx.AsyncClient,
) -> None:
    uids = await fill(client)
    [cluster] = (await condense(client))["items"]
    new = "I sold the old boat for 5,000 euros to a woman from Braga."
    row = {"text": new, "session_id": "s", "external_id": "turn 0"}
    assert (await client.post("/v1/memories", json=ANNA | row)).json()["status"] == "updated"
    assert (await shown(client))[-1] == new
    gone = await client.delete(f"/v1/memories/{cluster['condensed']}", params=ANNA)
    assert gone.is_success
    assert await shown(client) == [new]
    assert (await client.get(f"/v1/memories/{uids[1]}", params=ANNA)).status_code == 404
    more = await client.post("/v1/memories", json=ANNA | {"text": "And on.", "session_id": "s"})
    assert more.json()["status"] == "created"
    assert await shown(client) == [new, "And on."]


@pytest.mark.parametrize(
    ("name", "settled"), [({}, "duplicate"), ({"external_id": "build"}, "unchanged")]
)
async def test_what_the_gates_let_go_can_be_said_again(
    client: httpx.AsyncClient, cypher: Run, name: dict[str, str], settled: str
) -> None:
    row = ANNA | {"text": "The build is red.", "stratum": "working", "importance": 1} | name
    uid = (await client.post("/v1/memories", json=row)).json()["uid"]
    aged(cypher, 31)
    gated = (await client.post("/v1/strata/gates", json=ANNA | {"dry_run": False})).json()
    assert gated["run"]["counts"] == {"archive": 1}
    again = (await client.post("/v1/memories", json=row)).json()
    assert (again["status"], again["uid"]) == ("updated", uid)
    assert (await client.post("/v1/memories", json=row)).json()["status"] == settled
    held = (await client.get(f"/v1/memories/{uid}", params=ANNA)).json()
    assert (held["state"], held["stratum"]) == ("active", "working")
    undone = await client.post(f"/v1/strata/gates/{gated['run']['run']}/undo", json=ANNA)
    assert undone.status_code == 409


async def test_what_is_said_again_without_a_stratum_is_moved_no_more(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    row = ANNA | {"text": "The build is red.", "external_id": "build", "importance": 1}
    await client.post("/v1/memories", json=row | {"stratum": "working"})
    up = ANNA | {"to": "up", "memories": ["external:build"]}
    assert (await client.post("/v1/strata/moves", json=up)).is_success
    aged(cypher, 25 * 60)
    cypher("MATCH (m:Memory) SET m.stratum_since = m.recorded_at")
    gated = (await client.post("/v1/strata/gates", json=ANNA | {"dry_run": False})).json()
    assert gated["run"]["counts"] == {"archive": 1}
    assert (await client.post("/v1/memories", json=row)).json()["status"] == "updated"
    aged(cypher, 400 * 24 * 60)
    cypher("MATCH (m:Memory) SET m.w_at = m.recorded_at")
    later = (await client.post("/v1/strata/gates", json=ANNA | {"dry_run": False})).json()
    assert (later["total"], later["looked"]) == (0, 0)


async def test_a_begun_run_waits_while_strata_are_off(
    client: httpx.AsyncClient, service: Service
) -> None:
    await fill(client)
    at_work, now = service.consolidate.consolidation, datetime.now(UTC)
    config = at_work.configs.strata_of("local")
    run = new_run(HOME, "worker", ["episodic"], now, config, at_work.identifiers, everything=True)
    await at_work.begin(run, await at_work.clusters(run, now), None)
    job, lease = job_of(service, "strata"), await lease_of(service)
    await client.patch("/v1/strata/config", json=ANNA | {"strata": False})
    try:
        await job.step(now, lease)
        assert (await at_work.store.progress(run.uid))["condensed"] == 0
        assert await at_work.store.unfinished(now + timedelta(minutes=5)) is None
    finally:
        await client.delete("/v1/strata/config", params=ANNA)
    await job.step(now + timedelta(minutes=11), lease)
    await service.leases.release(lease)
    assert (await at_work.store.progress(run.uid))["condensed"] == 1


async def test_what_was_rescued_is_not_deleted_by_what_was_decided_before(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await client.patch("/v1/strata/config", json=ANNA | {"expired": "delete"})
    try:
        rows = [
            {"text": text, "stratum": "working", "importance": 1}
            for text in ("It goes.", "It stays.")
        ]
        answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
        goes, stays = (item["uid"] for item in answer.json()["results"])
        aged(cypher, 31)
        strata = StrataStore(service.database, service.configs)
        gates = Gates(strata, service.configs, service.remember.identifiers)
        now = datetime.now(UTC)
        moves, _ = await gates.decide(HOME, "working", now)
        assert {move.action for move in moves} == {"delete"}
        rescue = ANNA | {"memories": [stays], "to": "semantic"}
        assert (await client.post("/v1/strata/moves", json=rescue)).is_success
        config = service.configs.strata_of("local")
        new = gate_run(HOME, "hand", ["working"], now, config, gates.identifiers)
        run = await strata.begin(new, None)
        assert await strata.move(HOME, run.uid, moves, now, None) == {"delete": 1}
        assert (await client.get(f"/v1/memories/{goes}", params=ANNA)).status_code == 404
        held = (await client.get(f"/v1/memories/{stays}", params=ANNA)).json()
        assert (held["state"], held["stratum"]) == ("active", "semantic")
    finally:
        await client.delete("/v1/strata/config", params=ANNA)


async def test_a_run_is_kept_for_as_long_as_it_can_be_undone(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    rows = [{"text": f"Fact {place}."} for place in range(3)]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    one, two, three = (item["uid"] for item in answer.json()["results"])

    async def promoted(uid: str) -> str:
        moved = ANNA | {"to": "up", "memories": [uid]}
        return (await client.post("/v1/strata/moves", json=moved)).json()["run"]["run"]

    run = await promoted(one)
    cypher(
        "MATCH (r:Run {uid: $uid}) UNWIND range(1, 201) AS n CREATE (c:Run) "
        "SET c = r {.*, uid: r.uid + n, started_at: r.started_at + duration({seconds: n})}",
        uid=run,
    )
    await promoted(two)
    assert (await client.post(f"/v1/strata/gates/{run}/undo", json=ANNA)).json()[
        "state"
    ] == "undone"
    cypher("MATCH (r:Run) SET r.undo_until = r.started_at - duration('P1D')")
    await promoted(three)
    assert cypher("MATCH (r:Run {kind: 'gates'}) RETURN count(r) AS n")[0]["n"] == 201


async def test_a_run_that_fails_keeps_no_other_waiting(
    service: Service, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.remember(
        [NewMemory(HOME, text, session_id="s", stratum="episodic") for text in TURNS[:2]]
    )
    at_work = service.consolidate.consolidation
    consolidate = replace(service.consolidate, clock=service.consolidate.clock)

    class FailingError(Exception):
        pass

    async def fail(*_: object) -> int:
        raise FailingError

    with monkeypatch.context() as patched:
        patched.setattr(type(at_work.patterns), "save", fail)
        with pytest.raises(FailingError):
            await consolidate(ANNA_CALLER, everything=True, dry_run=False)
        await service.remember(
            [
                NewMemory(
                    "local/agent/bert",
                    "Trifle.",
                    kind="preference",
                    stratum="working",
                    importance=1,
                )
            ]
        )
        aged(cypher, 31)
        job = TendStrata(at_work.strata, at_work.gates, at_work.identifiers, at_work)
        lease = await service.leases.acquire("worker", "test", 60)
        assert lease is not None
        now = datetime.now(UTC) + timedelta(minutes=1)
        try:
            with pytest.raises(FailingError):
                await job.step(now, lease)
            while await job.step(now, lease):
                pass
        finally:
            cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")
    [bert] = cypher("MATCH (m:Memory {text: 'Trifle.'}) RETURN m.state AS state")
    assert bert["state"] == "archived"
    assert await at_work.store.unfinished(now) is None
    assert await at_work.store.unfinished(now + timedelta(minutes=11)) is not None


async def test_a_pattern_that_somebody_took_over_is_theirs(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await service.remember(
        [
            NewMemory(HOME, f"{label} in week {week}", session_id=f"week {week}", tags=(label,))
            for week in range(9)
            for label in (f"a{week}", "deploy", "rollback", f"b{week}")
        ]
    )
    asked = ANNA | {"dry_run": False}
    assert (await client.post("/v1/consolidations", json=asked)).json()["run"]["state"] == "done"
    [pattern, *_] = cypher("MATCH (p:Pattern) RETURN p.uid AS uid ORDER BY uid")
    changed = await client.patch(
        f"/v1/memories/{pattern['uid']}", params=ANNA, json={"kind": "insight"}
    )
    assert changed.is_success
    tried = (await client.post("/v1/consolidations", json=asked)).json()
    assert (tried["patterns"], tried["run"]) == ([], None)


async def test_what_was_taught_is_still_known_of_what_was_made_of_it(
    client: httpx.AsyncClient,
) -> None:
    uids = await fill(client)
    for uid in uids:
        for _ in range(8):
            await client.post(
                f"/v1/memories/{uid}/rewards", json=ANNA | {"reward": 1.0, "reason": "seen"}
            )
    before = [await utility(client, uid) for uid in uids]
    [cluster] = (await condense(client))["items"]
    made = await utility(client, cluster["condensed"])
    assert made["evidence"] >= max(each["evidence"] for each in before)
    assert made["q_value"] == pytest.approx(before[0]["q_value"])
    rewarded = await client.post(
        f"/v1/memories/{cluster['condensed']}/rewards",
        json=ANNA | {"reward": -1.0, "reason": "seen"},
    )
    reward = rewarded.json()["reward_uid"]
    after = await utility(client, cluster["condensed"])
    assert made["utility"] - after["utility"] < 0.15
    reverted = await client.post(f"/v1/rewards/{reward}/revert", json=ANNA | {"reason": "no"})
    assert reverted.is_success
    again = await utility(client, cluster["condensed"])
    assert again["evidence"] == pytest.approx(made["evidence"])
    assert again["q_value"] == pytest.approx(made["q_value"])


async def utility(client: httpx.AsyncClient, uid: str) -> dict[str, Any]:
    return (await client.get(f"/v1/memories/{uid}/utility", params=ANNA)).json()


async def test_what_an_erasure_has_hidden_is_condensed_no_more(
    client: httpx.AsyncClient, service: Service
) -> None:
    await fill(client)
    at_work, now = service.consolidate.consolidation, datetime.now(UTC)
    config = at_work.configs.strata_of("local")
    run = new_run(HOME, "hand", ["episodic"], now, config, at_work.identifiers, everything=True)
    await at_work.begin(run, await at_work.clusters(run, now), None)
    erasures, uid = service.erase.store, at_work.identifiers.new_uid(now)
    erasure = await erasures.begin(uid, Subject("session", HOME, "s"), now)
    while erasure and erasure.stage == "hide":
        erasure = await erasures.step(uid, now, 1000, None)
    [at] = await at_work.store.runs([HOME], 1, run.uid)
    while await at_work.step(at, now, None):
        [at] = await at_work.store.runs([HOME], 1, run.uid)
    assert (await at_work.store.progress(run.uid))["skipped"] == 1
    while erasure and erasure.state == "running":
        erasure = await erasures.step(uid, now, 1000, None)
    assert await shown(client) == []


async def test_what_is_shared_meanwhile_is_not_condensed_and_what_was_is_not_undone(
    client: httpx.AsyncClient, service: Service
) -> None:
    uids = await fill(client)
    at_work, now = service.consolidate.consolidation, datetime.now(UTC)
    config = at_work.configs.strata_of("local")
    run = new_run(HOME, "hand", ["episodic"], now, config, at_work.identifiers, everything=True)
    await at_work.begin(run, await at_work.clusters(run, now), None)
    await client.post("/v1/channels/join", json=ANNA | {"channel_ids": ["ops"]})
    publish = ANNA | {"channel_ids": ["ops"]}
    shared = await client.post(f"/v1/memories/{uids[0]}/publish", json=publish)
    assert shared.is_success
    [at] = await at_work.store.runs([HOME], 1, run.uid)
    while await at_work.step(at, now, None):
        [at] = await at_work.store.runs([HOME], 1, run.uid)
    assert (await at_work.store.progress(run.uid))["skipped"] == 1
    assert await shown(client) == TURNS[:2]

    more = [{"text": text, "session_id": "t", "stratum": "episodic"} for text in TURNS[2:]]
    await client.post("/v1/memories", json=ANNA | {"memories": more})
    done = await condense(client)
    [cluster] = done["items"]
    published = await client.post(f"/v1/memories/{cluster['condensed']}/publish", json=publish)
    assert published.is_success
    refused = await client.post(f"/v1/consolidations/{done['run']['run']}/undo", json=ANNA)
    assert refused.status_code == 409


async def test_what_holds_later_is_left_alone_and_what_all_say_beside_is_kept(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    rows = [
        {
            "text": text,
            "session_id": "s",
            "stratum": "episodic",
            "metadata": {"from": "chat", "n": n},
        }
        for n, text in enumerate(TURNS[:2])
    ]
    later = [
        {
            "text": text,
            "session_id": "t",
            "stratum": "episodic",
            "valid_from": "2130-01-01T00:00:00Z",
        }
        for text in TURNS[2:]
    ]
    await client.post("/v1/memories", json=ANNA | {"memories": rows + later})
    [cluster] = (await condense(client))["items"]
    assert len(cluster["sources"]) == 2
    held = (await client.get(f"/v1/memories/{cluster['condensed']}", params=ANNA)).json()
    assert held["metadata"] == {"from": "chat"}


async def test_moves_are_kept_for_as_long_as_their_run_says(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    uids = await fill(client)
    moved = ANNA | {"to": "up", "memories": uids}
    run = (await client.post("/v1/strata/moves", json=moved)).json()["run"]
    now = datetime.now(UTC)
    lease = await service.leases.acquire("worker", "test", 60)
    assert lease is not None
    strata = service.consolidate.consolidation.strata
    try:
        assert await strata.forget(now + timedelta(days=1), now, 100, lease) == 0
        over = datetime.fromisoformat(run["undo_until"]) + timedelta(seconds=1)
        assert await strata.forget(over, over, 100, lease) == 2
    finally:
        cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")


async def test_a_condensed_memory_has_no_more_tags_and_text_than_any_other(
    client: httpx.AsyncClient,
) -> None:
    rows = [
        {
            "text": text,
            "session_id": "s",
            "stratum": "episodic",
            "tags": ["both", *(f"{place}-{n}" for n in range(40))],
        }
        for place, text in enumerate(TURNS[:2])
    ]
    await client.post("/v1/memories", json=ANNA | {"memories": rows})
    [cluster] = (await condense(client))["items"]
    held = (await client.get(f"/v1/memories/{cluster['condensed']}", params=ANNA)).json()
    assert len(held["tags"]) == 64
    assert "both" in held["tags"]

    long = [" ".join(f"Word{place}x{n}" for n in range(7_000)) for place in range(2)]
    more = [{"text": text, "session_id": "t", "stratum": "episodic"} for text in long]
    assert (await client.post("/v1/memories", json=ANNA | {"memories": more})).is_success
    run = (await condense(client))["run"]
    assert run["counts"]["skipped"] == 1


async def test_what_gates_delete_takes_its_sources_along(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await client.patch("/v1/strata/config", json=ANNA | {"expired": "delete"})
    try:
        await fill(client, "working")
        assert (await condense(client, "working"))["run"]["counts"]["condensed"] == 1
        cypher("MATCH (m:Memory) SET m.importance = 1")
        aged(cypher, 25 * 60)
        gated = (await client.post("/v1/strata/gates", json=ANNA | {"dry_run": False})).json()
        assert gated["run"]["counts"] == {"delete": 1}
        assert cypher("MATCH (m:Memory) RETURN m.text AS text") == []
    finally:
        await client.delete("/v1/strata/config", params=ANNA)


async def test_what_somebody_linked_to_is_not_taken_back(client: httpx.AsyncClient) -> None:
    await fill(client)
    done = await condense(client)
    [cluster] = done["items"]
    link = {"to": cluster["condensed"], "type": "SIMILAR_TO"}
    linked = await client.post("/v1/memories", json=ANNA | {"text": "So it is.", "links": [link]})
    assert linked.is_success
    undone = await client.post(f"/v1/consolidations/{done['run']['run']}/undo", json=ANNA)
    assert undone.status_code == 409
