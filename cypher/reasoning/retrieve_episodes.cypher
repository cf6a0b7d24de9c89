// The pool of one retrieval: attempts near in meaning, similar problems with their attempts, and what was used.
//
// Three arms and a walk: episodes by their own vectors (or, where tags or actions are asked for, by their
// keys), problems by their vectors and by their words, concepts by their vectors. From the nearest
// problems the walk goes on to problems similar to them, and from all of them to their attempts, to
// strategies and to concepts. It never walks from a strategy to those who used it, and looks at some
// relationships of one type from one node at most, before it filters: what thousands hang on costs no
// more than what a few do. Scopes are checked at each hop, states and times of every node that is
// given, and the filters of episodes at every episode, however it was reached.
//
// params:  embedding VECTOR (d, unit length), dimension INTEGER, scopes LIST<STRING>,
//          keyed_query STRING, problem_query STRING, problem_kinds LIST<STRING>,
//          concept_kinds LIST<STRING>, verdicts LIST<STRING>,
//          occurred_from ZONED DATETIME, occurred_to ZONED DATETIME, valid_at ZONED DATETIME,
//          unexpired_at ZONED DATETIME, domain_from INTEGER, domain_to INTEGER, model_from INTEGER,
//          model_to INTEGER, agent_from INTEGER, agent_to INTEGER, session_from INTEGER,
//          session_to INTEGER, problem_from INTEGER, problem_to INTEGER, tokens_from INTEGER,
//          tokens_to INTEGER, latency_from FLOAT, latency_to FLOAT, confidence_from FLOAT,
//          confidence_to FLOAT, temperature_from FLOAT, temperature_to FLOAT, steps_from INTEGER,
//          steps_to INTEGER, tags_any LIST<STRING>, tags_all LIST<STRING>, actions_any LIST<STRING>,
//          actions_all LIST<STRING>, episodes INTEGER, keyed INTEGER, problems INTEGER, worded INTEGER,
//          expanded INTEGER, similar INTEGER, attempts INTEGER, failures INTEGER, concepts INTEGER,
//          examples INTEGER, looked INTEGER, hops INTEGER (1-2)
// returns: one row: problems LIST of [uid, text, cosine, hop, uid that led here or NULL, similarity],
//          concepts LIST of [uid, text, attempts, successes, cosine],
//          episodes LIST of [uid, text, cosine, correct, actions, uid of problem or NULL, uid of concept
//          or NULL, nearby, [uid, text, attempts, successes, q_value, q_left, q_init, kind] of each that
//          it used, q_value, q_count, q_left, q_init, q_m2]
// mode:    read
// slots:   a b
// parts:   vectors (episodes by their vectors) keyed (episodes by tags and actions) walk (over problems)
//          concepts filters (of episodes, but verdicts and the domain)
CYPHER 25
WITH [] AS nearby, [] AS found, [] AS known
//+ vectors
CALL () {
  MATCH (m:Episode)
    SEARCH m IN (
      VECTOR INDEX episode_embedding_a FOR $embedding
      WHERE m.scope IN $scopes AND m.state = 'active' AND m.correct IN $verdicts
        AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
        AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
        AND m.expires_at > $unexpired_at
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
      LIMIT $episodes
    ) SCORE AS nearness
  RETURN collect(m) AS near
}
WITH near AS nearby, found, known
//- vectors
//+ keyed
CALL () {
  CALL db.index.fulltext.queryNodes('memory_text', $keyed_query, {limit: $keyed})
  YIELD node AS m
  WHERE m.scope IN $scopes
  WITH m
  WHERE m.state = 'active' AND m.correct IN $verdicts
    AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
    AND m.expires_at > $unexpired_at
    AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
    //+ filters
    AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
    AND m.model_key >= $model_from AND m.model_key <= $model_to
    AND m.agent_key >= $agent_from AND m.agent_key <= $agent_to
    AND m.session_key >= $session_from AND m.session_key <= $session_to
    AND m.problem_key >= $problem_from AND m.problem_key <= $problem_to
    AND m.tokens_used >= $tokens_from AND m.tokens_used <= $tokens_to
    AND m.latency_ms >= $latency_from AND m.latency_ms <= $latency_to
    AND m.confidence >= $confidence_from AND m.confidence <= $confidence_to
    AND m.temperature >= $temperature_from AND m.temperature <= $temperature_to
    AND m.step_count >= $steps_from AND m.step_count <= $steps_to
    AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN m.tags))
    AND all(tag IN $tags_all WHERE tag IN m.tags)
    AND (size($actions_any) = 0 OR any(action IN $actions_any WHERE action IN m.actions))
    AND all(action IN $actions_all WHERE action IN m.actions)
    //- filters
  WITH m, m.embedding_a AS vector
  WITH m, CASE WHEN size(vector) = $dimension
    THEN vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END AS nearness
  ORDER BY nearness DESC, m.uid LIMIT $episodes
  RETURN collect(m) AS tagged
}
WITH nearby + tagged AS nearby, found, known
//- keyed
//+ walk
CALL () {
  CALL () {
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_embedding_a FOR $embedding
        WHERE m.scope IN $scopes AND m.kind IN $problem_kinds AND m.state = 'active'
          AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
          AND m.expires_at > $unexpired_at
          AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
        LIMIT $problems
      ) SCORE AS nearness
    RETURN m
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text', $problem_query, {limit: $worded})
    YIELD node AS m
    WHERE m.scope IN $scopes
    RETURN m
  }
  RETURN collect(DISTINCT m) AS direct
}
CALL (nearby, direct) {
  UNWIND nearby AS e
  CALL (e) {
    MATCH (e)-[:SOLVED|ATTEMPTED]->(p:Problem)
    WITH e, p LIMIT $attempts
    WHERE p.scope = e.scope AND p.state = 'active'
      AND p.valid_from <= $valid_at AND p.valid_to > $valid_at AND p.expires_at > $unexpired_at
    RETURN p
  }
  WITH DISTINCT direct, p
  WHERE NOT p IN direct
  RETURN collect(p) AS tried
}
CALL (direct) {
  UNWIND CASE WHEN $hops > 1 THEN direct[..$expanded] ELSE [] END AS seed
  CALL (seed) {
    MATCH (seed)-[r:SIMILAR_TO]-(p:Problem)
    WITH seed, p, coalesce(r.similarity, 1.0) AS similarity LIMIT $looked
    WHERE p.scope = seed.scope AND p.state = 'active'
      AND p.valid_from <= $valid_at AND p.valid_to > $valid_at AND p.expires_at > $unexpired_at
    RETURN p, similarity
    ORDER BY similarity DESC, p.uid LIMIT $similar
  }
  WITH direct, seed, p, similarity
  WHERE NOT p IN direct
  RETURN collect([p, 2, seed.uid, similarity]) AS beyond
}
WITH nearby, known,
     [p IN direct | [p, 1, NULL, 1.0]] + [p IN tried | [p, 1, NULL, 1.0]] + beyond AS found
