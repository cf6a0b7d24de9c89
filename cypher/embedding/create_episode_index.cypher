// Make the vector index of a slot over episodes, with all that questions about attempts filter by.
//
// params:  vector_options MAP
// returns:
// mode:    schema
// slots:   a b
CYPHER 25 CREATE VECTOR INDEX episode_embedding_a IF NOT EXISTS
FOR (e:Episode) ON (e.embedding_a)
WITH [e.scope, e.state, e.correct, e.domain_key, e.model_key, e.agent_key, e.session_key,
      e.problem_key, e.occurred_at, e.valid_from, e.valid_to, e.expires_at, e.tokens_used,
      e.latency_ms, e.confidence, e.temperature, e.step_count]
OPTIONS $vector_options
