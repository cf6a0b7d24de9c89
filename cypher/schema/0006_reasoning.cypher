// Reasoning: the vector index of episodes with all they are filtered by, what is counted per scope, and runs.
//
// down: Takes reasoning away: its indexes, runs, counts and the numbers of episodes; memories and edges stay.
//= up
MATCH (e:Episode)
WHERE e.tokens_used IS NULL
CALL (e) {
  SET e.tokens_used = -1, e.latency_ms = -1.0, e.confidence = -1.0, e.temperature = -1.0,
      e.step_count = -1, e.problem_id = '', e.problem_key = 0, e.actions = [],
      e.stored_bytes = size(coalesce(e.text, '')) + size(coalesce(e.structured, ''))
} IN TRANSACTIONS OF 5000 ROWS;
CREATE INDEX episode_scope_state_stored_bytes IF NOT EXISTS
FOR (e:Episode) ON (e.scope, e.state, e.stored_bytes);
CREATE INDEX episode_scope_occurred_at IF NOT EXISTS
FOR (e:Episode) ON (e.scope, e.occurred_at, e.uid);
CREATE INDEX episode_scope_problem_id IF NOT EXISTS
FOR (e:Episode) ON (e.scope, e.problem_id);
CREATE INDEX problem_scope IF NOT EXISTS
FOR (p:Problem) ON (p.scope, p.uid);
CREATE INDEX concept_scope IF NOT EXISTS
FOR (c:Concept) ON (c.scope, c.uid);
CREATE INDEX strategy_scope IF NOT EXISTS
FOR (s:Strategy) ON (s.scope, s.uid);
CREATE INDEX scope_solved_waiting IF NOT EXISTS
FOR (s:Scope) ON (s.solved_waiting);
CREATE INDEX memory_collected_by IF NOT EXISTS
FOR (m:Memory) ON (m.collected_by);
CREATE CONSTRAINT run_uid IF NOT EXISTS
FOR (r:Run) REQUIRE r.uid IS UNIQUE;
CREATE INDEX run_tenant_started_at IF NOT EXISTS
FOR (r:Run) ON (r.tenant, r.started_at);
CYPHER 25 CREATE VECTOR INDEX episode_embedding_a IF NOT EXISTS
FOR (e:Episode) ON (e.embedding_a)
WITH [e.scope, e.state, e.correct, e.domain_key, e.model_key, e.agent_key, e.session_key,
      e.problem_key, e.occurred_at, e.valid_from, e.valid_to, e.expires_at, e.tokens_used,
      e.latency_ms, e.confidence, e.temperature, e.step_count]
OPTIONS $vector_options;
//= down
//| DROP INDEX episode_embedding_a IF EXISTS;
//| DROP INDEX run_tenant_started_at IF EXISTS;
//| DROP CONSTRAINT run_uid IF EXISTS;
//| DROP INDEX memory_collected_by IF EXISTS;
//| DROP INDEX scope_solved_waiting IF EXISTS;
//| DROP INDEX strategy_scope IF EXISTS;
//| DROP INDEX concept_scope IF EXISTS;
//| DROP INDEX problem_scope IF EXISTS;
//| DROP INDEX episode_scope_problem_id IF EXISTS;
//| DROP INDEX episode_scope_occurred_at IF EXISTS;
//| DROP INDEX episode_scope_state_stored_bytes IF EXISTS;
//| MATCH (r:Run)
//| CALL (r) { DETACH DELETE r } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (s:Scope)
//| WHERE s.solved_waiting IS NOT NULL
//| CALL (s) { REMOVE s.solved_waiting } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (m:Memory)
//| WHERE m.tokens_used IS NOT NULL OR m.attempts IS NOT NULL OR m.collected_by IS NOT NULL
//| CALL (m) {
//|   REMOVE m.tokens_used, m.latency_ms, m.confidence, m.temperature, m.step_count, m.problem_id,
//|          m.problem_key, m.actions, m.stored_bytes, m.attempts, m.successes, m.collected_by,
//|          m.collected_at
//| } IN TRANSACTIONS OF 5000 ROWS;
//=
