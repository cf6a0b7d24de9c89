"""What agents of a channel agree on and dispute: gathered, voted on, undone, withdrawn and erased."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from graph.store.consolidation.store import ConsolidationStore
from tests.conftest import Run
from tests.doors.moving import WIPE, exported, imported

TEAM = {"channel_ids": ["team"]}
SAID = "The API key expires after 30 days."
ALIKE = "API keys are valid for 30 days."
OTHER = "The API key expires after 90 days."


async def says(client: httpx.AsyncClient, agent: str, text: str, **more: Any) -> str:
    body = {"agent_id": agent, **TEAM, "scope_kind": "channel", "text": text, **more}
    answer = await client.post("/v1/memories", json=body)
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()["uid"]


async def gather(client: httpx.AsyncClient, *, dry_run: bool = False) -> dict[str, Any]:
    answer = await client.post("/v1/channels/agreements", json={**TEAM, "dry_run": dry_run})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def listed(client: httpx.AsyncClient, **asked: Any) -> list[dict[str, Any]]:
    answer = await client.get("/v1/channels/agreements", params={"channel_id": "team", **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


async def agreed(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    return [each for each in await listed(client) if each["agreed"]]


async def vote(
    client: httpx.AsyncClient, agent: str, uid: str, agrees: bool | None
) -> dict[str, Any]:
    body = {"agent_id": agent, **TEAM, "agrees": agrees}
    answer = await client.post(f"/v1/memories/{uid}/vote", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def erase(client: httpx.AsyncClient, agent: str) -> None:
    answer = await client.delete(f"/v1/agents/{agent}")
    assert answer.status_code in {200, 202}, answer.text


async def test_two_runs_at_once_gather_the_same_statements_once(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await says(client, "anna", SAID)
    await says(client, "bert", ALIKE)
    save, both = ConsolidationStore.save_agreements, asyncio.Barrier(2)

    async def together(*given: Any) -> int:
        await asyncio.wait_for(both.wait(), 20)  # each has looked before the other writes
        return await save(*given)

    monkeypatch.setattr(ConsolidationStore, "save_agreements", together)
    await asyncio.gather(gather(client), gather(client))
    [one] = await agreed(client)
    assert one["supporters"] == ["anna", "bert"]


async def test_statements_that_say_the_same_become_one_memory(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    first = await says(client, "anna", SAID)
    second = await says(client, "bert", ALIKE)
    third = await says(client, "carl", OTHER)
    await says(client, "carl", "The coffee machine is on the second floor.")
    dry = await gather(client, dry_run=True)
    assert dry["run"] is None
    assert [each["change"] for each in dry["agreements"]] == ["created"]
    assert await agreed(client) == []
    done = await gather(client)
    assert done["run"]["counts"]["agreements"] == 1
    [one] = await agreed(client)
    assert one["supporters"] == ["anna", "bert"]
    assert one["opponents"] == ["carl"]
    assert {each["uid"] for each in one["statements"]} == {first, second}
    assert [each["uid"] for each in one["dissent"]] == [third]
    assert one["text"] in {SAID, ALIKE}
    assert one["share"] == pytest.approx(2 / 3)
    assert one["lower"] == pytest.approx(0.2077, abs=1e-3)
    [row] = cypher(
        "MATCH (m:Memory {uid: $uid}) RETURN m.stratum AS stratum, m.scope AS scope", uid=one["uid"]
    )
    assert row == {"stratum": "semantic", "scope": "local/channel/team"}
    again = await gather(client)
    assert again["run"] is None
    assert again["agreements"] == again["disagreements"] == []


async def test_a_contradiction_of_two_is_kept_with_both_sides(client: httpx.AsyncClient) -> None:
    one = await says(client, "anna", SAID)
    other = await says(client, "carl", OTHER)
    await gather(client)
    found = {each["uid"]: each for each in await listed(client, disputed=True)}
    assert found.keys() == {one, other}
    assert found[one]["supporters"] == ["anna"]
    assert found[one]["opponents"] == ["carl"]
    assert not found[one]["agreed"]
    assert await listed(client, disputed=False) == []


async def test_one_agent_says_twice_what_counts_once(client: httpx.AsyncClient) -> None:
    await says(client, "anna", SAID)
    await says(client, "anna", ALIKE)
    assert (await gather(client))["agreements"] == []


async def test_the_same_words_of_another_agent_count_as_its_vote(client: httpx.AsyncClient) -> None:
    uid = await says(client, "anna", SAID)
    assert await says(client, "bert", SAID) == uid
    await gather(client)
    [one] = await agreed(client)
    assert one["supporters"] == ["anna", "bert"]
    assert [each["agent_id"] for each in one["votes"]] == ["bert"]


async def test_votes_are_one_each_and_can_be_changed(client: httpx.AsyncClient) -> None:
    await says(client, "anna", SAID)
    await says(client, "bert", ALIKE)
    await gather(client)
    [one] = await agreed(client)
    told = await vote(client, "dora", one["uid"], True)
    assert told["supporters"] == ["anna", "bert", "dora"]
    assert await vote(client, "dora", one["uid"], True) == told
    assert (await vote(client, "dora", one["uid"], False))["opponents"] == ["dora"]
    assert (await vote(client, "dora", one["uid"], None))["votes"] == []
    assert (await vote(client, "anna", one["uid"], False))["supporters"] == ["bert"]


async def test_who_changes_its_mind_ends_the_agreement(client: httpx.AsyncClient) -> None:
    await says(client, "anna", SAID)
    uid = await says(client, "bert", ALIKE)
    await gather(client)
    await vote(client, "bert", uid, False)
    done = await gather(client)
    assert [each["change"] for each in done["agreements"]] == ["withdrawn"]
    assert await agreed(client) == []
    [held] = [each for each in await listed(client) if each["uid"] == uid]
    assert held["opponents"] == ["bert"]


async def test_an_undone_run_takes_back_what_it_gathered(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await says(client, "anna", SAID)
    uid = await says(client, "bert", ALIKE)
    await says(client, "carl", OTHER)
    run = (await gather(client))["run"]["run"]
    await vote(client, "dora", uid, True)
    answer = await client.post(f"/v1/consolidations/{run}/undo", json=TEAM)
    assert answer.json()["state"] == "undone"
    assert await agreed(client) == []
    assert cypher("MATCH ()-[r:CONTRADICTS]->() RETURN r") == []
    await gather(client)
    [one] = await agreed(client)
    assert one["supporters"] == ["anna", "bert", "dora"]


async def test_an_erased_agent_supports_nothing(client: httpx.AsyncClient, cypher: Run) -> None:
    await says(client, "anna", SAID)
    await says(client, "bert", ALIKE)
    await says(client, "carl", OTHER)
    await gather(client)
    [one] = await agreed(client)
    await vote(client, "dora", one["uid"], True)
    await erase(client, "dora")
    [left] = await agreed(client)
    assert left["supporters"] == ["anna", "bert"]
    assert cypher("MATCH ()-[v:VOTED]->() RETURN v") == []
    await erase(client, "bert")
    assert await agreed(client) == []
    assert cypher("MATCH (m:Memory) WHERE m.text = $text RETURN m.uid AS uid", text=ALIKE) == []
    await erase(client, "carl")
    assert cypher("MATCH ()-[r:CONTRADICTS]->() RETURN r") == []


async def test_an_agreement_of_three_outlives_one_of_them(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await says(client, "anna", SAID)
    await says(client, "bert", ALIKE)
    await says(client, "carl", "API keys expire after 30 days.")
    await gather(client)
    [one] = await agreed(client)
    [other] = [each for each in one["statements"] if each["text"] != one["text"]][:1]
    await erase(client, other["agent_id"])
    [left] = await agreed(client)
    assert left["uid"] == one["uid"]
    assert other["agent_id"] not in left["supporters"]
    named = next(each for each in one["statements"] if each["text"] == one["text"])
    await erase(client, named["agent_id"])
    assert (
        cypher("MATCH (m:Memory) WHERE m.text = $text RETURN m.uid AS uid", text=one["text"]) == []
    )


async def test_copies_count_for_who_published_them_and_go_with_them(
    client: httpx.AsyncClient,
) -> None:
    await says(client, "anna", SAID)
    who = {"agent_id": "bert", **TEAM}
    await client.post("/v1/channels/join", json=who)
    own = (await client.post("/v1/memories", json={"agent_id": "bert", "text": ALIKE})).json()[
        "uid"
    ]
    await client.post(f"/v1/memories/{own}/publish", json=who)
    await gather(client)
    [one] = await agreed(client)
    assert one["supporters"] == ["anna", "bert"]
    await client.post("/v1/channels/leave", json=who)
    assert await agreed(client) == []


async def test_a_correction_takes_its_words_out_of_the_agreement(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    uids = {SAID: await says(client, "anna", SAID), ALIKE: await says(client, "bert", ALIKE)}
    await gather(client)
    [one] = await agreed(client)
    path, text = f"/v1/memories/{uids[one['text']]}", "The API key was never meant to expire."
    answer = await client.patch(path, params={"channel_id": "team"}, json={"text": text})
    assert answer.status_code == 200, answer.text
    assert await agreed(client) == []
    assert (
        cypher("MATCH (m:Memory) WHERE m.text = $text RETURN m.uid AS uid", text=one["text"]) == []
    )


async def test_agreements_votes_and_contradictions_are_moved(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await says(client, "anna", SAID)
    await says(client, "bert", ALIKE)
    await says(client, "carl", OTHER)
    await gather(client)
    [one] = await agreed(client)
    await vote(client, "dora", one["uid"], True)
    before = await listed(client)
    lines = await exported(client)
    cypher(WIPE)
    await imported(client, lines)
    assert await listed(client) == before
    assert (await gather(client, dry_run=True))["agreements"] == []


async def test_an_agreement_is_recalled_as_any_memory(client: httpx.AsyncClient) -> None:
    await says(client, "anna", SAID)
    await says(client, "bert", ALIKE)
    await gather(client)
    [one] = await agreed(client)
    asked = {"agent_id": "dora", **TEAM, "text": "When does the API key expire?", "k": 10}
    found = (await client.post("/v1/recall", json=asked)).json()["results"]
    assert one["uid"] in {each["uid"] for each in found}


async def test_what_a_channel_agrees_on_is_not_condensed(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    first = await says(client, "anna", SAID, stratum="working")
    second = await says(client, "bert", ALIKE, stratum="working")
    body = {**TEAM, "everything": True, "dry_run": False, "strata": ["working"]}
    answer = await client.post("/v1/consolidations", json=body)
    assert answer.json()["run"]["counts"]["agreements"] == 1
    rows = cypher(
        "MATCH (m:Memory) WHERE m.uid IN $uids RETURN m.state AS state", uids=[first, second]
    )
    assert [row["state"] for row in rows] == ["active", "active"]


async def test_other_channels_and_tenants_see_nothing(client: httpx.AsyncClient) -> None:
    await says(client, "anna", SAID)
    uid = await says(client, "bert", ALIKE)
    await gather(client)
    answer = await client.get("/v1/channels/agreements", params={"channel_id": "others"})
    assert answer.json()["items"] == []
    answer = await client.get(f"/v1/channels/agreements/{uid}", params={"channel_id": "others"})
    assert answer.status_code == 404
    body = {"agent_id": "eve", "channel_ids": ["others"], "agrees": False}
    assert (await client.post(f"/v1/memories/{uid}/vote", json=body)).status_code == 404
    assert (
        await client.get("/v1/channels/agreements", params={"agent_id": "anna"})
    ).status_code == 422


async def test_only_a_channel_agrees(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/channels/agreements", json={"agent_id": "anna"})
    assert answer.status_code == 422
