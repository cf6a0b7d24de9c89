// Statistics of the episodes that pass every filter, and of each group of them.
//
// Unreported values are left out of a mean, which is null without any. Several names, or all but some, are several
// spans: each is searched, and the nearest of all are kept.
//
// params:  scopes LIST<STRING>, states LIST<STRING>, valid_at ZONED DATETIME, unexpired_at ZONED DATETIME, verdicts
//          LIST<STRING> ('true', 'false', ''), occurred_from ZONED DATETIME, occurred_to ZONED DATETIME, spans
//          LIST<MAP> {domain_from, domain_to, model_from, …, problem_to: ranges of the names' keys, apart from each
//          other}, tokens_from INTEGER, tokens_to INTEGER, latency_from FLOAT, latency_to FLOAT, confidence_from
//          FLOAT, confidence_to FLOAT, temperature_from FLOAT, temperature_to FLOAT, steps_from INTEGER, steps_to
//          INTEGER, grouping STRING (domain, model, agent, session, problem, action, strategy, concept, day, week or
//          month), measure STRING (attempts, success_rate, failure_rate, total_tokens, mean_tokens, mean_latency,
//          mean_confidence or mean_steps: it orders), time_zone STRING, limit INTEGER (> 0), keys_query STRING
//          (Lucene), embedding VECTOR (d, unit length), dimension INTEGER, least_similarity FLOAT [-1, 1], literal
//          STRING (regular expression of the texts that are found besides), tags_any LIST<STRING>, tags_all
//          LIST<STRING>, tags_none LIST<STRING>, actions_any LIST<STRING>, actions_all LIST<STRING>, actions_none
//          LIST<STRING>, nearest INTEGER (> 0)
// returns: total MAP {name, attempts, judged, successes, total_tokens, mean_tokens, mean_latency, mean_confidence,
//          mean_steps}, groups LIST<MAP> of the same ('' for none), newest or most first
// mode:    read
// slots:   a b
// parts:   filters (what is asked for by name) similar (to a text) groups (with a grouping)
// choices: all keyed (with some tags and actions; the keys of the full-text index find every one of them) nearest
//          (whose problems are nearest to a text; all filters stand inside the vector index)
CYPHER 25
//= all
MATCH (m:Episode)
  USING INDEX m:Episode(scope, occurred_at, uid)
//= keyed
//| CALL db.index.fulltext.queryNodes('memory_text', $keys_query)
//| YIELD node AS m
//= all keyed
WHERE m.scope IN $scopes AND m.state IN $states
  AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
  AND m.expires_at > $unexpired_at
//= all
  AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to AND m.uid IS NOT NULL
//= all keyed
  //+ filters
  AND m.correct IN $verdicts
//= keyed
//|   AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
//= all keyed
  AND any(span IN $spans WHERE m.domain_key >= span.domain_from AND m.domain_key <= span.domain_to
    AND m.model_key >= span.model_from AND m.model_key <= span.model_to
    AND m.agent_key >= span.agent_from AND m.agent_key <= span.agent_to
    AND m.session_key >= span.session_from AND m.session_key <= span.session_to
    AND m.problem_key >= span.problem_from AND m.problem_key <= span.problem_to)
  AND m.tokens_used >= $tokens_from AND m.tokens_used <= $tokens_to
  AND m.latency_ms >= $latency_from AND m.latency_ms <= $latency_to
  AND m.confidence >= $confidence_from AND m.confidence <= $confidence_to
  AND m.temperature >= $temperature_from AND m.temperature <= $temperature_to
  AND m.step_count >= $steps_from AND m.step_count <= $steps_to
  //- filters
