from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.conftest import Run
from tests.doors.attempts import EPISODE, add, counts, episode, read


def graph(cypher: Run) -> list[dict[str, Any]]:
    """Return each edge of each episode, with the counters of what it leads to."""
    return cypher(
        "MATCH (e:Episode)-[r:SOLVED|ATTEMPTED|USED]->(t:Memory) "
        "RETURN e.external_id AS episode, type(r) AS edge, t.external_id AS to, "
        "t.attempts AS attempts, t.successes AS successes ORDER BY episode, edge, to"
    )


def assert_counted(cypher: Run) -> None:
    """Compare the counters of problems and strategies with what hangs on them."""
    rows = cypher(
        "MATCH (t:Problem|Strategy) OPTIONAL MATCH (e:Episode)-[:SOLVED|ATTEMPTED|USED]->(t) "
        "WITH DISTINCT t, e "
        "RETURN t.uid AS uid, [t.attempts, t.successes] AS told, "
        "[count(CASE WHEN e.correct <> '' THEN 1 END), "
        "count(CASE WHEN e.correct = 'true' THEN 1 END)] AS counted"
    )
    assert rows
    assert [row["told"] for row in rows] == [row["counted"] for row in rows]


async def test_an_episode_comes_back_as_it_was_sent(client: httpx.AsyncClient) -> None:
    saved = await client.post("/v1/episodes", json={"agent_id": "anna", **EPISODE})
    assert saved.status_code == 201
    assert saved.json()["episode_id"] == "ep-1"
    view = await read(client, "ep-1")
    assert view["episode"] == EPISODE
    assert view["scope"] == "agent/anna"
    assert view["uid"] == saved.json()["uid"]
    assert await read(client, view["uid"]) == view
    assert [(each["edge"], each["kind"], each["text"]) for each in view["hangs_on"]] == [
        ("SOLVED", "problem", EPISODE["input"]["problem"]),
        ("USED", "strategy", "multiply, subtract"),
    ]


async def test_what_an_agent_does_not_know_is_null(client: httpx.AsyncClient) -> None:
    row = {"input": {"problem": "What is a duck?"}}
    saved = await client.post("/v1/episodes", json={"agent_id": "anna", **row})
    made = saved.json()["episode_id"]
    assert made.startswith("ep-")
    shown = (await read(client, made))["episode"]
    assert shown.pop("timestamp")
    assert shown == {
        "episode_id": made,
        "input": {"problem": "What is a duck?", "problem_id": None, "domain": None},
        "trace": [],
        "output": {"answer": None, "correct": None, "confidence": None},
        "metadata": {"tokens_used": None, "latency_ms": None, "model": None, "temperature": None},
    }
    again = await client.post("/v1/episodes", json={"agent_id": "anna", **row})
    assert again.json()["status"] == "unchanged"
    assert again.json()["episode_id"] == made


async def test_insight_tags_and_other_metadata_are_kept(client: httpx.AsyncClient) -> None:
    sent = episode(insight="A price times a number.", tags=["shop"])
    sent["metadata"]["git_sha"] = {"short": "abc", "dirty": False}
    await add(client, sent)
    assert (await read(client, "ep-1"))["episode"] == sent


async def test_a_time_without_a_zone_is_utc(client: httpx.AsyncClient) -> None:
    await add(client, episode(timestamp="2025-11-02 10:15:00.25"))
    assert (await read(client, "ep-1"))["episode"]["timestamp"] == "2025-11-02T10:15:00.250000Z"


