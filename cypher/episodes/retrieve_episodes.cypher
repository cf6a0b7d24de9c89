// The pool of one retrieval: similar attempts, similar problems with their attempts, and what was used.
//
// Three searches and a traversal: episodes by their own vectors (or, with tags or actions, by their keys), problems by
// their vectors and by their words, concepts by their vectors. From the nearest problems the traversal follows similar
// problems, and from all of them attempts, strategies and concepts. It never follows a strategy to its users, and reads
// a limited number of relationships of one type from one node before it filters, so that hubs cost no more. Scopes are
// checked at each hop, states and times of every result, and the filters of episodes at every episode.
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
//          steps_to INTEGER, tags_any LIST<STRING>, tags_all LIST<STRING>, tags_none LIST<STRING>,
//          actions_any LIST<STRING>, actions_all LIST<STRING>, actions_none LIST<STRING>, episodes INTEGER, keyed INTEGER, problems INTEGER, worded INTEGER,
//          expanded INTEGER, similar INTEGER, attempts INTEGER, failures INTEGER, concepts INTEGER,
//          examples INTEGER, looked INTEGER, hops INTEGER (1-2)
// returns: one row: problems LIST of [uid, text, cosine, hop, uid that led here or NULL, similarity],
//          concepts LIST of [uid, text, attempts, successes, cosine],
//          episodes LIST of [uid, text, cosine, correct, actions, way (near, solved, attempted or
//          example), uid of the problem or concept that led here or NULL, q_value, q_count, q_left,
//          q_init, q_m2],
//          used LIST of [uid, text, attempts, successes, kind, q_value, q_left, q_init, places in
//          episodes of those that used it]
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
        //- filters
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
    AND none(tag IN $tags_none WHERE tag IN m.tags)
    AND (size($actions_any) = 0 OR any(action IN $actions_any WHERE action IN m.actions))
    AND all(action IN $actions_all WHERE action IN m.actions)
    AND none(action IN $actions_none WHERE action IN m.actions)
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
    RETURN p LIMIT $attempts
  }
  WITH DISTINCT direct, e.scope AS scope, p
  WHERE NOT p IN direct
  WITH p, scope, p{.scope, .state, .valid_from, .valid_to, .expires_at} AS q
  WHERE q.scope = scope AND q.state = 'active'
    AND q.valid_from <= $valid_at AND q.valid_to > $valid_at AND q.expires_at > $unexpired_at
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
CALL (found, known) {
  CALL (found, known) {
    UNWIND found AS place
    WITH place[0] AS p
    WITH p, p{.uid, .scope} AS q
    CALL (p) {
      MATCH (p)<-[:SOLVED]-(e:Episode)
      RETURN e, 'solved' AS way LIMIT $looked
    UNION ALL
      MATCH (p)<-[:ATTEMPTED]-(e:Episode)
      RETURN e, 'attempted' AS way LIMIT $looked
    }
    RETURN q.uid AS start, q.scope AS scope, e, way
  UNION ALL
    UNWIND known AS c
    WITH c, c{.uid, .scope} AS q
    CALL (c) {
      MATCH (c)-[:DERIVED_FROM]->(e:Episode)
      RETURN e LIMIT $looked
    }
    RETURN q.uid AS start, q.scope AS scope, e, 'example' AS way
  }
  WITH DISTINCT start, scope, e, way
  // All properties are read at once, as single reads each walk the property chain.
  WITH start, scope, e, way, e{.uid, .scope, .state, .correct, .valid_from, .valid_to, .expires_at,
    .domain_key, .actions, .q_value, .q_count, .q_left, .q_init, .q_m2
    //+ filters
    , .occurred_at, .model_key, .agent_key, .session_key, .problem_key, .tokens_used, .latency_ms,
    .confidence, .temperature, .step_count, .tags
    //- filters
  } AS a
  WHERE a.scope = scope AND a.state = 'active' AND a.correct IN $verdicts
    AND a.valid_from <= $valid_at AND a.valid_to > $valid_at
    AND a.expires_at > $unexpired_at
    AND a.domain_key >= $domain_from AND a.domain_key <= $domain_to
    //+ filters
    AND a.occurred_at >= $occurred_from AND a.occurred_at < $occurred_to
    AND a.model_key >= $model_from AND a.model_key <= $model_to
    AND a.agent_key >= $agent_from AND a.agent_key <= $agent_to
    AND a.session_key >= $session_from AND a.session_key <= $session_to
    AND a.problem_key >= $problem_from AND a.problem_key <= $problem_to
    AND a.tokens_used >= $tokens_from AND a.tokens_used <= $tokens_to
    AND a.latency_ms >= $latency_from AND a.latency_ms <= $latency_to
    AND a.confidence >= $confidence_from AND a.confidence <= $confidence_to
    AND a.temperature >= $temperature_from AND a.temperature <= $temperature_to
    AND a.step_count >= $steps_from AND a.step_count <= $steps_to
    AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN a.tags))
    AND all(tag IN $tags_all WHERE tag IN a.tags)
    AND none(tag IN $tags_none WHERE tag IN a.tags)
    AND (size($actions_any) = 0 OR any(action IN $actions_any WHERE action IN a.actions))
    AND all(action IN $actions_all WHERE action IN a.actions)
    AND none(action IN $actions_none WHERE action IN a.actions)
    //- filters
  // the latest, as uids sort by time
  WITH start, way, e, a ORDER BY a.uid DESC
  WITH start, way, collect([e, a]) AS tried
  UNWIND tried[..CASE way WHEN 'solved' THEN $attempts WHEN 'attempted' THEN $failures
    ELSE $examples END] AS one
  RETURN collect([one[0], one[1], way, start]) AS reached
}
CALL (nearby) {
  UNWIND nearby AS e
  RETURN collect([e, e{.uid, .scope, .correct, .actions, .q_value, .q_count, .q_left, .q_init, .q_m2},
    'near', NULL]) AS near
}
WITH found, known, near + reached AS ways
CALL (ways) {
  UNWIND range(0, size(ways) - 1) AS place
  WITH place, ways[place][0] AS e, ways[place][1] AS a
  MATCH (e)-[:USED]->(u:Memory)
  WITH u, a.scope AS scope, collect(place) AS users
  WITH scope, users, u{.uid, .scope, .state, .kind, .text, .attempts, .successes, .q_value, .q_left,
    .q_init} AS k
  WHERE k.scope = scope AND k.state = 'active' AND k.kind IN ['strategy', 'concept']
  RETURN collect([k.uid, coalesce(k.text, ''), coalesce(k.attempts, -1), coalesce(k.successes, -1),
    k.kind, coalesce(k.q_value, 0.5), coalesce(k.q_left, 1.0), coalesce(k.q_init, 0.5), users]) AS used
}
CALL (ways) {
  UNWIND ways AS one
  WITH one, one[0] AS e, one[1] AS a, one[2] AS way
  WITH one, a, way,
    CASE WHEN way IN ['near', 'example'] THEN e{.text, .embedding_a} END AS own
  RETURN collect([a.uid, coalesce(own.text, ''), CASE WHEN size(own.embedding_a) = $dimension
      THEN 1.5 - 0.5 / vector.similarity.euclidean(own.embedding_a, $embedding) ELSE 0.0 END,
    coalesce(a.correct, ''), coalesce(a.actions, []), way, one[3],
    coalesce(a.q_value, 0.5), coalesce(a.q_count, 0), coalesce(a.q_left, 1.0),
    coalesce(a.q_init, 0.5), coalesce(a.q_m2, 0.0)]) AS episodes
}
CALL (found) {
  UNWIND found AS place
  WITH place, place[0] AS p
  WITH place, p{.uid, .text, .embedding_a} AS q
  RETURN collect([q.uid, coalesce(q.text, ''), CASE WHEN size(q.embedding_a) = $dimension
    THEN 1.5 - 0.5 / vector.similarity.euclidean(q.embedding_a, $embedding) ELSE 0.0 END,
    place[1], place[2], place[3]]) AS problems
}
CALL (known) {
  UNWIND known AS c
  WITH c{.uid, .text, .attempts, .successes, .embedding_a} AS k
  RETURN collect([k.uid, coalesce(k.text, ''), coalesce(k.attempts, -1), coalesce(k.successes, -1),
    CASE WHEN size(k.embedding_a) = $dimension
      THEN 1.5 - 0.5 / vector.similarity.euclidean(k.embedding_a, $embedding) ELSE 0.0 END]) AS concepts
}
RETURN problems, concepts, episodes, used
