// Takes reasoning away: its indexes, runs, counts and the numbers of episodes; memories and edges stay.
DROP INDEX episode_embedding_a IF EXISTS;
DROP INDEX run_tenant_started_at IF EXISTS;
DROP CONSTRAINT run_uid IF EXISTS;
DROP INDEX memory_collected_by IF EXISTS;
DROP INDEX scope_solved_waiting IF EXISTS;
DROP INDEX strategy_scope IF EXISTS;
DROP INDEX concept_scope IF EXISTS;
DROP INDEX problem_scope IF EXISTS;
DROP INDEX episode_scope_problem_id IF EXISTS;
DROP INDEX episode_scope_occurred_at IF EXISTS;
DROP INDEX episode_scope_state_stored_bytes IF EXISTS;
MATCH (r:Run)
CALL (r) { DETACH DELETE r } IN TRANSACTIONS OF 5000 ROWS;
MATCH (s:Scope)
WHERE s.solved_waiting IS NOT NULL
CALL (s) { REMOVE s.solved_waiting } IN TRANSACTIONS OF 5000 ROWS;
MATCH (m:Memory)
WHERE m.tokens_used IS NOT NULL OR m.attempts IS NOT NULL OR m.collected_by IS NOT NULL
CALL (m) {
  REMOVE m.tokens_used, m.latency_ms, m.confidence, m.temperature, m.step_count, m.problem_id,
         m.problem_key, m.actions, m.stored_bytes, m.attempts, m.successes, m.collected_by,
         m.collected_at
} IN TRANSACTIONS OF 5000 ROWS;
