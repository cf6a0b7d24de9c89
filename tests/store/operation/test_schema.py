from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Any

import pytest
import pytest_asyncio

from graph.database import driver
from graph.database.driver import Connection, Database, open_database
from graph.kernel.embedding import EmbedderIdentity
from graph.kernel.errors import DatabaseTooOldError, EmbedderMismatchError, SchemaNewerError
from graph.kernel.scope import Caller
from graph.ports.world import Embedder
from graph.store.operation import migrate as migrating
from graph.store.operation.migrate import (
    LATEST,
    check_server,
    index_problems,
    migrate,
    schema_state,
)
from service.bootstrap import Service, open_service
from service.settings import Settings
from tests.conftest import Recalls, Remembers, Run

pytestmark = pytest.mark.slow

IDENTITY = EmbedderIdentity("bge-small-en-v1.5-int8", 384)

UNIQUE = {
    "api_key_hash": (["ApiKey"], ["hash"]),
    "config_change_uid": (["ConfigChange"], ["uid"]),
    "credit_uid": (["Credit"], ["uid"]),
    "estimate_memory_uid_context": (["Estimate"], ["memory_uid", "context"]),
    "estimate_uid": (["Estimate"], ["uid"]),
    "event_clock_tenant": (["EventClock"], ["tenant"]),
    "event_uid": (["Event"], ["uid"]),
    "lease_name": (["Lease"], ["name"]),
    "memory_scope_content_hash": (["Memory"], ["scope", "content_hash"]),
    "memory_scope_external_id": (["Memory"], ["scope", "external_id"]),
    "memory_uid": (["Memory"], ["uid"]),
    "reward_uid": (["Reward"], ["uid"]),
    "run_uid": (["Run"], ["uid"]),
    "schema_name": (["Schema"], ["name"]),
    "scope_scope": (["Scope"], ["scope"]),
    "momentum_scope_context": (["Momentum"], ["scope", "context"]),
    "surprise_plugin_scope": (["SurprisePlugin"], ["scope"]),
    "cycle_uid": (["Cycle"], ["uid"]),
    "cycle_scope_cycle_id": (["Cycle"], ["scope", "cycle_id"]),
    "cycle_phase_uid": (["CyclePhase"], ["uid"]),
    "cycle_phase_cycle_uid_key": (["CyclePhase"], ["cycle_uid", "key"]),
    "cycle_step_uid": (["CycleStep"], ["uid"]),
    "cycle_step_cycle_uid_key": (["CycleStep"], ["cycle_uid", "key"]),
    "patch_uid": (["Patch"], ["uid"]),
    "patch_cycle_uid_number": (["Patch"], ["cycle_uid", "number"]),
    "cycle_learning_scope": (["CycleLearning"], ["scope"]),
    "prediction_scope_prediction_id": (["Prediction"], ["scope", "prediction_id"]),
    "prediction_uid": (["Prediction"], ["uid"]),
    "surprise_scope_event_id": (["Surprise"], ["scope", "event_id"]),
    "surprise_uid": (["Surprise"], ["uid"]),
    "session_scope_session_id": (["Session"], ["scope", "session_id"]),
    "task_scope_task_id": (["Task"], ["scope", "task_id"]),
    "term_scope_name": (["Term"], ["scope", "name"]),
    "tenant_name": (["Tenant"], ["tenant"]),
    "cluster_uid": (["Cluster"], ["uid"]),
    "transition_uid": (["Transition"], ["uid"]),
    "utility_config_tenant": (["UtilityConfig"], ["tenant"]),
    "version_uid": (["Version"], ["uid"]),
    "knowledge_base_scope": (["KnowledgeBase"], ["scope"]),
    "execution_scope_task_id": (["Execution"], ["scope", "task_id"]),
    "tool_scope_key": (["Tool"], ["scope", "key"]),
    "tool_context_scope_key": (["ToolContext"], ["scope", "key"]),
    "tool_error_scope_key": (["ToolError"], ["scope", "key"]),
    "tool_parameter_scope_key": (["ToolParameter"], ["scope", "key"]),
    "memory_pattern_scope_key": (["MemoryPattern"], ["scope", "key"]),
    "memory_pattern_uid": (["MemoryPattern"], ["uid"]),
    "learned_insight_scope_key": (["LearnedInsight"], ["scope", "key"]),
    "learned_insight_uid": (["LearnedInsight"], ["uid"]),
    "user_preference_uid": (["UserPreference"], ["uid"]),
    "correction_uid": (["Correction"], ["uid"]),
}
RANGES = {
    "config_change_tenant_changed_at": (["ConfigChange"], ["tenant", "changed_at"]),
    "credit_memory_uid": (["Credit"], ["memory_uid"]),
    "concept_scope": (["Concept"], ["scope", "uid"]),
    "credit_reward_uid": (["Credit"], ["reward_uid"]),
    "episode_scope_occurred_at": (["Episode"], ["scope", "occurred_at", "uid"]),
    "episode_scope_problem_id": (["Episode"], ["scope", "problem_id"]),
    "episode_scope_state_stored_bytes": (["Episode"], ["scope", "state", "stored_bytes"]),
    "event_expires_at": (["Event"], ["expires_at"]),
    "event_tenant_seq": (["Event"], ["tenant", "seq"]),
    "event_waiting": (["Event"], ["waiting", "uid"]),
    "event_scope": (["Event"], ["scope"]),
    "event_agent_id": (["Event"], ["agent_id"]),
    "event_tenant_name": (["Event"], ["tenant", "name", "uid"]),
    "cluster_scope": (["Cluster"], ["scope"]),
    "surprise_agent_id": (["Surprise"], ["agent_id"]),
    "surprise_user_id": (["Surprise"], ["user_id"]),
    "prediction_user_id": (["Prediction"], ["user_id"]),
    "config_change_actor": (["ConfigChange"], ["actor"]),
    "memory_agent_q_value": (["Memory"], ["agent_id", "q_value"]),
    "memory_q_value": (["Memory"], ["q_value"]),
    "memory_channel_q_value": (["Memory"], ["channel_id", "q_value"]),
    "memory_collected_by": (["Memory"], ["collected_by"]),
    "memory_erased_by": (["Memory"], ["erased_by"]),
    "memory_user_id": (["Memory"], ["user_id"]),
    "memory_expires_at": (["Memory"], ["expires_at"]),
    "memory_importance_last_accessed_at": (["Memory"], ["importance", "last_accessed_at"]),
    "memory_scope_q_value": (["Memory"], ["scope", "q_value"]),
    "memory_scope_speaker": (["Memory"], ["scope", "speaker", "occurred_at"]),
    "memory_scope_unlinked_since": (["Memory"], ["scope", "unlinked_since"]),
    "memory_unlinked_since": (["Memory"], ["unlinked_since"]),
    "memory_scope_published_by": (["Memory"], ["scope", "published_by", "uid"]),
    "member_of_left_at": (["MEMBER_OF"], ["left_at"]),
    "pattern_scope_signature": (["Pattern"], ["scope", "signature", "uid"]),
    "memory_scope_recorded_at": (["Memory"], ["scope", "recorded_at", "uid"]),
    "memory_session_sequence": (["Memory"], ["scope", "session_id", "sequence"]),
    "memory_session_stood_at": (["Memory"], ["scope", "session_id", "stood_at"]),
    "memory_scope_importance": (["Memory"], ["scope", "importance", "occurred_at"]),
    "memory_stratum_state": (["Memory"], ["scope", "stratum", "state", "recorded_at"]),
    "problem_scope": (["Problem"], ["scope", "uid"]),
    "run_tenant_started_at": (["Run"], ["tenant", "started_at"]),
    "run_kind_state": (["Run"], ["kind", "state"]),
    "run_kind_state_purge_at": (["Run"], ["kind", "state", "purge_at"]),
    "run_scope_kind_started_at": (["Run"], ["scope", "kind", "started_at"]),
    "scope_solved_waiting": (["Scope"], ["solved_waiting"]),
    "strategy_scope": (["Strategy"], ["scope", "uid"]),
    "reward_scope_task_id": (["Reward"], ["scope", "task_id"]),
    "task_expires_at": (["Task"], ["expires_at"]),
    "momentum_expires_at": (["Momentum"], ["expires_at"]),
    "prediction_expires_at": (["Prediction"], ["expires_at"]),
    "cycle_scope_started_at": (["Cycle"], ["scope", "started_at", "uid"]),
    "cycle_scope_ended_at": (["Cycle"], ["scope", "ended_at"]),
    "cycle_state_touched_at": (["Cycle"], ["state", "touched_at"]),
    "cycle_expires_at": (["Cycle"], ["expires_at"]),
    "cycle_user_id": (["Cycle"], ["user_id"]),
    "patch_scope_made_at": (["Patch"], ["scope", "made_at", "uid"]),
    "cycle_learning_waiting": (["CycleLearning"], ["waiting"]),
    "prediction_scope_context": (["Prediction"], ["scope", "context", "expires_at"]),
    "surprise_expires_at": (["Surprise"], ["expires_at"]),
    "surprise_scope_at": (["Surprise"], ["scope", "at"]),
    "surprise_tenant_at": (["Surprise"], ["tenant", "at"]),
    "cluster_run_uid": (["Cluster"], ["run_uid", "position"]),
    "cluster_undo_until": (["Cluster"], ["undo_until"]),
    "transition_at": (["Transition"], ["at"]),
    "transition_memory_uid": (["Transition"], ["memory_uid"]),
    "transition_run_uid": (["Transition"], ["run_uid", "memory_uid"]),
    "knowledge_base_patterns_at": (["KnowledgeBase"], ["patterns_at"]),
    "knowledge_base_tools_at": (["KnowledgeBase"], ["tools_at"]),
    "knowledge_base_insights_at": (["KnowledgeBase"], ["insights_at"]),
    "execution_expires_at": (["Execution"], ["expires_at"]),
    "execution_scope_occurred_at": (["Execution"], ["scope", "occurred_at"]),
    "execution_scope_session_id": (["Execution"], ["scope", "session_id"]),
    "execution_tenant_agent_id": (["Execution"], ["tenant", "agent_id"]),
    "execution_tenant_user_id": (["Execution"], ["tenant", "user_id"]),
    "tool_last_used": (["Tool"], ["last_used"]),
    "tool_context_last_used": (["ToolContext"], ["last_used"]),
    "tool_context_scope_context": (["ToolContext"], ["scope", "context"]),
    "tool_context_scope_tool": (["ToolContext"], ["scope", "tool"]),
    "tool_error_last_used": (["ToolError"], ["last_used"]),
    "tool_error_scope_tool": (["ToolError"], ["scope", "tool"]),
    "tool_parameter_last_used": (["ToolParameter"], ["last_used"]),
    "tool_parameter_scope_tool": (["ToolParameter"], ["scope", "tool"]),
    "memory_pattern_last_used": (["MemoryPattern"], ["last_used"]),
    "memory_pattern_scope_general_length": (["MemoryPattern"], ["scope", "general", "length"]),
    "memory_pattern_scope_type_uses": (["MemoryPattern"], ["scope", "pattern_type", "uses"]),
    "memory_pattern_scope_type_success_rate": (
        ["MemoryPattern"],
        ["scope", "pattern_type", "success_rate"],
    ),
    "learned_insight_scope_confidence": (["LearnedInsight"], ["scope", "confidence"]),
    "learned_insight_scope_type_validated": (
        ["LearnedInsight"],
        ["scope", "insight_type", "validated"],
    ),
    "learned_insight_tenant_user_id": (["LearnedInsight"], ["tenant", "user_id"]),
    "user_preference_scope_valid_to": (["UserPreference"], ["scope", "valid_to"]),
    "user_preference_scope_session_id": (["UserPreference"], ["scope", "session_id"]),
    "user_preference_tenant_user_id": (["UserPreference"], ["tenant", "user_id"]),
    "user_preference_expires_at": (["UserPreference"], ["expires_at"]),
    "contradicts_scope": (["CONTRADICTS"], ["scope"]),
    "voted_scope": (["VOTED"], ["scope"]),
    "correction_scope_at": (["Correction"], ["scope", "at"]),
    "correction_tenant_user_id": (["Correction"], ["tenant", "user_id"]),
}
WORDS = ["text", "context_text", "folded_text", "scope_key", "keys"]
IN_THE_VECTOR_INDEX = [
    "embedding_a",
    "scope",
    "kind",
    "stratum",
    "state",
    "importance",
    "occurred_at",
    "recorded_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "agent_key",
    "session_key",
    "domain_key",
    "model_key",
    "phase",
    "correct",
]
OF_EPISODES = [
    "embedding_a",
    "scope",
    "state",
    "correct",
    "domain_key",
    "model_key",
    "agent_key",
    "session_key",
    "problem_key",
    "occurred_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "tokens_used",
    "latency_ms",
    "confidence",
    "temperature",
    "step_count",
]
FIRST = {"lease_name", "schema_name"}  # what the migrations themselves stand on


