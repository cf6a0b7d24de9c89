// The candidate pool of one recall: memories similar in meaning, those with common words, and their neighbours.
//
// For a law that weighs age and importance (part memorable) the newest of each importance are added: for any λ they
// include those with the largest I·exp(−λt). The vector arm filters inside the index; the lexical and the tagged arm
// filter by hashed keys in their query. Neighbours are checked for their scope at each hop and for the rest at the end,
// after a WITH: as predicates of the pattern they took the planner 20 s. A memory may be found twice, at the lower hop
// first. A vector of another length scores 0 instead of raising, and the euclidean form of the cosine accepts a zero
// vector. A candidate's properties are read at once. An end of validity is compared again at the end, as the indexes
// show a replacement some tenths of a second late. What every recall needs is in no part: scopes, states, validity and
// expiry.
//
// params:  embedding VECTOR (d, unit length), dimension INTEGER, scopes LIST<STRING>,
//          lexical_query STRING, tagged_query STRING, kinds LIST<STRING>, strata LIST<STRING>,
//          states LIST<STRING>, phases LIST<STRING>, correct LIST<STRING>,
//          importance_min INTEGER, importance_max INTEGER,
//          occurred_from ZONED DATETIME, occurred_to ZONED DATETIME,
//          recorded_from ZONED DATETIME, recorded_to ZONED DATETIME,
//          valid_at ZONED DATETIME, ends_after ZONED DATETIME (valid_at, or the beginning where what was replaced is
//          wanted too), unexpired_at ZONED DATETIME,
//          agent_from INTEGER, agent_to INTEGER, session_from INTEGER, session_to INTEGER,
//          domain_from INTEGER, domain_to INTEGER, model_from INTEGER, model_to INTEGER,
//          tags_any LIST<STRING>, tags_all LIST<STRING>,
//          vector_limit INTEGER, lexical_limit INTEGER, tagged_limit INTEGER,
//          expanded INTEGER (best of each arm), hub_degree INTEGER (links), hops INTEGER (1-2),
//          memorable INTEGER (memories of each importance in a scope)
// returns: one row of lists of length n: candidates LIST of [id, lexical, hop, cosine, importance, q_value, q_count,
//          q_left, q_init, q_m2, access_count, w0, w_at, occurred_at, uid, external_id, scope, kind, stratum, text,
//          speaker, session_id, tags, metadata]
//          (lexical >= 0, hop 0-2, cosine [-1, 1], times in milliseconds since 1970),
//          ended LIST<STRING> (uids of candidates that another has ended), replacing LIST<STRING> (of those that have
//          ended another; with the part replaced),
//          edges LIST of LIST of [id, type, NULL or, of what was used and lends its utility, [uid, q_value, q_left, q_init],
//          TRUE if a SUPERSEDES has ended the older] (with the part walk; what the background found similar is no edge),
//          uses LIST of [recorded_at, last_accessed_at or NULL] in milliseconds since 1970, and
//          replaced LIST of LIST of id (of what each has replaced; with the parts memorable and replaced),
//          embeddings LIST of LIST<FLOAT> (empty where a memory has none; with the part embeddings)
// mode:    read
// slots:   a b
// parts:   vectors (the arm that cannot filter by tags) filters (what a recall asks for by name) tags
//          walk (over links) replaced (what replaced others, where no walk shows it)
//          memorable (the newest of each importance, and when each candidate was used)
//          embeddings (of the candidates, for a law that compares them)
CYPHER 25
CALL () {
  //+ vectors
  MATCH (m:Memory)
    SEARCH m IN (
      VECTOR INDEX memory_embedding_a FOR $embedding
      WHERE m.scope IN $scopes
        //+ filters
        AND m.kind IN $kinds AND m.stratum IN $strata
        //- filters
        AND m.state IN $states
        //+ filters
        AND m.phase IN $phases AND m.correct IN $correct
        AND m.importance >= $importance_min AND m.importance <= $importance_max
        AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
        AND m.recorded_at >= $recorded_from AND m.recorded_at < $recorded_to
        //- filters
        AND m.valid_from <= $valid_at AND m.valid_to > $ends_after
        AND m.expires_at > $unexpired_at
        //+ filters
        AND m.agent_key >= $agent_from AND m.agent_key <= $agent_to
        AND m.session_key >= $session_from AND m.session_key <= $session_to
        AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
        AND m.model_key >= $model_from AND m.model_key <= $model_to
        //- filters
      LIMIT $vector_limit
    ) SCORE AS nearness
  RETURN m, 0.0 AS lexical
UNION ALL
  //- vectors
  CALL db.index.fulltext.queryNodes('memory_text', $lexical_query, {limit: $lexical_limit})
  YIELD node AS m, score
  WHERE m.scope IN $scopes
  RETURN m, score AS lexical
//+ tags
UNION ALL
  CALL db.index.fulltext.queryNodes('memory_text', $tagged_query, {limit: $tagged_limit})
  YIELD node AS m
  WHERE m.scope IN $scopes
  WITH m, m.embedding_a AS vector
  WITH m, CASE WHEN size(vector) = $dimension
    THEN vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END AS nearness
  ORDER BY nearness DESC, m.uid LIMIT $vector_limit
  RETURN m, 0.0 AS lexical
//- tags
//+ memorable
UNION ALL
  UNWIND $scopes AS scope
  WITH DISTINCT scope
  UNWIND range($importance_min, $importance_max) AS importance
  CALL (scope, importance) {
    MATCH (m:Memory)
      USING INDEX m:Memory(scope, importance, occurred_at)
    WHERE m.scope = scope AND m.importance = importance
      AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
      AND coalesce(m.held_until, m.valid_to) > $valid_at AND
      //+ filters
      m.kind IN $kinds AND m.stratum IN $strata AND
      //- filters
      m.state IN $states
      //+ filters
      AND m.phase IN $phases AND m.correct IN $correct
      AND m.importance >= $importance_min AND m.importance <= $importance_max
      AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
      AND m.recorded_at >= $recorded_from AND m.recorded_at < $recorded_to
      //- filters
      AND m.valid_from <= $valid_at AND m.valid_to > $ends_after
      AND m.expires_at > $unexpired_at
      //+ filters
      AND m.agent_key >= $agent_from AND m.agent_key <= $agent_to
      AND m.session_key >= $session_from AND m.session_key <= $session_to
      AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
      AND m.model_key >= $model_from AND m.model_key <= $model_to
      AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN m.tags))
      AND all(tag IN $tags_all WHERE tag IN m.tags)
      //- filters
    RETURN m
    ORDER BY m.scope DESC, m.importance DESC, m.occurred_at DESC
    LIMIT $memorable
  }
  RETURN m, 0.0 AS lexical
