// Create a vector index of a slot.
//
// params:  vector_options MAP
// returns:
// mode:    schema
// slots:   a b
// choices: memories (with all that recalls filter by) episodes (with all that questions about attempts filter by)
//= memories
CYPHER 25 CREATE VECTOR INDEX memory_embedding_a IF NOT EXISTS
FOR (m:Memory) ON (m.embedding_a)
WITH [m.scope, m.kind, m.stratum, m.state, m.importance, m.occurred_at, m.recorded_at,
      m.valid_from, m.valid_to, m.expires_at, m.agent_key, m.session_key, m.domain_key,
      m.model_key, m.phase, m.correct]
//= episodes
//| CYPHER 25 CREATE VECTOR INDEX episode_embedding_a IF NOT EXISTS
//| FOR (e:Episode) ON (e.embedding_a)
//| WITH [e.scope, e.state, e.correct, e.domain_key, e.model_key, e.agent_key, e.session_key,
//|       e.problem_key, e.occurred_at, e.valid_from, e.valid_to, e.expires_at, e.tokens_used,
//|       e.latency_ms, e.confidence, e.temperature, e.step_count]
//=
OPTIONS $vector_options
