"""What an export said can be read again; a bad line is told by its number, and the rest lands."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import httpx
import pytest

from cypher import Query
from graph.database.driver import Connection, Rows, Transaction
from graph.model.memories.memory import NewMemory
from service.app import create_app
from service.bootstrap import Service, open_service
from service.http.transfer.lines import MAX_LINE_BYTES
from service.settings import Settings
from service.use_cases.transfer import export as export_use_case
from service.use_cases.transfer import importing as import_use_case
from tests.conftest import Run
from tests.doors.attempts import add, episode
from tests.doors.filled import fill
from tests.doors.learned import learn_all
from tests.doors.moving import (
    NDJSON,
    WIPE,
    content,
    everything,
    exported,
    imported,
    of,
    written,
)
from tests.store.reading import assert_whole

UID = "01M7XEBE7WXSAJEC4H1DWASECT"
OTHER = "01M7XEBE7WXSAJEC4H1DWASECV"
TIME = "2026-05-01T09:30:00Z"


async def moved(client: httpx.AsyncClient, cypher: Run, **query: Any) -> list[dict[str, Any]]:
    """Export, wipe, import; answers what was exported."""
    lines = await exported(client, **query)
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected"), answer
    assert not of(answer, "skipped"), answer
    assert answer[-1]["complete"] is True
    return lines


async def test_edges_lock_memories_before_scopes(
    client: httpx.AsyncClient, service: Service, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(client, service, agents=("anna",))
    asked: list[tuple[Transaction, str]] = []
    run = Transaction.run

    async def noted(self: Transaction, query: Query, *given: Any) -> Rows:
        asked.append((self, query.name))
        return await run(self, query, *given)

    monkeypatch.setattr(Transaction, "run", noted)
    await moved(client, cypher)
    scopes: set[Transaction] = set()
    counted = 0
    for transaction, name in asked:
        if name == "database.renew_versions":
            scopes.add(transaction)
        if name == "episodes.count_attempts":
            counted += 1
            assert transaction not in scopes
    assert counted


@pytest.mark.parametrize("vectors", [True, False])
async def test_a_round_trip_loses_nothing(
    client: httpx.AsyncClient,
    service: Service,
    cypher: Run,
    monkeypatch: pytest.MonkeyPatch,
    vectors: bool,
) -> None:
    await fill(client, service, agents=("anna", "bert"))
    before = everything(cypher)
    monkeypatch.setattr(export_use_case, "PAGE", 3)
    lines = await moved(client, cypher, scope="tenant", vectors=vectors)
    assert everything(cypher) == before
    assert content(await exported(client, scope="tenant", vectors=vectors)) == content(lines)
    assert_whole(cypher, "local/agent/anna", "s")


async def test_the_same_lines_again_change_nothing(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    lines = await moved(client, cypher)
    before = everything(cypher)
    answer = await imported(client, lines)
    counts = answer[-1]["counts"]
    assert counts["unchanged"] == sum(lines[-1]["counts"].values())
    assert counts["created"] == counts["updated"] == counts["rejected"] == counts["skipped"] == 0
    assert everything(cypher) == before


async def test_what_is_there_is_not_changed(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    lines = await exported(client)
    cypher("MATCH (m:Memory {external_id: 'café'}) SET m.text = 'changed since', m.q_value = 0.9")
    before = everything(cypher)
    await imported(client, lines)
    assert everything(cypher) == before


async def test_what_hangs_on_problems_and_strategies_is_counted_as_it_was(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(
        client,
        episode("a"),
        episode("b", output__correct=False),
        episode("c", output__correct=None, input__problem_id="p2"),
        episode("d", input__problem_id="p2"),
    )
    await add(client, episode("e"))
    await client.delete("/v1/episodes/a?agent_id=anna")
    counted = (
        "MATCH (t:Problem|Strategy) RETURN t.external_id AS name, t.attempts AS attempts, "
        "t.successes AS successes, t.link_count AS links ORDER BY name"
    )
    before = cypher(counted)
    assert [(row["attempts"], row["successes"]) for row in before] == [(2, 1), (1, 1), (3, 2)]
    await moved(client, cypher)
    assert cypher(counted) == before
    assert cypher("MATCH (s:Scope) RETURN s.solved_waiting AS n") == [{"n": 2}]
    await add(client, episode("f"))
    assert [row["attempts"] for row in cypher(counted)] == [3, 1, 4]


async def test_a_version_that_left_much_unsaid_comes_back_as_it_was(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    for text in ("closed", "open"):
        await service.remember([NewMemory("local/shared", text, external_id="bridge")])
    before = everything(cypher)
    await moved(client, cypher)
    assert everything(cypher) == before


async def test_what_says_it_was_recorded_in_the_future_waits_for_links_from_now_on(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await service.remember([NewMemory("local/shared", "a letter to the future")])
    lines = await exported(client)
    cypher(WIPE)
    for line in of(lines, "memory"):
        line["recorded_at"] = "9000-01-01T00:00:00Z"
    assert not of(await imported(client, lines), "rejected")
    waiting = (
        "MATCH (m:Memory) RETURN m.unlinked_since <= datetime() AS now, m.recorded_at.year AS year"
    )
    assert cypher(waiting) == [{"now": True, "year": 9000}]


async def test_lines_may_come_in_any_order_but_edges_need_their_ends(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    before = everything(cypher)
    lines = await exported(client)
    cypher(WIPE)
    backwards = [line for line in reversed(lines) if line["type"] != "header"]
    answer = await imported(client, backwards)
    told: set[str] = {
        lines[len(lines) - report["line"]]["type"] for report in of(answer, "rejected")
    }
    assert told == {"edge", "version", "retrieval", "rewarded"}
    again = await imported(client, backwards)
    assert not of(again, "rejected")
    assert everything(cypher) == before
    assert_whole(cypher, "local/agent/anna", "s")


async def test_all_that_was_learned_comes_back_and_a_second_time_changes_nothing(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    learn_all(cypher)
    before, lines = everything(cypher), await exported(client)
    assert {line["type"] for line in lines} >= {"estimate", "credit", "reward", "rewarded"}
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected") + of(answer, "skipped")
    assert everything(cypher) == before
    assert content(await exported(client)) == content(lines)
    again = await imported(client, lines)
    assert again[-1]["counts"]["created"] == 0
    assert everything(cypher) == before


async def test_a_memory_keeps_its_first_q_in_a_graph_that_begins_with_another(
    connection: Connection, service: Service, client: httpx.AsyncClient, cypher: Run
) -> None:
    await service.remember([NewMemory("local/shared", "begins at a half")])
    lines = await exported(client)
    cypher(WIPE)
    usual = Settings(neo4j_uri=connection.uri, flush_seconds=3600, worker=False)
    other = usual.model_copy(update={"q_default": 0.8})
    async with open_service(other, connection, service.embedders.reading.embedder) as opened:
        transport = httpx.ASGITransport(app=create_app(opened))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as there:
            await imported(there, [*lines, {"text": "begins at 0.8", "agent_id": "anna"}])
    found = cypher("MATCH (m:Memory) RETURN m.q_value AS q, m.q_init AS first ORDER BY q")
    assert found == [{"q": 0.5, "first": None}, {"q": 0.8, "first": 0.8}]


async def test_what_was_learned_needs_its_memory_and_its_reward(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    learn_all(cypher)
    lines = await exported(client)
    cypher(WIPE)
    alone = [*of(lines, "estimate"), *of(lines, "credit")]
    told = of(await imported(client, alone), "rejected")
    assert [report["field"] for report in told] == ["memory_uid", "memory_uid"]
    await imported(client, [*of(lines, "scope"), *of(lines, "session"), *of(lines, "memory")])
    told = of(await imported(client, alone), "rejected")
    assert [report["field"] for report in told] == ["reward_uid"]


async def test_an_import_in_parts_is_an_import(
    client: httpx.AsyncClient, service: Service, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(client, service)
    before = everything(cypher)
    lines = await exported(client)
    cypher(WIPE)
    monkeypatch.setattr(import_use_case, "BATCH_LINES", 2)
    for start in range(0, len(lines), 3):
        part = [*lines[start : start + 3], "no json"]
        answer = await imported(client, part, first_line=start + 1)
        assert [report["line"] for report in of(answer, "rejected")] == [start + len(part)]
        assert answer[-1]["line"] == start + len(part)
    assert everything(cypher) == before


async def test_rows_by_hand_are_remembered(client: httpx.AsyncClient, cypher: Run) -> None:
    rows: list[dict[str, Any]] = [
        {"text": "one"},
        {"type": "memory", "text": "two", "kind": "insight", "external_id": "two"},
        {"text": "three", "agent_id": "bert", "links": []},
        {"text": "four", "scope_kind": "shared"},
        {"text": "five", "links": [{"type": "USED", "to": "external:two"}]},
    ]
    answer = await imported(client, rows, agent_id="anna")
    assert answer[-1]["counts"]["created"] == 5
    assert answer[-1]["embedded"] == 5
    assert "complete" not in answer[-1]
    stored = cypher("MATCH (m:Memory) RETURN m.text AS text, m.scope AS scope ORDER BY m.scope")
    assert Counter(row["scope"] for row in stored) == {
        "local/agent/anna": 3,
        "local/agent/bert": 1,
        "local/shared": 1,
    }
    again = await imported(client, rows, agent_id="anna")
    assert again[-1]["counts"]["unchanged"] == 5
    unnamed = await imported(client, rows[:1])
    assert of(unnamed, "rejected")[0]["field"] == "agent_id"


MEMORY = {"type": "memory", "uid": UID, "scope": "agent/anna", "text": "a good line"}
BAD: dict[str, tuple[bytes | str | dict[str, Any], str | None]] = {
    "no JSON": ("secret-zebra", None),
    "half a line": ('{"text": "secret-zebra', None),
    "a list": ('["secret-zebra"]', None),
    "a number": ("17", None),
    "invalid UTF-8": (b'{"text": "secret-zebra \xff"}', None),
    "NaN": ('{"text": "secret-zebra", "metadata": {"x": NaN}}', None),
    "half a surrogate pair": ('{"text": "secret-zebra \\ud800"}', None),
    "a key twice": ('{"text": "secret-zebra", "text": "secret-zebra"}', None),
    "too deep": ("[" * 100_000, None),
    "too long": (b'{"text": "' + b"x" * MAX_LINE_BYTES + b'"}', None),
    "no text": ({"kind": "insight"}, "text"),
    "NUL": ({"text": "secret-zebra\0"}, "text"),
    "unknown field of a row": ({"text": "x", "secret": 1}, "secret"),
    "uid": ({**MEMORY, "uid": "secret-zebra"}, "uid"),
    "scope of nobody": ({**MEMORY, "scope": "secret-zebra"}, "scope"),
    "scope with a tenant": ({**MEMORY, "scope": "acme/agent/secret-zebra"}, "scope"),
    "empty owner": ({**MEMORY, "scope": "agent/"}, "scope"),
    "owner with NUL": ({**MEMORY, "scope": "agent/a\0"}, "scope"),
    "Q over 1": ({**MEMORY, "q_value": 1.5}, "q_value"),
    "state": ({**MEMORY, "state": "hidden"}, "state"),
    "count below 0": ({**MEMORY, "q_count": -1}, "q_count"),
    "hash": ({**MEMORY, "content_hash": "secret-zebra"}, "content_hash"),
    "embedding": ({**MEMORY, "embedding": "secret-zebra"}, "embedding"),
    "embedding of no floats": ({**MEMORY, "embedding": "AAA="}, "embedding"),
    "session without a place": ({**MEMORY, "session_id": "s"}, "sequence"),
    "time without a zone": ({**MEMORY, "recorded_at": "2026-05-01T09:30:00"}, "recorded_at"),
    "zero vector": ({**MEMORY, "text": "…"}, "vector"),
    "edge to nowhere": ({"type": "edge", "edge": "USED", "from": UID, "to": OTHER}, "from"),
    "edge of no type": ({"type": "edge", "edge": "NEXT", "from": UID, "to": OTHER}, "edge"),
    "edge with nested properties": (
        {"type": "edge", "edge": "USED", "from": UID, "to": OTHER, "properties": {"a": {}}},
        "properties.a",
    ),
    "retrieval of no task": (
        {"type": "retrieval", "scope": "agent/anna", "task_id": "t", "memory_uid": UID, "rank": 1,
         "score": 0.5, "retrieved_at": TIME},
        "task_id",
    ),
    "version of nothing": (
        {"type": "version", "uid": UID, "memory_uid": OTHER, "scope": "agent/anna", "text": "x",
         "kind": "insight", "replaced_at": TIME},
        "memory_uid",
    ),
    "rewarded by nothing": (
        {"type": "rewarded", "reward_uid": UID, "memory_uid": OTHER, "seq": 1, "q_before": 0.5,
         "q_after": 0.5, "reward": 1.0, "step": 0.1, "share": 1.0},
        "reward_uid",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD)
async def test_a_bad_line_is_told_by_number_and_the_rest_lands(
    client: httpx.AsyncClient, cypher: Run, fault: str
) -> None:
    bad, field = BAD[fault]
    good: list[dict[str, Any]] = [{"text": "before", "agent_id": "anna"}, {"text": "after"}]
    body = written([good[0], "", bad, good[1]])
    answer = await imported(client, body, agent_id="anna")
    reports = of(answer, "rejected")
    assert {report["line"] for report in reports} == {3}
    named = {(report.get("field") or "").partition(".")[0] or None for report in reports}
    assert (field or "").partition(".")[0] in {name or "" for name in named}
    assert "secret-zebra" not in json.dumps(answer)
    assert answer[-1]["counts"]["rejected"] == 1
    assert answer[-1]["counts"]["created"] == 2
    texts = cypher("MATCH (m:Memory) RETURN m.text AS text ORDER BY text")
    assert [row["text"] for row in texts] == ["after", "before"]


async def test_what_a_later_release_adds_is_passed_over_and_told(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    answer = await imported(
        client,
        [
            {"type": "header", "format": "stratagraph", "version": "1.7", "moon": "full"},
            {"type": "mood", "uid": UID},
            {"type": ["memory"]},
            {**MEMORY, "mood": "good", "links": [], "!": 1},
        ],
    )
    assert [(report["line"], report["field"]) for report in of(answer, "skipped")] == [
        (2, "type"),
        (3, "type"),
        (4, "(unknown)"),
        (4, "links"),
        (4, "mood"),
    ]
    assert answer[-1]["counts"]["skipped"] == 2
    assert answer[-1]["counts"]["created"] == 1
    assert answer[-1]["complete"] is False


@pytest.mark.parametrize(
    "header", [{"version": "2.0"}, {"version": 1}, {"format": "other", "version": "1.0"}]
)
async def test_another_format_is_refused_whole(
    client: httpx.AsyncClient, cypher: Run, header: dict[str, Any]
) -> None:
    lines = [{"type": "header", "format": "stratagraph", **header}, MEMORY]
    answer = await client.post("/v1/import", content=written(lines), headers=NDJSON)
    assert answer.status_code == 422
    assert "line 1 heads an export" in answer.json()["detail"]
    assert not cypher("MATCH (m:Memory) RETURN m")


async def test_a_name_that_is_taken_is_refused(client: httpx.AsyncClient, cypher: Run) -> None:
    await imported(client, [{**MEMORY, "external_id": "x", "session_id": "s", "sequence": 4}])
    before = everything(cypher)
    rows = [
        {**MEMORY, "scope": "agent/bert"},
        {**MEMORY, "uid": OTHER, "external_id": "x", "text": "else"},
        {**MEMORY, "uid": OTHER, "session_id": "s", "sequence": 4, "text": "else"},
        {**MEMORY, "text": "another text under the same uid"},
    ]
    answer = await imported(client, rows)
    assert [(r["line"], r["field"]) for r in of(answer, "rejected")] == [
        (1, "uid"),
        (2, "external_id"),
        (3, "sequence"),
    ]
    assert answer[-1]["counts"]["unchanged"] == 1
    assert everything(cypher) == before


async def test_names_that_stand_twice_in_a_batch(client: httpx.AsyncClient, cypher: Run) -> None:
    task = {"type": "task", "scope": "agent/anna", "task_id": "t", "created_at": TIME,
            "expires_at": TIME}  # fmt: skip
    rows = [
        {**MEMORY, "external_id": "x"},
        {**MEMORY, "external_id": "x"},
        {**MEMORY, "scope": "shared"},
        {**MEMORY, "uid": OTHER, "external_id": "x", "text": "else"},
        {**MEMORY, "uid": OTHER, "external_id": "x", "text": "else", "scope": "shared"},
        task,
        task,
    ]
    answer = await imported(client, rows)
    assert [r["line"] for r in of(answer, "rejected")] == [3, 4]
    assert answer[-1]["types"]["memory"] == {
        "created": 2, "updated": 0, "unchanged": 1, "rejected": 2, "skipped": 0,
    }  # fmt: skip
    assert answer[-1]["types"]["task"]["created"] == 1
    assert len(cypher("MATCH (t:Task) RETURN t")) == 1


async def test_an_agent_can_be_renamed(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    lines = await exported(client)
    beside = await imported(client, lines, agent_map=["anna=berta"])
    assert (
        "erase that first, or import into another service" in of(beside, "rejected")[0]["message"]
    )
    cypher(WIPE)
    answer = await imported(client, [*lines, {"text": "a row", "agent_id": "anna"}],
                            agent_map=["anna=berta"])  # fmt: skip
    assert not of(answer, "rejected")
    assert not cypher("MATCH (n) WHERE n.scope CONTAINS 'anna' OR n.agent_id = 'anna' RETURN n")
    assert_whole(cypher, "local/agent/berta", "s")
    renamed = json.loads(json.dumps(lines).replace("agent/anna", "agent/berta")
                         .replace('"agent_id": "anna"', '"agent_id": "berta"'))  # fmt: skip
    cypher("MATCH (m:Memory {text: 'a row'}) DETACH DELETE m")
    assert content(await exported(client)) == content(renamed)


async def test_a_dry_run_writes_nothing(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    lines = await exported(client)
    cypher(WIPE)
    answer = await imported(client, [*lines, "bad"], dry_run=True)
    assert [report["line"] for report in of(answer, "rejected")] == [len(lines) + 1]
    assert answer[-1]["dry_run"] is True
    assert not everything(cypher)


async def test_a_vector_of_another_embedder_is_made_anew(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    lines = await exported(client)
    vectors = "MATCH (m:Memory) RETURN m.uid AS uid, m.embedding_a AS vector ORDER BY uid"
    before = {row["uid"]: row["vector"] for row in cypher(vectors)}
    for memory in of(lines, "memory"):
        memory["embedding"] = memory["embedding"][::-1].replace("=", "A") + "=" * 2
        memory["embedder"] = "another"
    cypher(WIPE)
    answer = await imported(client, [{**m, "embedding": None} for m in of(lines, "memory")])
    assert answer[-1]["embedded"] == 7
    after = {row["uid"]: row["vector"] for row in cypher(vectors)}
    plain = [m["uid"] for m in of(lines, "memory") if m["content_type"] != "embedding"]
    assert {uid: after[uid] for uid in plain} == {uid: before[uid] for uid in plain}


async def test_a_cut_file_is_noticed(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    lines = await exported(client)
    for cut in (lines[:-1], [*lines[:5], *lines[6:]]):
        answer = await imported(client, cut)
        assert answer[-1]["complete"] is False


async def test_many_bad_lines_are_counted_once_a_thousand_are_told(
    client: httpx.AsyncClient,
) -> None:
    answer = await imported(client, ["x"] * 2500)
    assert len(of(answer, "rejected")) == 1000
    assert answer[-1]["unreported"] == 1500
    assert answer[-1]["counts"]["rejected"] == 2500


@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [
        ({}, {"Content-Type": "application/json"}, 415),
        ({}, {"Content-Type": "application/x-ndjson; charset=latin-1"}, 415),
        ({}, {"Content-Encoding": "gzip"}, 415),
        ({"first_line": 0}, {}, 422),
        ({"agent_map": "x"}, {}, 422),
        ({"agent_map": ["a=b", "a=c"]}, {}, 422),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused(
    client: httpx.AsyncClient, query: dict[str, Any], headers: dict[str, str], status: int
) -> None:
    answer = await client.post(
        "/v1/import", content=b"", params=query, headers={**NDJSON, **headers}
    )
    assert answer.status_code == status, answer.text


async def test_nothing_is_an_import_too(client: httpx.AsyncClient) -> None:
    for body in (b"", b"\n\n \n", b"\xef\xbb\xbf\n"):
        [summary] = await imported(client, body)
        assert summary["type"] == "summary"
        assert sum(summary["counts"].values()) == 0
