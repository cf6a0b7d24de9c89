"""All kinds of learned data of memories, stored as the service does."""

from __future__ import annotations

from datetime import UTC, datetime

from graph.database.keys import estimate_uid
from graph.kernel.scope import tenant_of
from tests.conftest import Run

CONTEXT = "phase:planning"
_TEACH = """
MATCH (m:Memory {uid: $uid})
SET m.q_value = 0.61, m.q_count = 101, m.q_left = 0.25, m.q_init = 0.6, m.q_seq = 103, m.q_m2 = 0.02,
    m.initialized_from = 'transfer', m.last_reward_at = $now, m.q_base = 0.58, m.q_base_left = 0.3,
    m.q_base_m2 = 0.01, m.q_base_count = 99, m.q_base_seq = 101, m.q_base_at = $now
CREATE (m)-[:ESTIMATED]->(:Estimate {uid: $estimate_uid, tenant: $tenant, scope: m.scope, memory_uid: m.uid,
  context: $context, q_value: 0.7, q_count: 3, q_left: 0.85, q_m2: 0.03, q_init: 0.6, last_reward_at: $now,
  q_base: 0.65, q_base_left: 0.9, q_base_m2: 0.02, q_base_count: 2})
CREATE (given:Reward {uid: $reward_uids[0], tenant: $tenant, scope: m.scope, kind: 'manual', reward: -0.5,
  scale: 'unit', reason: 'wrong since May', actor: 'agent/anna', recorded_at: $now, reverted_at: $now})
CREATE (given)-[:REWARDED {seq: 102, q_before: 0.58, q_after: 0.55, reward: -0.5, target: 0.25, strength: 1.0,
  step: 0.1, share: 1.0, via: 'direct', contexts: [$context], context_step: 0.05}]->(m)
CREATE (back:Reward {uid: $reward_uids[1], tenant: $tenant, scope: m.scope, kind: 'revert', reward: 0.0,
  scale: 'unit', reverts: $reward_uids[0], recorded_at: $now})
CREATE (back)-[:REWARDED {seq: 103, q_before: 0.55, q_after: 0.61, reward: 0.0, target: 0.0, strength: 0.0,
  step: 0.0, share: 1.0, via: 'USED'}]->(m)
CREATE (:Reward {uid: $reward_uids[2], tenant: $tenant, scope: m.scope, kind: 'signal', task_id: 't/1',
  signal: 'user_feedback', signal_id: 'thumb-3', reward: 1.0, scale: 'signed', recorded_at: $now})
CREATE (:Credit {uid: $credit_uid, tenant: $tenant, scope: m.scope, memory_uid: m.uid, reward_uid: $reward_uids[2],
  reward: 1.0, target: 1.0, strength: 1.0, step: 0.05, share: 0.5, contexts: [$context], context_step: 0.025,
  recorded_at: $now})
"""
_END = """
MATCH (t:Task {scope: $scope})-[r:RETRIEVED]->(:Memory)
SET t.report = $report, r.contexts = [$context, 'tag:refund']
"""
_MEET = """
MATCH (a:Scope {scope: $scope})
MERGE (c:Scope {scope: a.tenant + '/channel/ops'})
ON CREATE SET c:Channel, c.tenant = a.tenant, c.name = 'ops', c.speakers = [], c.created_at = $now
MERGE (b:Scope {scope: a.tenant + '/agent/critic'})
ON CREATE SET b:Agent, b.tenant = a.tenant, b.name = 'critic', b.speakers = [], b.created_at = $now
CREATE (a)-[:MEMBER_OF {joined_at: $now}]->(c)
CREATE (a)-[:RELATES_TO {trust: 0.75, interactions: 3, last_at: $now}]->(b)
CREATE (b)-[:RELATES_TO {trust: 0.5, interactions: 3, last_at: $now}]->(a)
"""
_EXPECT = """
MATCH (a:Scope {scope: $scope})
CREATE (:Momentum {scope: $scope, tenant: a.tenant, context: 'expected:deploy', mean: 0.25, variance: 0.01, count: 3.5,
  day: 20574.5, familiar: '{"unexpected_error":[1.0,20574.5]}', spreads: '{"seconds":[20.5,4.0,4]}',
  outcomes: '{"events":4,"lead":0.5,"paths":{"=seconds":[0.1,0.2,3.5,20.0],"=status":{"=":3.5,"failed":0.5}}}',
  expires_at: $now})
CREATE (:Momentum {scope: $scope, tenant: a.tenant, context: 'novelty', mean: 0.5, variance: 0.0, count: 1.0,
  day: 20574.5, familiar: '{}', spreads: '{}', expires_at: $now})
"""


def learn(cypher: Run, uid: str, scope: str) -> None:
    """Give a memory a checkpoint, an estimate, rewards of each kind and a credit; tasks a report."""
    [row] = cypher("RETURN datetime('2026-04-01T10:00:00.25Z') AS now")
    names = {
        "reward_uids": [f"{uid[:-2]}{end}" for end in ("R1", "R2", "R3")],
        "credit_uid": f"{uid[:-2]}C1",
        "estimate_uid": estimate_uid(uid, CONTEXT),
        "tenant": tenant_of(scope),
        "context": CONTEXT,
    }
    cypher(_TEACH, uid=uid, now=row["now"], **names)
    cypher(_END, scope=scope, report="ab" * 32, context=CONTEXT)


def learn_all(cypher: Run) -> None:
    """Call `learn` for the memories that `filled.fill` created, and add other agents."""
    rows = cypher(
        "MATCH (m:Memory {external_id: 'café'}) WHERE NOT (m)-[:ESTIMATED]->() "
        "RETURN m.uid AS uid, m.scope AS scope"
    )
    for row in rows:
        learn(cypher, row["uid"], row["scope"])
        for statement in (_MEET, _EXPECT):
            cypher(statement, scope=row["scope"], now=datetime(2026, 4, 1, 10, tzinfo=UTC))