def constraints(cypher: Run) -> dict[str, tuple[Any, Any]]:
    rows = cypher("SHOW CONSTRAINTS YIELD name, type, labelsOrTypes AS l, properties AS p")
    assert {"UNIQUE" in row["type"] for row in rows} <= {True}
    return {row["name"]: (row["l"], row["p"]) for row in rows}


def indexes(cypher: Run, kind: str) -> dict[str, tuple[Any, Any]]:
    rows = cypher(
        "SHOW INDEXES YIELD name, type, labelsOrTypes AS l, properties AS p, owningConstraint AS c "
        "WHERE type = $kind AND c IS NULL RETURN name, l, p",
        kind=kind,
    )
    return {row["name"]: (row["l"], row["p"]) for row in rows}


@pytest_asyncio.fixture(loop_scope="session")
async def database(service: Service, now: datetime, cypher: Run) -> AsyncGenerator[Database]:
    """The tests' database, brought back to what the others expect."""
    yield service.database
    cypher("MATCH (s:Schema {name: 'schema'}) DELETE s")
    await migrate(service.database, IDENTITY, now)


def test_the_constraints_are_those_that_are_written_here(
    cypher: Run, shared_service: Service
) -> None:
    assert constraints(cypher) == UNIQUE


def test_the_indexes_are_those_that_are_written_here(cypher: Run, shared_service: Service) -> None:
    assert indexes(cypher, "RANGE") == RANGES
    assert indexes(cypher, "FULLTEXT") == {
        "memory_text": (["Memory"], WORDS),
        "knowledge_text": (["MemoryPattern", "LearnedInsight", "Tool"], ["words", "scope_key"]),
    }
    # What is reported does not wait for the full text of knowledge; what is remembered is found with its commit.
    followed = cypher(
        "SHOW FULLTEXT INDEXES YIELD name, options "
        "RETURN name, options.indexConfig['fulltext.eventually_consistent'] AS later ORDER BY name"
    )
    assert [(row["name"], row["later"]) for row in followed] == [
        ("knowledge_text", True), ("memory_text", False),
    ]  # fmt: skip
    assert indexes(cypher, "VECTOR") == {
        "memory_embedding_a": (["Memory"], IN_THE_VECTOR_INDEX),
        "episode_embedding_a": (["Episode"], OF_EPISODES),
    }
    everything = cypher("SHOW INDEXES YIELD name, type, state")
    assert {row["state"] for row in everything} == {"ONLINE"}
    assert {row["type"] for row in everything} == {"RANGE", "FULLTEXT", "VECTOR", "LOOKUP"}