@pytest.mark.parametrize(
    ("field", "row"),
    [
        ("input", {"episode_id": "x"}),
        ("input.problem", episode(input__problem="  ")),
        ("input.problem_id", episode(input__problem_id=17)),
        ("input.problme", episode(input__problme="x")),
        ("trace.1.step", episode(trace=[{"step": 2}, {"step": 2}])),
        ("trace.0.step", episode(trace=[{"step": "one"}])),
        ("trace.0.thought", episode(trace=[{"thought": 1}])),
        ("trace.0.act", episode(trace=[{"act": "x"}])),
        ("output.correct", episode(output__correct="yes")),
        ("output.answer", episode(output__answer=12)),
        ("output.confidence", episode(output__confidence=1.5)),
        ("metadata.tokens_used", episode(metadata__tokens_used=-1)),
        ("metadata.latency_ms", episode(metadata__latency_ms="fast")),
        ("metadata.token_used", episode(metadata__token_used=3)),
        ("timestamp", episode(timestamp=17)),
        ("trace", episode(trace=[{"thought": "x" * 1_100_000}])),
    ],
)
async def test_a_fault_is_told_with_its_place(
    client: httpx.AsyncClient, field: str, row: dict[str, Any]
) -> None:
    one = await client.post("/v1/episodes", json={"agent_id": "anna", **row})
    assert one.status_code == 422
    assert [fault["field"] for fault in one.json()["errors"]] == [field]
    answer = await add(client, row, episode("good"))
    assert answer["counts"]["created"] == answer["counts"]["rejected"] == 1
    assert answer["results"][0]["error"]["field"] == field
    assert (await counts(client))["episodes"] == 1


