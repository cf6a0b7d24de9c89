"""The queries for Browser on what is shared."""

from __future__ import annotations

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Remembers, Run
from tests.store.operation.test_analytics import Analyst

ANNA, BERT = Caller("local", "anna", ("team",)), Caller("local", "bert", ("team",))


async def test_what_is_shared_where_and_by_whom(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    uid = await remember(Caller("local", "anna"), "Backups run at two.")
    for who in (ANNA, BERT):
        await service.join_channels(who)
    done = await service.publish_memory(ANNA, uid)
    await service.inject_reward(BERT, done.uid, 1.0, "it helped")
    analyst = Analyst(cypher)
    [row] = analyst.ask("shared_in_channels")
    assert (row["channel"]["name"], row["m"]["uid"], row["copy"]["uid"]) == ("team", uid, done.uid)
    assert analyst.ask("shared_in_channels", scope="agent/anna") == [row]
    assert analyst.ask("shared_in_channels", scope="agent/bert") == []
    rows = analyst.ask("members_of_channels", scope="channel/team")
    told = [(row["agent"], row["copies"], row["rewarded"]) for row in rows]
    assert told == [("local/agent/anna", 1, 1), ("local/agent/bert", 0, 0)]
    assert rows[0]["mean_q"] > 0.5
    assert rows[1]["mean_q"] is None


async def test_who_had_to_do_with_whom(service: Service, cypher: Run) -> None:
    await service.record_interaction(ANNA, "bert", 1.0)
    await service.record_interaction(ANNA, "carl", 0.0)
    analyst = Analyst(cypher)
    rows = analyst.ask("relationships_as_graph", scope="agent/carl")
    told = [(row["a"]["name"], row["b"]["name"]) for row in rows]
    assert told == [("anna", "carl"), ("carl", "anna")]
    assert len(analyst.ask("relationships_as_graph")) == 4


async def test_what_a_channel_agrees_on(service: Service, cypher: Run) -> None:
    said = {"anna": "The API key expires after 30 days.", "bert": "API keys are valid for 30 days."}
    scope = ANNA.writable("channel")
    await service.remember([NewMemory(scope, text, agent_id=who) for who, text in said.items()])
    await service.consolidate.agree(Caller("local", None, ("team",)), dry_run=False)
    [row] = Analyst(cypher).ask("agreed_in_channels", scope="channel/team")
    assert sorted(row["supporters"]) == ["anna", "bert"]
    assert (row["opponents"], row["agrees"], row["disagrees"]) == ([], 0, 0)
    for who, agrees in (("carl", True), ("dora", False)):
        await service.vote(Caller("local", who, ("team",)), row["uid"], agrees=agrees)
    [row] = Analyst(cypher).ask("agreed_in_channels", scope="channel/team")
    assert (row["supporters"], row["opponents"]) == (["anna", "bert", "carl"], ["dora"])
    assert (row["agrees"], row["disagrees"]) == (1, 1)
    assert Analyst(cypher).ask("agreed_in_channels", scope="channel/other") == []