//- walk
//+ concepts
CALL () {
  MATCH (m:Memory)
    SEARCH m IN (
      VECTOR INDEX memory_embedding_a FOR $embedding
      WHERE m.scope IN $scopes AND m.kind IN $concept_kinds AND m.state = 'active'
        AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
        AND m.expires_at > $unexpired_at
        AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
      LIMIT $concepts
    ) SCORE AS nearness
  RETURN collect(m) AS meant
}
CALL (found, meant) {
  UNWIND found[..$expanded] AS place
  WITH meant, place[0] AS p
  CALL (p) {
    MATCH (p)-[:REQUIRES]->(c:Concept)
    WITH p, c LIMIT $looked
    WHERE c.scope = p.scope AND c.state = 'active'
      AND c.valid_from <= $valid_at AND c.valid_to > $valid_at AND c.expires_at > $unexpired_at
    RETURN c
  }
  WITH meant, c, count(*) AS often
  WHERE NOT c IN meant
  WITH c ORDER BY often DESC, c.uid LIMIT $concepts
  RETURN collect(c) AS required
}
WITH nearby, found, meant + required AS known
//- concepts
CALL (found) {
  UNWIND found AS place
  WITH place[0] AS p
  CALL (p) {
    MATCH (p)<-[:SOLVED]-(e:Episode)
    WITH e LIMIT $looked
    RETURN e, true AS solved
  UNION ALL
    MATCH (p)<-[:ATTEMPTED]-(e:Episode)
    WITH e LIMIT $looked
    RETURN e, false AS solved
  }
  WITH DISTINCT p, e, solved
  WHERE e.scope = p.scope AND e.state = 'active' AND e.correct IN $verdicts
    AND e.valid_from <= $valid_at AND e.valid_to > $valid_at
    AND e.expires_at > $unexpired_at
    AND e.domain_key >= $domain_from AND e.domain_key <= $domain_to
    //+ filters
    AND e.occurred_at >= $occurred_from AND e.occurred_at < $occurred_to
    AND e.model_key >= $model_from AND e.model_key <= $model_to
    AND e.agent_key >= $agent_from AND e.agent_key <= $agent_to
    AND e.session_key >= $session_from AND e.session_key <= $session_to
    AND e.problem_key >= $problem_from AND e.problem_key <= $problem_to
    AND e.tokens_used >= $tokens_from AND e.tokens_used <= $tokens_to
    AND e.latency_ms >= $latency_from AND e.latency_ms <= $latency_to
    AND e.confidence >= $confidence_from AND e.confidence <= $confidence_to
    AND e.temperature >= $temperature_from AND e.temperature <= $temperature_to
    AND e.step_count >= $steps_from AND e.step_count <= $steps_to
    AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN e.tags))
    AND all(tag IN $tags_all WHERE tag IN e.tags)
    AND (size($actions_any) = 0 OR any(action IN $actions_any WHERE action IN e.actions))
    AND all(action IN $actions_all WHERE action IN e.actions)
    //- filters
  WITH p, e, solved ORDER BY e.uid DESC
  WITH p, solved, collect(e) AS tried
  UNWIND tried[..CASE WHEN solved THEN $attempts ELSE $failures END] AS e
  RETURN collect([e, p.uid, NULL, false]) AS reached
}
CALL (known) {
  UNWIND known AS c
  CALL (c) {
    MATCH (c)-[:DERIVED_FROM]->(e:Episode)
    WITH c, e LIMIT $looked
    WHERE e.scope = c.scope AND e.state = 'active' AND e.correct IN $verdicts
      AND e.valid_from <= $valid_at AND e.valid_to > $valid_at
      AND e.expires_at > $unexpired_at
      AND e.domain_key >= $domain_from AND e.domain_key <= $domain_to
      //+ filters
      AND e.occurred_at >= $occurred_from AND e.occurred_at < $occurred_to
      AND e.model_key >= $model_from AND e.model_key <= $model_to
      AND e.agent_key >= $agent_from AND e.agent_key <= $agent_to
      AND e.session_key >= $session_from AND e.session_key <= $session_to
      AND e.problem_key >= $problem_from AND e.problem_key <= $problem_to
      AND e.tokens_used >= $tokens_from AND e.tokens_used <= $tokens_to
      AND e.latency_ms >= $latency_from AND e.latency_ms <= $latency_to
      AND e.confidence >= $confidence_from AND e.confidence <= $confidence_to
      AND e.temperature >= $temperature_from AND e.temperature <= $temperature_to
      AND e.step_count >= $steps_from AND e.step_count <= $steps_to
      AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN e.tags))
      AND all(tag IN $tags_all WHERE tag IN e.tags)
      AND (size($actions_any) = 0 OR any(action IN $actions_any WHERE action IN e.actions))
      AND all(action IN $actions_all WHERE action IN e.actions)
      //- filters
    RETURN e ORDER BY e.uid DESC LIMIT $examples
  }
  RETURN collect([e, NULL, c.uid, false]) AS shown
}
CALL (nearby, reached, shown) {
  UNWIND [e IN nearby | [e, NULL, NULL, true]] + reached + shown AS place
  WITH place, place[0] AS e
  WITH place, e, e.embedding_a AS vector
  RETURN collect([e.uid, CASE WHEN place[1] IS NULL THEN coalesce(e.text, '') ELSE '' END,
    CASE WHEN place[1] IS NULL AND size(vector) = $dimension
      THEN 1.5 - 0.5 / vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END,
    coalesce(e.correct, ''), coalesce(e.actions, []), place[1], place[2], place[3],
    [(e)-[:USED]->(u:Memory) WHERE u.scope = e.scope AND u.state = 'active'
        AND u.kind IN ['strategy', 'concept']
      | [u.uid, coalesce(u.text, ''), coalesce(u.attempts, -1), coalesce(u.successes, -1),
         coalesce(u.q_value, 0.5), coalesce(u.q_left, 1.0), coalesce(u.q_init, 0.5), u.kind]],
    coalesce(e.q_value, 0.5), coalesce(e.q_count, 0), coalesce(e.q_left, 1.0),
    coalesce(e.q_init, 0.5), coalesce(e.q_m2, 0.0)]) AS episodes
}
CALL (found) {
  UNWIND found AS place
  WITH place, place[0] AS p
  WITH place, p, p.embedding_a AS vector
  RETURN collect([p.uid, coalesce(p.text, ''), CASE WHEN size(vector) = $dimension
    THEN 1.5 - 0.5 / vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END,
    place[1], place[2], place[3]]) AS problems
}
CALL (known) {
  UNWIND known AS c
  WITH c, c.embedding_a AS vector
  RETURN collect([c.uid, coalesce(c.text, ''), coalesce(c.attempts, -1), coalesce(c.successes, -1),
    CASE WHEN size(vector) = $dimension
      THEN 1.5 - 0.5 / vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END]) AS concepts
}
RETURN problems, concepts, episodes