//- memorable
}
WITH collect(m) AS members, collect(lexical) AS lexicals
WITH members, members AS pool, lexicals, [m IN members | 0] AS hops
//+ walk
WITH members, lexicals, members[..$expanded] +
     [place IN range(0, size(members) - 1) WHERE lexicals[place] > 0 | members[place]][..$expanded]
     AS best
CALL (members, best) {
  UNWIND best AS seed
  WITH DISTINCT members, seed
  // a hub leads everywhere, and is no evidence of relevance
  WHERE coalesce(seed.link_count, 0) <= $hub_degree
  MATCH (seed)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES|MAY_SUPERSEDE]-(near)
  // following detected similarities gained nothing (ADR 80)
  WHERE r.similarity IS NULL
  WITH DISTINCT members, near
  WHERE NOT near IN members AND near.scope IN $scopes
  RETURN collect(near) AS near
}
CALL (members, near) {
  UNWIND CASE WHEN $hops > 1 THEN near ELSE [] END AS seed
  WITH members, near, seed
  WHERE coalesce(seed.link_count, 0) <= $hub_degree
  MATCH (seed)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES|MAY_SUPERSEDE]-(far)
  WHERE r.similarity IS NULL
  WITH DISTINCT members, near, far
  WHERE NOT far IN members AND NOT far IN near AND far.scope IN $scopes
  RETURN collect(far) AS far
}
CALL (near, far) {
  UNWIND range(0, size(near) + size(far) - 1) AS place
  WITH (near + far)[place] AS m, CASE WHEN place < size(near) THEN 1 ELSE 2 END AS hop
  WHERE
    //+ filters
    m.kind IN $kinds AND m.stratum IN $strata AND
    //- filters
    m.state IN $states
    //+ filters
    AND m.phase IN $phases AND m.correct IN $correct
    AND m.importance >= $importance_min AND m.importance <= $importance_max
    AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
    AND m.recorded_at >= $recorded_from AND m.recorded_at < $recorded_to
    //- filters
    AND m.valid_from <= $valid_at AND m.valid_to > $ends_after
    AND m.expires_at > $unexpired_at
    //+ filters
    AND m.agent_key >= $agent_from AND m.agent_key <= $agent_to
    AND m.session_key >= $session_from AND m.session_key <= $session_to
    AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
    AND m.model_key >= $model_from AND m.model_key <= $model_to
    AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN m.tags))
    AND all(tag IN $tags_all WHERE tag IN m.tags)
    //- filters
  RETURN collect(m) AS neighbours, collect(hop) AS hops
}
WITH members + neighbours AS pool, lexicals, [m IN members | 0] + hops AS hops
//- walk
UNWIND range(0, size(pool) - 1) AS place
WITH pool[place] AS m, coalesce(lexicals[place], 0.0) AS lexical, hops[place] AS hop
WITH m, lexical, hop, properties(m) AS p
WHERE p.uid IS NOT NULL AND p.valid_to > $ends_after AND coalesce(p.held_until, p.valid_to) > $valid_at
WITH m, lexical, hop, p, p.embedding_a AS vector
RETURN collect([elementId(m), lexical, hop,
     CASE WHEN size(vector) = $dimension
       THEN 1.5 - 0.5 / vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END,
     coalesce(p.importance, 3), coalesce(p.q_value, 0.5), coalesce(p.q_count, 0),
     coalesce(p.q_left, 1.0), coalesce(p.q_init, 0.5), coalesce(p.q_m2, 0.0),
     coalesce(p.access_count, 0), coalesce(p.w0, 1.0),
     coalesce((CASE WHEN p.grace_until > p.w_at THEN p.grace_until ELSE p.w_at END).epochMillis, 0), coalesce(p.occurred_at.epochMillis, 0),
     p.uid, p.external_id, p.scope, coalesce(p.kind, ''), coalesce(p.stratum, ''),
     coalesce(p.text, ''), p.speaker, p.session_id, coalesce(p.tags, []), p.metadata]) AS candidates,
     collect(CASE WHEN p.held_until IS NOT NULL THEN p.uid END) AS ended
     //+ replaced
     , collect(CASE WHEN EXISTS { (m)-[r:SUPERSEDES]->(:Memory) WHERE r.ends } THEN p.uid END) AS replacing
     //- replaced
     //+ memorable
     , collect([m.recorded_at.epochMillis, m.last_accessed_at.epochMillis]) AS uses
     //+ replaced
     , collect([(m)-[r:SUPERSEDES]->(o:Memory) WHERE r.since <= $valid_at | elementId(o)]) AS replaced
     //- replaced
     //- memorable
     //+ embeddings
     , collect(CASE WHEN size(vector) = $dimension THEN vector ELSE [] END) AS embeddings
     //- embeddings
     //+ walk
     , collect([(m)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES|MAY_SUPERSEDE]->(o)
       WHERE r.similarity IS NULL
       | [elementId(o), type(r),
          CASE WHEN type(r) = 'USED' AND o.scope = m.scope AND o.state = 'active'
              AND o.kind IN ['strategy', 'concept']
            THEN [o.uid, coalesce(o.q_value, 0.5), coalesce(o.q_left, 1.0), coalesce(o.q_init, 0.5)]
            END, r.ends AND r.since <= $valid_at]]) AS edges
     //- walk
