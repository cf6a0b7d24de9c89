"""A planner, and a graph with every label, type and property."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import neo4j
import pytest
import pytest_asyncio

from cypher import MIGRATIONS, QUERIES
from graph.kernel.events import EventFilter
from graph.kernel.scope import Caller
from graph.kernel.values import KINDS, LINK_TYPES
from graph.model.knowledge.executions import LEARN_JOBS
from graph.model.memories.memory import Link, NewMemory
from service.bootstrap import Connection, Service
from service.use_cases.knowledge.preferences import Place
from service.use_cases.knowledge.query import NewInsight
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run, sync_driver
from tests.doors.learned import learn
from tests.store.knowing import shipped
from tests.store.reading import linked, settled

HOME = "local/agent/anna"


@pytest.fixture(scope="module")
def planner(connection: Connection) -> Generator[neo4j.Session]:
    with (
        sync_driver(connection) as driver,
        driver.session(database=connection.database) as session,  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
    ):
        yield session


async def knowledge_of_everything(service: Service, cypher: Run) -> None:
    """Write knowledge with all its properties."""
    anna = Caller("local", "anna")
    for task in range(30):
        await service.observe_executions(anna, [shipped(f"t{task}")])
    await service.learn(anna, LEARN_JOBS, None)
    await service.store_insight(anna, NewInsight("units are metric", "rule"))
    for units in ("metric", "metric", "imperial"):
        await service.set_preference(anna, ("parameter", "units", units), Place(), 1.0, None)
    await service.correct(anna, {"units": "imperial"}, {"units": "metric"}, Place(), None)
    cypher("MATCH (k:KnowledgeBase) SET k.model = 'x', k.model_version = 'x', k.source = 'x' "
           "WITH k MATCH (p:MemoryPattern) SET p.general = true, p.length = 1, p.shared = '{}', p.validated_at = datetime() "
           "WITH p MATCH (i:LearnedInsight) SET i.origin = 'manual'")  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def one_of_everything(shared_service: Service, cypher: Run) -> AsyncGenerator[None]:
    """Write data with every label, type and property, and the index of slot b."""
    service, anna = shared_service, Caller("local", "anna")
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
    await service.remember(
        [
            NewMemory(HOME, f"a {kind}", kind=kind, external_id=kind, session_id="s")
            for kind in KINDS
        ]
    )
    await service.remember(
        [
            NewMemory(
                HOME,
                "an insight that Ada Lovelace had at Café X",
                kind="insight",
                external_id="insight",
                session_id="s",
                channel_id="c",
                user_id="u",
                task_id="t",
                speaker="Ada",
                structured={"a": 1},
                metadata={"a": 1},
                source_type="chat",
                event_id="e",
                links=tuple(Link(kind, "external:problem") for kind in LINK_TYPES),
            )
        ]
    )
    await settled(cypher)
    await linked(service)
    cypher("MATCH (m:Memory {external_id: 'problem'}) SET m.unlinked_since = m.recorded_at")
    await service.recall(RecallRequest(anna, text="insight", task_id="t"))
    await service.accesses.flush()
    await service.report_outcome(anna, "t", "success", 0.5)
    await service.change_config(anna, {"learning_rate": 0.2})
    await service.change_config.reset(anna)
    [problem] = cypher("MATCH (m:Memory {external_id: 'problem'}) RETURN m.uid AS uid")
    learn(cypher, problem["uid"], HOME)
    await service.read_events("local", EventFilter(anna.readable), None)
    cypher("MERGE (t:Tenant {tenant: 'local'}) MERGE (k:ApiKey {hash: 'x'}) "
           "SET k.tenant = 'local', k.created_at = datetime()")  # fmt: skip
    cypher("MATCH (:Memory)-[r:SIMILAR_TO]->(:Memory) SET r.similarity = 0.9")
    cypher("MATCH (p:Problem), (c:Concept), (s:Scope) SET p.matched_at = datetime(), c.exemplars = 1, c.attempts = 1, c.successes = 1, "
           "c.archives = true, s.solved_waiting = 0, s.rated_version = '', s.rated_at = datetime() "
           "MERGE (c)-[r:PROMOTED_FROM]->(p) SET r.revision = 1 MERGE (c)-[:PUBLISHED_FROM]->(p)")  # fmt: skip
    cypher("MATCH (m:Memory {external_id: 'problem'}) "
           "SET m.embedding_b = m.embedding_a, m.embedding_b_by = m.embedding_a_by")  # fmt: skip
    cypher(
        "MATCH (m:Memory {external_id: 'problem'}) SET m.q_left = 0.9, m.q_init = 0.4, m.q_m2 = 0.1, "
        "m.attempts = 1, m.successes = 1"
    )
    # Data of some rewards only, and of configurations other than the default.
    cypher("MATCH (w:Reward)-[r:REWARDED]->(m:Memory) WITH w, r, m LIMIT 1 "
           "SET w.signal = 'x', w.signal_id = 'x', w.reason = 'x', w.actor = 'x', w.reverts = 'x', w.reverted_at = datetime(), "
           "r.contexts = ['x'], r.context_step = 0.1, m.q_init = 0.5, m.q_base = 0.5, "
           "m.q_base_left = 1.0, m.q_base_m2 = 0.0, m.q_base_count = 0, m.q_base_seq = 0, "
           "m.q_base_at = datetime() "
           "MERGE (e:Estimate {uid: 'x', memory_uid: m.uid, context: 'x'}) "
           "MERGE (m)-[:ESTIMATED]->(e) "
           "SET e += {tenant: 'local', scope: m.scope, q_value: 0.5, q_count: 1, q_left: 1.0, "
           "q_m2: 0.0, q_init: 0.5, last_reward_at: datetime(), q_base: 0.5, q_base_left: 1.0, "
           "q_base_m2: 0.0, q_base_count: 0} "
           "CREATE (c:Credit {uid: 'x', tenant: 'local', scope: m.scope, memory_uid: m.uid, "
           "reward_uid: w.uid, reward: 1.0, target: 1.0, strength: 1.0, step: 0.1, share: 1.0, "
           "contexts: ['x'], context_step: 0.1, recorded_at: datetime()})")  # fmt: skip
    cypher("MATCH ()-[r:RETRIEVED]->() SET r.contexts = ['x']")
    cypher("MATCH (m:Memory {external_id: 'problem'}) SET m.collected_by = 'x', "
           "m.collected_at = datetime(), m.collected_for = 'x', m.collected_revision = 1 "
           "MERGE (t:Tenant {tenant: 'local'}) SET t.pii_secret = 'x', t.asked_at = datetime() "
           "SET m.stratum_since = datetime(), m.demoted_at = datetime(), m.moved_by = 'x', "
           "m.grace_until = datetime(), m.surprise = 0.0, m.erased_by = 'x', m.made_by = 'x', m.condensed_by = 'x', m.stood_at = 1, "
           "m.signature = 'x' "
           "WITH m MATCH (s:Scope) SET s.collected_at = datetime(), s.gated_at = datetime(), "
           "s.gate_runs = 1 "
           "CREATE (r:Run {uid: 'x', kind: 'collect', tenant: 'local', scope: 'x', by: 'hand', put_off_until: datetime(), "
           "state: 'done', started_at: datetime(), purge_at: datetime(), finished_at: datetime(), "
           "asked_at: datetime(), collected: 0, restored: 0, purged: 0, duplicate: 0, "
           "low_confidence: 0, never_useful: 0, undo_until: datetime(), looked: 0, strata: ['x'], "
           "promote: 0, demote: 0, archive: 0, purge: 0, delete: 0, clusters: 0, sources: 0, "
           "meant: ['x'], revisions: [1], "
           "condensed: 0, chars_before: 0, chars_after: 0}) "
           "SET r.of = 'agent', r.stage = 'hide', r.after = '', r.digest = 'x', r.counts = 'x', r.hidden = 0, "
           "r.subject = 'x', r.owner = 'x', r.name = 'x' "
           "MERGE (m)-[:PUBLISHED_FROM]->(m) MERGE (m)-[f:PROMOTED_FROM]->(m) SET f.run_uid = 'x', f.position = 0 "
           "SET r += {everything: false, clusters: 0, condensed: 0, sources: 0, skipped: 0, patterns: 0, "
           "chars_before: 0, chars_after: 0} "
           "CREATE (:Cluster {uid: 'x', tenant: 'local', scope: 'x', run_uid: 'x', position: 0, "
           "condensed_uid: 'x', from_stratum: 'x', to_stratum: 'x', sources: ['x'], revisions: [1], "
           "state: 'planned', chars_before: 0, chars_after: 0, q_count: 0, importance: 3, "
           "undo_until: datetime()}) "
           "CREATE (:Transition {uid: 'x', tenant: 'local', scope: 'x', memory_uid: 'x', run_uid: 'x', "
           "at: datetime(), action: 'promote', reason: 'x', measured: 1.0, limit: 1.0, weight: 1.0, "
           "score: 1.0, flagged: false, from_stratum: 'x', to_stratum: 'x', to_state: 'active', "
           "revision: 1, undone_at: datetime(), w0: 1.0, w_at: datetime(), "
           "stratum_since: datetime(), demoted_at: datetime(), moved_by: 'x'})")  # fmt: skip
    cypher("MATCH (m:Memory {external_id: 'problem'}) SET m.held_until = datetime() "
           "MERGE (m)-[r:SUPERSEDES]->(m) SET r += {confidence: 1.0, evidence: 'x', found_by: 'x', "
           "found_at: datetime(), since: datetime(), decisive: true, ends: true} "
           "MERGE (m)-[s:MAY_SUPERSEDE]->(m) SET s += {confidence: 0.4, found_by: 'x', found_at: datetime()} "
           "MERGE (m)-[d:DISTINCT_FROM]->(m) SET d.stated_at = datetime()")  # fmt: skip
    cypher("MATCH (m:Memory {external_id: 'problem'}) "
           "MERGE (s:Surprise {uid: 'x', tenant: 'local', scope: 'x', event_id: 'x', context: 'x', "
           "at: datetime(), expires_at: datetime('9999-12-31T00:00:00Z'), type: 'x', surprising: true}) "
           "MERGE (m)-[:SURPRISED_BY]->(s) SET s.memory_uid = m.uid "
           "MERGE (p:Prediction {uid: 'x', scope: 'x', prediction_id: 'x', context: 'x', "
           "expires_at: datetime('9999-12-31T00:00:00Z'), made_at: datetime(), "
           "matched_at: datetime()}) "
           "MERGE (n:Momentum {scope: 'x', context: 'x'}) "
           "SET n.tenant = 'local', n.asked_at = datetime(), n.count = 1.0, n.outcomes = 'x' "
           "MERGE (q:SurprisePlugin {scope: 'x'}) SET q.tenant = 'local', q.kind = 'ema', q.settings = 'x', "
           "q.state = 'x', q.attached_at = datetime(), q.asked_at = datetime()")  # fmt: skip
    cypher("MATCH (m:Memory {external_id: 'problem'}) "
           "MERGE (c:Cycle {uid: 'x', scope: 'x', cycle_id: 'x', tenant: 'local', state: 'open', user_id: 'x', "
           "status: 'x', mode: 'x', phase: 'x', repairs: 0, failures: 0, parts: 'x', tools: 'x', "
           "started_at: datetime(), touched_at: datetime(), ended_at: datetime(), asked_at: datetime(), "
           "expires_at: datetime('9999-12-31T00:00:00Z')}) "
           "MERGE (c)-[:HAS_PHASE]->(p:CyclePhase {uid: 'x', cycle_uid: 'x', key: 'x', position: 1}) "
           "MERGE (p)-[g:GAVE]->(m) SET g += {rank: 1, score: 1.0, order: 'primary', used: true} "
           "MERGE (c)-[:HAS_STEP]->(s:CycleStep {uid: 'x', cycle_uid: 'x', key: 'x', position: 2}) "
           "SET s += {scope: 'x', at: datetime(), calls: '[]', mode: 'x', phase: 'x', outcome: 'x', confidence: 0.5} "
           "MERGE (s)-[:WROTE]->(m) "
           "MERGE (l:CycleLearning {scope: 'x', tenant: 'local', waiting: 1, weights: [0.0], "
           "looked_at: datetime(), asked_at: datetime()}) "
           "MERGE (t:Patch {uid: 'x', scope: 'x', cycle_uid: 'x', number: 1, state: 'proposed', "
           "made_at: datetime(), asked_at: datetime()}) "
           "MERGE (t)-[:PATCHES]->(c) MERGE (t)-[:REPAIRS]->(m) "
           "MERGE (t)-[r:RESTS_ON]->(m) SET r += {kind: 'x', weight: 1.0, text: 'x'}")  # fmt: skip
    await knowledge_of_everything(service, cypher)
    # Sharing.
    await service.join_channels(Caller("local", "anna", ("c",)))
    await service.publish_memory(Caller("local", "anna", ("c",)), problem["uid"])
    await service.record_interaction(anna, "bert", 1.0)
    cypher("MATCH ()-[m:MEMBER_OF]->() SET m.asked_at = datetime(), m.left_at = datetime()")
    cypher("MATCH (m:Memory {external_id: 'problem'}), (w:Scope) "
           "MERGE (w)-[v:VOTED]->(m) SET v += {scope: 'x', agrees: true, at: datetime()}")  # fmt: skip
    cypher("MATCH (p:Pattern) SET p.signature = 'x', p.confidence = 0.9, p.support = 3, "
           "p.pattern_type = 'sequential', p.agents = 2, p.agents_needed = 2 "
           "WITH p MATCH (c:Channel) SET c.patterns_at = datetime()")  # fmt: skip
    # Records during a re-embedding.
    cypher("MATCH (s:Schema {name: 'test'}) SET s.other_state = 'x', s.other_embedder = 'x', "
           "s.other_dimension = 1, s.other_source = 'x', s.other_changed_at = datetime()")  # fmt: skip
    # The lease is released after a migration, with its properties.
    cypher("MERGE (l:Lease {name: 'test'}) SET l.asked_at = datetime(), l.holder = 'x', l.token = 1, "
           "l.until = datetime()")  # fmt: skip
    up = next(line for line in MIGRATIONS[0].up if "VECTOR INDEX" in line)
    options = {"indexConfig": {"vector.dimensions": 384, "vector.similarity_function": "cosine"}}
    cypher(up.replace("embedding_a", "embedding_b"), vector_options=options)
    episodes = QUERIES["operation.create_index"].choose("episodes").for_slot("b")
    cypher(episodes, vector_options=options)
    cypher("CALL db.awaitIndexes(30)")
    yield
    cypher("DROP INDEX memory_embedding_b")
    cypher("DROP INDEX episode_embedding_b")
    cypher("MATCH (l:Lease {name: 'test'}) DELETE l")
    cypher("MATCH (s:Schema {name: 'test'}) SET s = {name: 'test'}")
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
