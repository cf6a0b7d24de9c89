// All memories of one scope with what a recall filters, ranks and answers, in the order of their uids.
//
// What the background found similar is left out: a recall that walks over it is not answered from here.
//
// params:  scope STRING, dimension INTEGER, most INTEGER
// returns: one row of columns, each of the length of the scope, cut at most: vector VECTOR or NULL,
//          shown LIST of [uid, external_id, scope, kind, stratum, text, speaker, session_id, tags, metadata], properties of Memory (times in microseconds since 1970, times of the ranking in
//          milliseconds), edges LIST of [uid, type, confidence of SUPERSEDES or NULL]
// mode:    read
// slots:   a b
CYPHER 25
MATCH (m:Memory)
  USING INDEX m:Memory(scope, recorded_at, uid)
WHERE m.scope = $scope AND m.recorded_at IS NOT NULL AND m.uid IS NOT NULL
WITH m ORDER BY m.uid LIMIT $most
WITH m, m.embedding_a AS vector
RETURN collect([CASE WHEN size(vector) = $dimension THEN vector(vector, $dimension, FLOAT32) END])
       AS vector,
     collect(m.uid) AS uid,
     collect([m.uid, m.external_id, m.scope, coalesce(m.kind, ''), coalesce(m.stratum, ''),
       coalesce(m.text, ''), m.speaker, m.session_id, coalesce(m.tags, []), m.metadata]) AS shown,
     collect(coalesce(m.kind, '')) AS kind, collect(coalesce(m.stratum, '')) AS stratum,
     collect(coalesce(m.importance, 3)) AS importance, collect(coalesce(m.q_value, 0.5)) AS q_value,
     collect(coalesce(m.q_count, 0)) AS q_count, collect(coalesce(m.q_left, 1.0)) AS q_left,
     collect(coalesce(m.q_init, 0.5)) AS q_init, collect(coalesce(m.q_m2, 0.0)) AS q_m_two,
     collect(coalesce(m.access_count, 0)) AS access_count, collect(coalesce(m.w0, 1.0)) AS w0,
     collect(coalesce((CASE WHEN m.grace_until > m.w_at THEN m.grace_until ELSE m.w_at END).epochMillis, 0)) AS w_at,
     collect(coalesce(m.occurred_at.epochMillis, 0)) AS occurred_at,
     collect(coalesce(m.link_count, 0)) AS link_count, collect(m.held_until IS NOT NULL) AS ended,
     collect(coalesce(m.state, '')) AS state, collect(coalesce(m.phase, '')) AS phase,
     collect(coalesce(m.correct, '')) AS correct,
     collect(coalesce(m.agent_key, -1)) AS agent_key,
     collect(coalesce(m.session_key, -1)) AS session_key,
     collect(coalesce(m.domain_key, -1)) AS domain_key,
     collect(coalesce(m.model_key, -1)) AS model_key,
     collect([time IN [m.occurred_at, m.recorded_at, m.valid_from, m.valid_to, m.expires_at,
         coalesce(m.held_until, m.valid_to)]
       | time.epochSeconds * 1000000 + time.nanosecond / 1000]) AS times,
     collect(m.importance IS NOT NULL AND m.kind IS NOT NULL AND m.stratum IS NOT NULL
       AND m.state IS NOT NULL AND m.phase IS NOT NULL AND m.correct IS NOT NULL) AS complete,
     collect([(m)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES]->(o)
       WHERE r.similarity IS NULL | [o.uid, type(r), r.confidence]]) AS edges
