// Episodes that pass every filter, in an order; a page of them.
//
// Unknown numbers come last, whichever way they are ordered.
//
// params:  scopes LIST<STRING>, states LIST<STRING>,
//          valid_at ZONED DATETIME, unexpired_at ZONED DATETIME, verdicts LIST<STRING> ('true', 'false', ''),
//          occurred_from ZONED DATETIME, occurred_to ZONED DATETIME,
//          domain_from INTEGER, domain_to INTEGER, model_from INTEGER, model_to INTEGER,
//          agent_from INTEGER, agent_to INTEGER, session_from INTEGER, session_to INTEGER,
//          problem_from INTEGER, problem_to INTEGER, tokens_from INTEGER, tokens_to INTEGER,
//          latency_from FLOAT, latency_to FLOAT, confidence_from FLOAT, confidence_to FLOAT,
//          temperature_from FLOAT, temperature_to FLOAT, steps_from INTEGER, steps_to INTEGER,
//          property STRING (of an episode, that orders), sign INTEGER (1 or -1), limit INTEGER (> 0),
//          after_rank FLOAT, after_uid STRING (the last of the page before)
// returns: episode MAP of properties without vectors, rank FLOAT (ascending)
// mode:    read
// slots:   a b
// parts:   filters (what is asked for by name) after (the page before)
CYPHER 25
MATCH (m:Episode)
  USING INDEX m:Episode(scope, occurred_at, uid)
WHERE m.scope IN $scopes AND m.state IN $states
  AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
  AND m.expires_at > $unexpired_at
  AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to AND m.uid IS NOT NULL
  //+ filters
  AND m.correct IN $verdicts
  AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
  AND m.model_key >= $model_from AND m.model_key <= $model_to
  AND m.agent_key >= $agent_from AND m.agent_key <= $agent_to
  AND m.session_key >= $session_from AND m.session_key <= $session_to
  AND m.problem_key >= $problem_from AND m.problem_key <= $problem_to
  AND m.tokens_used >= $tokens_from AND m.tokens_used <= $tokens_to
  AND m.latency_ms >= $latency_from AND m.latency_ms <= $latency_to
  AND m.confidence >= $confidence_from AND m.confidence <= $confidence_to
  AND m.temperature >= $temperature_from AND m.temperature <= $temperature_to
  AND m.step_count >= $steps_from AND m.step_count <= $steps_to
  //- filters
WITH *, CASE
  WHEN $property = 'occurred_at'
    THEN $sign * (m.occurred_at.epochSeconds * 1000000 + m.occurred_at.microsecond)
  WHEN m[$property] < 0 THEN 1.0e300
  ELSE $sign * m[$property] END AS rank
//+ after
WITH * WHERE rank > $after_rank OR (rank = $after_rank AND m.uid > $after_uid)
//- after
WITH * ORDER BY rank, m.uid LIMIT $limit
RETURN m {.*, embedding_a: null, embedding_other: null,
          context_text: null, folded_text: null, keys: null} AS episode, rank