//= keyed
//|   AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN m.tags))
//|   AND all(tag IN $tags_all WHERE tag IN m.tags)
//|   AND none(tag IN $tags_none WHERE tag IN m.tags)
//|   AND (size($actions_any) = 0 OR any(name IN $actions_any WHERE name IN m.actions))
//|   AND all(name IN $actions_all WHERE name IN m.actions)
//|   AND none(name IN $actions_none WHERE name IN m.actions)
//| //+ similar
//= nearest
//| UNWIND $spans AS span
//| CALL (span) {
//|   MATCH (m:Episode)
//|     SEARCH m IN (
//|       VECTOR INDEX episode_embedding_a FOR $embedding
//|       WHERE m.scope IN $scopes AND m.state IN $states
//|         AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
//|         AND m.expires_at > $unexpired_at
//|         //+ filters
//|         AND m.correct IN $verdicts
//|         AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
//|         AND m.domain_key >= span.domain_from AND m.domain_key <= span.domain_to
//|         AND m.model_key >= span.model_from AND m.model_key <= span.model_to
//|         AND m.agent_key >= span.agent_from AND m.agent_key <= span.agent_to
//|         AND m.session_key >= span.session_from AND m.session_key <= span.session_to
//|         AND m.problem_key >= span.problem_from AND m.problem_key <= span.problem_to
//|         AND m.tokens_used >= $tokens_from AND m.tokens_used <= $tokens_to
//|         AND m.latency_ms >= $latency_from AND m.latency_ms <= $latency_to
//|         AND m.confidence >= $confidence_from AND m.confidence <= $confidence_to
//|         AND m.temperature >= $temperature_from AND m.temperature <= $temperature_to
//|         AND m.step_count >= $steps_from AND m.step_count <= $steps_to
//|         //- filters
//|       LIMIT $nearest
//|     ) SCORE AS nearness
//|   RETURN m
//| }
//= keyed nearest
//| WITH m, CASE WHEN size(m.embedding_a) = $dimension
//|   THEN 1.5 - 0.5 / vector.similarity.euclidean(m.embedding_a, $embedding)
//|   ELSE 0.0 END AS similarity
//| WHERE similarity >= $least_similarity OR m.text =~ $literal
//= keyed
//| //- similar
//= nearest
//| WITH m, similarity ORDER BY similarity DESC, m.uid LIMIT $nearest
//=
WITH collect(m) AS found
CALL (found) {
  UNWIND found AS m
  WITH count(m) AS attempts, count(CASE WHEN m.correct <> '' THEN 1 END) AS judged,
       count(CASE WHEN m.correct = 'true' THEN 1 END) AS successes,
       sum(CASE WHEN m.tokens_used >= 0 THEN m.tokens_used END) AS total_tokens,
       avg(CASE WHEN m.tokens_used >= 0 THEN m.tokens_used END) AS mean_tokens,
       avg(CASE WHEN m.latency_ms >= 0 THEN m.latency_ms END) AS mean_latency,
       avg(CASE WHEN m.confidence >= 0 THEN m.confidence END) AS mean_confidence,
       avg(CASE WHEN m.step_count >= 0 THEN m.step_count END) AS mean_steps
  WITH *, '' AS name
  RETURN {name: name, attempts: attempts, judged: judged, successes: successes,
       total_tokens: total_tokens, mean_tokens: mean_tokens, mean_latency: mean_latency,
       mean_confidence: mean_confidence, mean_steps: mean_steps} AS total
}
//+ groups
CALL (found) {
  UNWIND found AS m
  WITH m, datetime({datetime: m.occurred_at, timezone: $time_zone}) AS at
  WITH m, CASE $grouping
    WHEN 'domain' THEN [m.domain] WHEN 'model' THEN [m.model] WHEN 'agent' THEN [m.agent_id]
    WHEN 'session' THEN [m.session_id] WHEN 'problem' THEN [left(m.text, 200)]
    WHEN 'action' THEN COLLECT { UNWIND m.actions AS name RETURN DISTINCT name }
    WHEN 'strategy' THEN COLLECT {
      MATCH (m)-[:USED]->(s:Strategy) WHERE s.scope = m.scope AND s.text IS NOT NULL
      RETURN DISTINCT s.text }
    WHEN 'concept' THEN COLLECT {
      MATCH (m)-[:USED]->(c:Concept) WHERE c.scope = m.scope AND c.text IS NOT NULL
      RETURN split(c.text, ': ')[0] AS name
      UNION
      MATCH (m)-[:SOLVED|ATTEMPTED]->(:Problem)-[:REQUIRES]->(c:Concept)
      WHERE c.scope = m.scope AND c.text IS NOT NULL
      RETURN split(c.text, ': ')[0] AS name }
    WHEN 'day' THEN [toString(date(at))] WHEN 'month' THEN [left(toString(date(at)), 7)]
    ELSE [at.weekYear + '-W' + right('0' + at.week, 2)] END AS names
  UNWIND CASE WHEN size(names) = 0 THEN [''] ELSE names END AS name
  WITH name, count(m) AS attempts, count(CASE WHEN m.correct <> '' THEN 1 END) AS judged,
       count(CASE WHEN m.correct = 'true' THEN 1 END) AS successes,
       sum(CASE WHEN m.tokens_used >= 0 THEN m.tokens_used END) AS total_tokens,
       avg(CASE WHEN m.tokens_used >= 0 THEN m.tokens_used END) AS mean_tokens,
       avg(CASE WHEN m.latency_ms >= 0 THEN m.latency_ms END) AS mean_latency,
       avg(CASE WHEN m.confidence >= 0 THEN m.confidence END) AS mean_confidence,
       avg(CASE WHEN m.step_count >= 0 THEN m.step_count END) AS mean_steps
  WITH *, CASE $measure WHEN 'attempts' THEN attempts
    WHEN 'success_rate' THEN CASE WHEN judged > 0 THEN 1.0 * successes / judged END
    WHEN 'failure_rate' THEN CASE WHEN judged > 0 THEN 1.0 * (judged - successes) / judged END
    WHEN 'total_tokens' THEN total_tokens WHEN 'mean_tokens' THEN mean_tokens
    WHEN 'mean_latency' THEN mean_latency WHEN 'mean_confidence' THEN mean_confidence
    ELSE mean_steps END AS value
  ORDER BY CASE WHEN $grouping IN ['day', 'week', 'month'] THEN name END DESC,
           coalesce(value, -1) DESC, attempts DESC, name
  LIMIT $limit
  RETURN collect({name: name, attempts: attempts, judged: judged, successes: successes,
       total_tokens: total_tokens, mean_tokens: mean_tokens, mean_latency: mean_latency,
       mean_confidence: mean_confidence, mean_steps: mean_steps}) AS groups
}
//- groups
RETURN total
       //+ groups
       , groups
       //- groups
