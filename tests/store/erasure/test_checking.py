"""The graph checked against itself: each flaw is found, told and mended, and a sound graph has none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from typer.testing import CliRunner

from graph.database.driver import Connection
from graph.kernel.scope import Caller
from graph.model.erasure.checking import FLAW_KINDS, Flaw
from graph.model.memories.memory import Link, NewMemory
from graph.ports.world import Embedder
from graph.store.erasure.checking import GraphChecks
from graph.store.operation.embedding import EmbeddingStore
from service.bootstrap import Service
from service.cli import app
from service.cli.fsck import SAYS
from service.use_cases.erasure.check_graph import CheckGraph
from tests.conftest import Remembers, Run
from tests.store.erasing import SECRET, WHO, condensed, left_by, published
from tests.store.keeping import kept
from tests.store.reading import aged, linked

_BASE = "CREATE (:KnowledgeBase {scope: 'local/agent/x', executions: 2})"
_COUNTS = "uses: 2, successes: 1, success_rate: 0.5, confidence: 0.1, timed: 0"
FLAWS: dict[str, str] = {
    "versions": "MATCH (:Version)-[r:VERSION_OF]->() DELETE r",
    "estimates": "CREATE (:Estimate {uid: 'x', memory_uid: 'gone', context: 'x'})",
    "credits": "CREATE (:Credit {uid: 'x', memory_uid: 'gone', reward_uid: 'gone'})",
    "transitions": "CREATE (:Transition {uid: 'x', memory_uid: 'gone', run_uid: 'x'})",
    "surprises": "MATCH ()-[r:SURPRISED_BY]->() DELETE r",
    "rewards": "CREATE (:Reward {uid: 'x', scope: 'local/agent/x', task_id: 'gone', kind: 'outcome'})",
    "visits": "CREATE (:CyclePhase {uid: 'x', cycle_uid: 'gone', key: 'x'})",
    "steps": "CREATE (:CycleStep {uid: 'x', cycle_uid: 'gone', key: 'x'})",
    "patches": "CREATE (:Patch {uid: 'x', cycle_uid: 'gone', number: 1})",
    "parts": f"{_BASE} CREATE (:ToolContext {{scope: 'local/agent/x', key: 'x', tool: 'gone', {_COUNTS}}})",
    "counts": f"{_BASE} CREATE (t:Tool {{scope: 'local/agent/x', key: 'x', tool: 'x', {_COUNTS}}})"
    f"-[:USED_IN]->(:ToolContext {{scope: 'local/agent/x', key: 'y', tool: 'x', {_COUNTS}}}) "
    "SET t.uses = 1, t.successes = 4, t.confidence = 1.5",
    "bases": f"CREATE (:Tool {{scope: 'local/agent/x', key: 'x', tool: 'x', {_COUNTS}}})",
    "copies": "MATCH ()-[r:PUBLISHED_FROM]->() DELETE r",
    "marked": "MATCH (m:Memory {external_id: 'plan'}) SET m.state = 'hidden', m.erased_by = 'gone'",
    "stranded": "MATCH (m:Memory {uid: 'made'}) DETACH DELETE m",
    "homeless": "MATCH (s:Channel) DETACH DELETE s",
    "sessions": "MATCH (s:Session {session_id: 's'}) SET s.tail_uid = 'gone'",
    "terms": "MATCH (t:Term) WITH t ORDER BY t.name LIMIT 1 SET t.document_frequency = 9",
    "degrees": "MATCH (m:Memory {external_id: 'plan'}) SET m.link_count = 9",
    "validity": "MATCH (m:Memory {external_id: 'plan'}) SET m.held_until = datetime('2000-01-01T00:00:00Z')",
    "vectors": "MATCH (m:Memory {external_id: 'plan'}) REMOVE m.embedding_a",
}


async def checked(service: Service, *, repair: bool = False) -> dict[str, Flaw]:
    async def load() -> Embedder:
        return service.embedders.reading.embedder

    told: list[tuple[str, int]] = []
    check = CheckGraph(
        GraphChecks(service.database),
        EmbeddingStore(service.database, service.clock),
        load,
        clock=service.clock,
        tell=lambda walk, seen: told.append((walk, seen)),
    )
    flaws = (await check(repair=repair)).flaws
    assert {walk for walk, _ in told} == set(GraphChecks.walks)
    return {flaw.kind: flaw for flaw in flaws}


async def sound(service: Service, cypher: Run, remember: Remembers) -> None:
    uids = await left_by(service, cypher, WHO, SECRET)
    one = await remember(Caller("local", WHO), "one", links=(Link("USED", uids["plan"]),))
    await linked(service)
    published(cypher, "copy", uids["plan"], "local/channel/ops")
    condensed(cypher, "made", "both", [one])
    cypher("MATCH (m:Memory) WHERE m.uid IN ['copy', 'made'] "
           "MATCH (o:Memory {uid: $uid}) SET m.embedding_a = o.embedding_a", uid=one)  # fmt: skip
    aged(cypher)


def test_each_kind_has_its_words_and_its_flaw() -> None:
    assert set(SAYS) == set(FLAW_KINDS) == set(FLAWS)


async def test_each_flaw_is_found_and_mended(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    await sound(service, cypher, remember)
    give_back = kept(cypher)
    give_back()
    assert await checked(service) == {}
    for kind, breaks in FLAWS.items():
        give_back()
        cypher(breaks)
        found = await checked(service)
        assert kind in found, kind
        assert found[kind].count >= 1
        assert found[kind].mended == 0
        assert found[kind].examples
        mended = await checked(service, repair=True)
        assert mended[kind].mended == mended[kind].count, kind
        assert await checked(service) == {}, kind


async def test_a_mended_memory_is_as_it_should_be(
    service: Service, cypher: Run, remember: Remembers
) -> None:
    await sound(service, cypher, remember)
    [before] = cypher(
        "MATCH (m:Memory {external_id: 'plan'}) RETURN m.embedding_a AS v, m.link_count AS n"
    )
    for kind in ("vectors", "degrees", "stranded"):
        cypher(FLAWS[kind])
    await checked(service, repair=True)
    [after] = cypher(
        "MATCH (m:Memory {external_id: 'plan'}) RETURN m.embedding_a AS v, m.link_count AS n"
    )
    assert after["v"] == pytest.approx(before["v"])
    assert after["n"] == before["n"] > 0
    [one] = cypher("MATCH (m:Memory {text: 'one'}) RETURN m.state AS state, m.condensed_by AS by")
    assert one == {"state": "active", "by": None}


async def test_many_terms_and_sessions_are_walked_over_pages(service: Service, cypher: Run) -> None:
    cypher("UNWIND range(1, 25) AS n CREATE (:Term {scope: 's' + (n % 3), name: 'n' + n, document_frequency: 1}) "
           "CREATE (:Session {scope: 's' + (n % 3), session_id: 'n' + n})")  # fmt: skip
    checks = GraphChecks(service.database)
    for walk in ("terms", "sessions"):
        after, seen, found = None, 0, set[Any]()
        while True:
            page = await checks.page(walk, after, 4, 256)
            seen += page.seen
            found |= {key for keys in page.found.values() for key in keys}
            if page.last is None:
                break
            after = page.last
        assert (seen, len(found)) == (25, 25)


async def test_the_command_ends_with_1_until_all_is_mended(
    service: Service,
    cypher: Run,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await service.remember([NewMemory("local/agent/anna", "a", external_id="plan")])
    monkeypatch.setenv("NEO4J_URI", connection.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", connection.password)
    cypher(FLAWS["degrees"])
    runner = CliRunner()
    result = await asyncio.to_thread(runner.invoke, app, ["fsck"])
    assert result.exit_code == 1, result.output
    assert "degrees" in result.output
    assert "1 to mend. stratagraph fsck --repair does it." in result.output
    result = await asyncio.to_thread(runner.invoke, app, ["fsck", "--repair", "--json"])
    assert result.exit_code == 0, result.output
    assert '"mended": 1' in result.output
    result = await asyncio.to_thread(runner.invoke, app, ["fsck"])
    assert (result.exit_code, "All is well." in result.output) == (0, True)