async def test_an_episode_is_joined_to_its_problem_and_strategy(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(
        client,
        episode("right"),
        episode("wrong", output__correct=False, trace=[{"action": "12-1"}, {"action": "3*4"}]),
        episode("open", output__correct=None, trace=[{"action": "search('pens')"}]),
    )
    [strategy, other] = sorted(
        row["to"] for row in cypher("MATCH (s:Strategy) RETURN s.external_id AS to")
    )
    rows = graph(cypher)
    used = {row["episode"]: row["to"] for row in rows if row["edge"] == "USED"}
    assert used["right"] == used["wrong"] != used["open"]
    assert {strategy, other} == set(used.values())
    told = {(row["episode"], row["edge"], row["attempts"], row["successes"]) for row in rows}
    assert told == {
        ("right", "SOLVED", 2, 1),
        ("wrong", "ATTEMPTED", 2, 1),
        ("open", "ATTEMPTED", 2, 1),
        ("right", "USED", 2, 1),
        ("wrong", "USED", 2, 1),
        ("open", "USED", 0, 0),
    }
    assert {row["to"] for row in rows if row["edge"] != "USED"} == {"problem:math:p1"}


async def test_problems_without_an_id_are_one_by_their_words(client: httpx.AsyncClient) -> None:
    await add(
        client,
        episode("a", input={"problem": "How many ducks?"}),
        episode("b", input={"problem": "how  many DUCKS?"}),
        episode("c", input={"problem": "How many ducks?", "domain": "zoo"}),
    )
    assert (await counts(client))["problems"] == 2


async def test_the_same_again_changes_nothing(client: httpx.AsyncClient, cypher: Run) -> None:
    await add(client, episode("a"), episode("b"))
    before = graph(cypher)
    answer = await add(client, episode("a"), episode("b"))
    assert answer["counts"]["unchanged"] == 2
    assert graph(cypher) == before
    assert cypher("MATCH (v:Version) RETURN count(*) AS n") == [{"n": 0}]


async def test_a_changed_episode_is_joined_and_counted_anew(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(client, episode("a"), episode("b"))
    changed = episode("a", output__correct=False, trace=[{"action": "3+4"}])
    answer = await add(client, changed)
    assert answer["counts"]["updated"] == 1
    rows = [row for row in graph(cypher) if row["episode"] == "a"]
    assert [(row["edge"], row["attempts"], row["successes"]) for row in rows] == [
        ("ATTEMPTED", 2, 1),
        ("USED", 1, 0),
    ]
    left = [row for row in graph(cypher) if row["episode"] == "b" and row["edge"] == "USED"]
    assert (left[0]["attempts"], left[0]["successes"]) == (1, 1)
    links = cypher(
        "MATCH (m:Memory) WHERE m:Episode OR m:Problem OR m:Strategy "
        "RETURN m.link_count AS said, "
        "COUNT { (m)-[:SOLVED|ATTEMPTED|USED]-() } AS found, m.external_id AS name"
    )
    assert all(row["said"] == row["found"] for row in links), links


async def test_a_verdict_that_comes_later_moves_the_edge(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(client, episode("a", output__correct=None))
    path = "/v1/memories/external:a?agent_id=anna"
    for change, edge, attempts, successes in (
        ({"correct": True}, "SOLVED", 1, 1),
        ({"structured": {"output": {"correct": False}}}, "ATTEMPTED", 1, 0),
        ({"correct": None}, "ATTEMPTED", 0, 0),
    ):
        answer = await client.patch(path, json=change)
        assert answer.status_code == 200, answer.text
        rows = graph(cypher)
        assert [row["edge"] for row in rows] == [edge, "USED"]
        assert {(row["attempts"], row["successes"]) for row in rows} == {(attempts, successes)}
    shown = (await read(client, "a"))["episode"]
    assert shown["output"]["correct"] is None
    await client.patch(path, json={"structured": {"trace": [{"action": "1/2"}]}})
    assert [row["attempts"] for row in graph(cypher)] == [0, 0]
    assert len(cypher("MATCH (:Episode)-[:USED]->(s:Strategy {text: 'divide'}) RETURN s")) == 1


async def test_an_episode_sent_as_a_memory_is_joined_too(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    said = {"kind": "episode", "text": "pens", "external_id": "raw", "structured": EPISODE}
    await client.post("/v1/memories", json={"agent_id": "anna", "correct": True, **said})
    assert [row["edge"] for row in graph(cypher)] == ["SOLVED", "USED"]


async def test_a_deleted_episode_is_counted_no_more(client: httpx.AsyncClient, cypher: Run) -> None:
    await add(client, episode("a"), episode("b"), episode("c", input__problem_id="p2"))
    assert (await client.delete("/v1/episodes/a?agent_id=anna")).status_code == 204
    rows = [row for row in graph(cypher) if row["episode"] == "b"]
    assert [(row["edge"], row["attempts"]) for row in rows] == [("SOLVED", 1), ("USED", 2)]
    await client.delete("/v1/memories/external:c?agent_id=anna")
    counted = await counts(client)
    assert (counted["episodes"], counted["problems"], counted["strategies"]) == (1, 1, 1)
    gone = await client.get("/v1/episodes/a?agent_id=anna")
    assert gone.status_code == 404


async def test_counts_are_those_of_the_edges_whatever_was_done(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    wrong, open_one = {"output__correct": False}, {"output__correct": None}
    other = {"input__problem_id": "p2"}
    await add(client, episode("a"), episode("b", **wrong), episode("c", **open_one))
    assert_counted(cypher)
    again = (episode("a", **wrong), episode("b", **wrong), episode("c", **other), episode("d"))
    await add(client, *again, episode("e", **other))
    assert_counted(cypher)
    await add(client, episode("f"), episode("f"), episode("g", **open_one))
    assert_counted(cypher)
    named = "/v1/memories/external:{}?agent_id=anna"
    for change in ({"correct": True}, {"kind": "insight"}, {"kind": "episode"}, {"correct": False}):
        assert (await client.patch(named.format("d"), json=change)).status_code == 200
        await add(client, episode(f"after-{len(change)}-{change}"[:40]))
        assert_counted(cypher)
    await client.delete("/v1/episodes/a?agent_id=anna")
    await add(client, episode("h", **wrong))
    assert_counted(cypher)
    await client.delete("/v1/episodes?agent_id=anna&domain=math")
    await add(client, episode("i"))
    assert_counted(cypher)


async def test_what_an_unchanged_episode_is_joined_to_is_counted(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    """Links are no part of what an episode says: with others it is unchanged, and joined to more."""
    for name in ("one", "two"):
        row = {"agent_id": "anna", "text": f"problem {name}", "kind": "problem"}
        await client.post("/v1/memories", json={**row, "external_id": name})
    said = {"agent_id": "anna", "text": "tried", "kind": "episode", "external_id": "e"}
    for name in ("one", "two"):
        links = [{"type": "SOLVED", "to": f"external:{name}"}]
        await client.post("/v1/memories", json={**said, "correct": True, "links": links})
    told = cypher("MATCH (p:Problem) RETURN p.attempts AS n, p.successes AS right")
    assert told == [{"n": 1, "right": 1}] * 2


async def test_a_problem_that_was_none_meanwhile_is_counted_anew(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(client, episode("a"), episode("b"))
    named = "/v1/memories/external:problem:math:p1?agent_id=anna"
    await client.patch(named, json={"kind": "insight"})
    await client.delete("/v1/episodes/a?agent_id=anna")
    await client.patch(named, json={"kind": "problem"})
    assert_counted(cypher)
    await add(client, episode("c"))
    assert_counted(cypher)


async def test_what_was_never_counted_is_counted_from_its_edges(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(client, episode("a"), episode("b", output__correct=False))
    cypher("MATCH (t:Problem|Strategy) REMOVE t.attempts, t.successes")
    await add(client, episode("c"))
    assert_counted(cypher)


async def test_a_problem_that_was_taught_or_changed_stays(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(client, episode("a"))
    named = "/v1/memories/external:problem:math:p1?agent_id=anna"
    await client.patch(named, json={"importance": 5})
    await client.delete("/v1/episodes/a?agent_id=anna")
    left = cypher("MATCH (m:Memory) RETURN m.kind AS kind, m.attempts AS attempts")
    assert left == [{"kind": "problem", "attempts": 0}]


async def test_counts_are_of_one_scope(client: httpx.AsyncClient) -> None:
    await add(
        client,
        episode("a"),
        episode("b", output__correct=False),
        episode("c", output__correct=None),
        run="run-1",
    )
    await add(client, episode("a"), agent_id="bert")
    counted = await counts(client)
    assert counted.pop("bytes") > 500
    assert counted == {
        "scope": "agent/anna",
        "episodes": 3,
        "correct": 1,
        "wrong": 1,
        "unjudged": 1,
        "active": 3,
        "problems": 1,
        "strategies": 1,
        "runs": {"run-1": 3},
        "budget": {"episodes": 10_000, "bytes": 2**30, "policy": "refuse"},
    }


async def test_clearing_says_first_what_would_go_and_leaves_others_alone(
    client: httpx.AsyncClient,
) -> None:
    await add(client, episode("a"), episode("b", input__problem_id="p2"), run="run-1")
    await add(client, episode("c", input__domain="zoo"))
    await add(client, episode("a"), agent_id="bert")
    await client.post("/v1/memories", json={"agent_id": "anna", "text": "A note."})
    path = "/v1/episodes?agent_id=anna"
    tried = (await client.delete(path)).json()
    assert (tried["dry_run"], tried["matched"], tried["deleted"]) == (True, 3, 0)
    assert tried["bytes"] == (await counts(client))["bytes"]
    part = (await client.delete(f"{path}&dry_run=false&run=run-1")).json()
    assert (part["deleted"], part["problems"], part["strategies"]) == (2, 2, 1)
    zoo = (await client.delete(f"{path}&dry_run=false&domain=zoo")).json()
    assert (zoo["matched"], zoo["deleted"]) == (1, 1)
    assert (await counts(client))["episodes"] == 0
    assert (await counts(client, "bert"))["episodes"] == 1
    left = (await client.get("/v1/memories?agent_id=anna")).json()
    assert [row["text"] for row in left["items"]] == ["A note."]


async def test_nobody_reads_or_clears_anothers_episodes(client: httpx.AsyncClient) -> None:
    await add(client, episode("a"))
    assert (await client.get("/v1/episodes/a?agent_id=bert")).status_code == 404
    assert (await client.delete("/v1/episodes/a?agent_id=bert")).status_code == 404
    cleared = await client.delete("/v1/episodes?agent_id=bert&dry_run=false")
    assert cleared.json()["matched"] == 0
    assert (await counts(client))["episodes"] == 1


async def test_an_atomic_batch_is_all_or_nothing(client: httpx.AsyncClient) -> None:
    body = {"agent_id": "anna", "episodes": [episode("a"), episode("b", output__confidence=3)]}
    answer = await client.post("/v1/episodes?atomic=true", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "episodes.1.output.confidence"
    assert (await counts(client))["problems"] == 0


async def test_correct_episodes_wait_for_the_next_extraction(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(client, episode("a"), episode("b", output__correct=None), episode("c"))
    await add(client, episode("a"), episode("b"), episode("c", insight="changed"))
    await client.patch("/v1/memories/external:b?agent_id=anna", json={"importance": 4})
    assert cypher("MATCH (s:Scope) RETURN s.solved_waiting AS n") == [{"n": 3}]
