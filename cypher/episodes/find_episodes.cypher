// A page of episodes that pass every filter, in an order.
//
// Unknown numbers come last in any order.
//
// Vector indexes cannot filter lists: the keys of the full-text index find all matches, ordered by the exact cosine if
// a text is given. For the nearest, all filters are inside the vector index; the rest only measures exactly and orders.
// A vector of another length counts as dissimilar. Several names, or all but some, are several spans: each is searched,
// and the nearest of all are kept.
//
// params:  scopes LIST<STRING>, states LIST<STRING>, valid_at ZONED DATETIME, unexpired_at ZONED DATETIME, verdicts
//          LIST<STRING> ('true', 'false', ''), occurred_from ZONED DATETIME, occurred_to ZONED DATETIME, spans
//          LIST<MAP> {domain_from, domain_to, model_from, …, problem_to: ranges of the names' keys, apart from each
//          other}, tokens_from INTEGER, tokens_to INTEGER, latency_from FLOAT, latency_to FLOAT, confidence_from
//          FLOAT, confidence_to FLOAT, temperature_from FLOAT, temperature_to FLOAT, steps_from INTEGER, steps_to
//          INTEGER, property STRING (of an episode, that orders), sign INTEGER (1 or -1), limit INTEGER (> 0),
//          after_rank FLOAT, after_uid STRING (the last of the page before), keys_query STRING (Lucene), embedding
//          VECTOR (d, unit length), dimension INTEGER, least_similarity FLOAT [-1, 1], literal STRING (regular
//          expression of the texts that are found besides), tags_any LIST<STRING>, tags_all LIST<STRING>, tags_none
//          LIST<STRING>, actions_any LIST<STRING>, actions_all LIST<STRING>, actions_none LIST<STRING>, nearest
//          INTEGER (> 0)
// returns: all: episode MAP of what an answer shows, rank FLOAT (ascending); keyed and nearest: episode MAP of
//          what an answer shows, rank FLOAT (ascending), similarity FLOAT
// mode:    read
// slots:   a b
// parts:   filters (what is asked for by name) similar (to a text) after (the page before)
//          shown (what only an answer shows, and not a comparison of steps)
// choices: all keyed (with some tags and actions) nearest (whose problems are nearest to a text; without a page)
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
WITH *, CASE
//= keyed
//|   //+ similar
//= keyed nearest
//|   WHEN $property = 'similarity' THEN -similarity
//= keyed
//|   //- similar
//=
  WHEN $property = 'occurred_at'
    THEN $sign * (m.occurred_at.epochSeconds * 1000000 + m.occurred_at.microsecond)
  WHEN m[$property] < 0 THEN 1.0e300
  ELSE $sign * m[$property] END AS rank
//= all keyed
//+ after
WITH * WHERE rank > $after_rank OR (rank = $after_rank AND m.uid > $after_uid)
//- after
WITH * ORDER BY rank, m.uid LIMIT $limit
//= nearest
//| ORDER BY rank, m.uid LIMIT $limit
//=
RETURN m {.uid, .text, .problem_id, .domain, .structured
//+ shown
          , .external_id, .scope, .state, .model, .agent_id, .session_id, .correct, .occurred_at, .tags, .actions,
          .confidence, .latency_ms, .step_count, .temperature, .tokens_used
//- shown
//= all keyed
          } AS episode, rank
//= keyed
//|        //+ similar
//|        , similarity
//|        //- similar
//= nearest
//|           } AS episode, rank, similarity
//=