def test_the_vector_index_is_of_the_embedders_dimension_and_compares_by_cosine(
    cypher: Run, shared_service: Service
) -> None:
    rows = cypher("SHOW VECTOR INDEXES YIELD options RETURN options.indexConfig AS c")
    assert len(rows) == 2
    assert rows[0]["c"] == rows[1]["c"]
    row = rows[0]
    assert row["c"]["vector.dimensions"] == 384
    assert row["c"]["vector.similarity_function"].lower() == "cosine"


async def test_migrating_again_changes_nothing(
    database: Database, cypher: Run, now: datetime
) -> None:
    before = cypher("MATCH (s:Schema) RETURN s ORDER BY s.name")
    state = await migrate(database, IDENTITY, now)
    assert state.version == LATEST
    assert cypher("MATCH (s:Schema) RETURN s ORDER BY s.name") == before
    cypher("MATCH (s:Schema {name: 'schema'}) SET s.version = 0")
    await migrate(database, IDENTITY, now)
    assert constraints(cypher) == UNIQUE
    assert indexes(cypher, "RANGE") == RANGES


async def test_down_and_up_again_leaves_the_memories_and_finds_them(
    database: Database,
    cypher: Run,
    now: datetime,
    anna: Caller,
    remember: Remembers,
    recall: Recalls,
) -> None:
    uid = await remember(anna, "a grey cat named Biscuit")
    state = await migrate(database, IDENTITY, now, target=0)
    assert state.version == 0
    assert set(constraints(cypher)) == FIRST
    assert indexes(cypher, "RANGE") == indexes(cypher, "VECTOR") == {}
    assert indexes(cypher, "FULLTEXT") == {}
    state = await migrate(database, IDENTITY, now)
    assert (state.version, state.embedder, state.dimension) == (
        LATEST,
        "bge-small-en-v1.5-int8",
        384,
    )
    assert constraints(cypher) == UNIQUE
    assert await index_problems(database) == []
    answer = await recall(anna, "Which cat is grey?")
    assert answer.results[0].memory.uid == uid


