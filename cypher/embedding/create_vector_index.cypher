// Make the vector index of a slot, with all that recalls filter by.
//
// params:  vector_options MAP
// returns:
// mode:    schema
// slots:   a b
CYPHER 25 CREATE VECTOR INDEX memory_embedding_a IF NOT EXISTS
FOR (m:Memory) ON (m.embedding_a)
WITH [m.scope, m.kind, m.stratum, m.state, m.importance, m.occurred_at, m.recorded_at,
      m.valid_from, m.valid_to, m.expires_at, m.agent_key, m.session_key, m.domain_key,
      m.model_key, m.phase, m.correct]
OPTIONS $vector_options