async def empty(database: Database, cypher: Run, now: datetime) -> None:
    await migrate(database, IDENTITY, now, target=0)
    cypher("MATCH (n) WHERE (n:Schema AND n.name = 'schema') OR n:Lease DELETE n")
    for name in FIRST:
        cypher(f"DROP CONSTRAINT {name}")


async def test_two_replicas_may_migrate_an_empty_graph_at_once(
    database: Database, connection: Connection, cypher: Run, now: datetime
) -> None:
    await empty(database, cypher, now)
    async with open_database(connection) as first, open_database(connection) as second:
        states = await asyncio.gather(
            *(migrate(replica, IDENTITY, now) for replica in (first, second, first, second))
        )
    assert {state.version for state in states} == {LATEST}
    assert constraints(cypher) == UNIQUE
    assert cypher("MATCH (s:Schema {name: 'schema'}) RETURN count(s) AS n") == [{"n": 1}]
    assert cypher("MATCH (l:Lease) RETURN l.holder AS holder") == [{"holder": None}]


async def test_a_drop_lets_go_of_what_it_waits_for_and_tries_again(
    database: Database, connection: Connection, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neo4j sees no deadlock of a drop and of two who plan the same statement."""
    monkeypatch.setattr(driver, "_DROP_SECONDS", 0.2)
    tries, once = 0, database._alter_once  # pyright: ignore[reportPrivateUsage]

    async def counted(*arguments: Any) -> None:
        nonlocal tries
        tries += arguments[0].startswith("DROP")
        await once(*arguments)

    monkeypatch.setattr(database, "_alter_once", counted)
    await database.alter_schema("CREATE INDEX held IF NOT EXISTS FOR (n:Held) ON (n.name)", {})
    async with database.driver.session(database=connection.database) as session:  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
        held = await session.begin_transaction()
        await (await held.run("CREATE (:Held {name: 'x'})")).consume()
        dropping = asyncio.create_task(database.alter_schema("DROP INDEX held IF EXISTS", {}))
        async with asyncio.timeout(20):
            while tries < 2:
                await asyncio.sleep(0.02)
        await held.rollback()
        await dropping
    assert cypher("SHOW INDEXES YIELD name WHERE name = 'held' RETURN name") == []


async def test_two_services_may_start_at_once(
    database: Database,
    connection: Connection,
    settings: Settings,
    embedder: Embedder,
    cypher: Run,
    now: datetime,
) -> None:
    await empty(database, cypher, now)

    async def start() -> int:
        async with open_service(settings, connection, embedder) as replica:
            assert await replica.readiness() == {}
            return (await schema_state(replica.database)).version

    assert await asyncio.gather(start(), start()) == [LATEST, LATEST]


async def test_a_graph_of_a_newer_release_is_refused(
    database: Database, cypher: Run, now: datetime
) -> None:
    cypher("MATCH (s:Schema {name: 'schema'}) SET s.version = 99")
    with pytest.raises(SchemaNewerError, match=f"schema 99, this release knows {LATEST}"):
        await migrate(database, IDENTITY, now)
    assert constraints(cypher) == UNIQUE


async def test_a_service_on_a_graph_of_a_newer_release_is_not_ready(
    database: Database, service: Service, cypher: Run
) -> None:
    cypher("MATCH (s:Schema {name: 'schema'}) SET s.version = 99")
    assert "99" in (await service.readiness())["neo4j"]


@pytest.mark.parametrize(
    "other", [EmbedderIdentity("other", 384), EmbedderIdentity("bge-small-en-v1.5-int8", 64)]
)
async def test_another_embedder_than_the_graphs_is_refused(
    database: Database, now: datetime, other: EmbedderIdentity
) -> None:
    with pytest.raises(EmbedderMismatchError, match=re.escape("bge-small-en-v1.5-int8")) as refused:
        await migrate(database, other, now)
    assert str(other.dimension) in refused.value.message
    assert other.name in refused.value.message


async def test_a_lease_that_another_replica_holds_is_waited_for(
    database: Database, cypher: Run, now: datetime
) -> None:
    cypher(
        "MATCH (s:Schema {name: 'schema'}) SET s.version = 0 "
        "MERGE (l:Lease {name: 'migration'}) "
        "SET l.holder = 'dead', l.until = datetime.realtime() + duration({seconds: 1})"
    )
    state = await migrate(database, IDENTITY, now)
    assert state.version == LATEST
    [row] = cypher("MATCH (l:Lease {name: 'migration'}) RETURN l.until AS until")
    assert row["until"] is None


async def test_a_server_that_is_too_old_is_told_which_one_is_needed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = await check_server(database)
    assert version.startswith("20")
    monkeypatch.setattr(migrating, "OLDEST_SERVER", (2099, 4))
    with pytest.raises(DatabaseTooOldError, match=r"2099\.04 or newer is needed") as refused:
        await check_server(database)
    assert version in refused.value.message


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("2026.08.1", (2026, 8)), ("5.26.0", (5, 26)), ("5", (5, 0)), ("dev", (0, 0))],
)
def test_versions_are_compared_by_their_numbers(version: str, numbers: tuple[int, int]) -> None:
    assert migrating._numbers(version) == numbers  # pyright: ignore[reportPrivateUsage] -- no old server at hand
