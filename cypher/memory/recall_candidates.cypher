// The candidate pool of one recall: what is near in meaning, what shares words, and their neighbours.
//
// The vector arm filters inside the index; the lexical and the tagged arm filter by hashed keys in
// their query. Neighbours are checked for their scope at each hop and for the rest at the end, behind
// a WITH: as predicates of the pattern they took the planner 20 s. A memory may come twice, the lower
// hop first. A vector of another length scores 0 instead of raising, and the euclidean form of the
// cosine takes a zero vector. Columns, not rows: half the time on the wire.
//
// params:  embedding LIST<FLOAT> (d, unit length), dimension INTEGER, scopes LIST<STRING>,
//          vector_scopes LIST<STRING> (scopes, or none where only the tagged arm can filter),
//          lexical_query STRING, tagged BOOLEAN, tagged_query STRING, kinds LIST<STRING>, strata LIST<STRING>,
//          states LIST<STRING>, phases LIST<STRING>, correct LIST<STRING>,
//          importance_min INTEGER, importance_max INTEGER,
//          occurred_from ZONED DATETIME, occurred_to ZONED DATETIME,
//          recorded_from ZONED DATETIME, recorded_to ZONED DATETIME,
//          valid_at ZONED DATETIME, unexpired_at ZONED DATETIME,
//          agent_from INTEGER, agent_to INTEGER, session_from INTEGER, session_to INTEGER,
//          domain_from INTEGER, domain_to INTEGER, model_from INTEGER, model_to INTEGER,
//          tags_any LIST<STRING>, tags_all LIST<STRING>,
//          vector_limit INTEGER, lexical_limit INTEGER, tagged_limit INTEGER,
//          expanded INTEGER (best of each arm), hub_degree INTEGER (links), hops INTEGER (0-2),
//          similar BOOLEAN (walk what the background found similar), mentioned INTEGER (terms that
//          more memories mention are passed over; 0 walks over none), mentioning INTEGER (memories
//          reached over terms at most)
// returns: one row of columns, each of length n: id, lexical FLOAT (>= 0), hop INTEGER (0-2),
//          cosine FLOAT [-1, 1], properties of Memory, edges LIST of [id, type, similarity or NULL],
//          mentions LIST of [id of the term, document_frequency]
// mode:    read
// slots:   a b
CYPHER 25
CALL () {
  MATCH (m:Memory)
    SEARCH m IN (
      VECTOR INDEX memory_embedding_a FOR $embedding
      WHERE m.scope IN $vector_scopes
        AND m.kind IN $kinds AND m.stratum IN $strata AND m.state IN $states
        AND m.phase IN $phases AND m.correct IN $correct
        AND m.importance >= $importance_min AND m.importance <= $importance_max
        AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
        AND m.recorded_at >= $recorded_from AND m.recorded_at < $recorded_to
        AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
        AND m.expires_at > $unexpired_at
        AND m.agent_key >= $agent_from AND m.agent_key <= $agent_to
        AND m.session_key >= $session_from AND m.session_key <= $session_to
        AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
        AND m.model_key >= $model_from AND m.model_key <= $model_to
      LIMIT $vector_limit
    ) SCORE AS nearness
  RETURN m, 0.0 AS lexical
UNION ALL
  CALL db.index.fulltext.queryNodes('memory_text', $lexical_query, {limit: $lexical_limit})
  YIELD node AS m, score
  WHERE m.scope IN $scopes
  RETURN m, score AS lexical
UNION ALL
  UNWIND CASE WHEN $tagged THEN [1] ELSE [] END AS _
  CALL db.index.fulltext.queryNodes('memory_text', $tagged_query, {limit: $tagged_limit})
  YIELD node AS m
  WHERE m.scope IN $scopes
  WITH m, m.embedding_a AS vector
  WITH m, CASE WHEN size(vector) = $dimension
    THEN vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END AS nearness
  ORDER BY nearness DESC, m.uid LIMIT $vector_limit
  RETURN m, 0.0 AS lexical
}
WITH collect(m) AS members, collect(lexical) AS lexicals
WITH members, lexicals, members[..$expanded] +
     [place IN range(0, size(members) - 1) WHERE lexicals[place] > 0 | members[place]][..$expanded]
     AS best
CALL (members, best) {
  UNWIND CASE WHEN $hops > 0 THEN best ELSE [] END AS seed
  WITH DISTINCT members, seed
  WHERE coalesce(seed.link_count, 0) <= $hub_degree
  MATCH (seed)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM]-(near)
  WHERE $similar OR r.similarity IS NULL
  WITH DISTINCT members, near
  WHERE NOT near IN members AND near.scope IN $scopes
  RETURN collect(near) AS linked
}
CALL (members, best, linked) {
  UNWIND CASE WHEN $hops > 0 AND $mentioned > 0 THEN best ELSE [] END AS seed
  WITH DISTINCT members, linked, seed
  MATCH (seed)-[:MENTIONS]->(t:Term)
  WITH DISTINCT members, linked, t
  WHERE t.document_frequency <= $mentioned
  MATCH (t)<-[:MENTIONS]-(near)
  WITH members, linked, near, min(t.document_frequency) AS rarity
  WHERE NOT near IN members AND NOT near IN linked AND near.scope IN $scopes
  WITH near ORDER BY rarity, near.uid LIMIT $mentioning
  RETURN collect(near) AS mentioning
}
WITH members, lexicals, linked + mentioning AS near
CALL (members, near) {
  UNWIND CASE WHEN $hops > 1 THEN near ELSE [] END AS seed
  WITH members, near, seed
  WHERE coalesce(seed.link_count, 0) <= $hub_degree
  MATCH (seed)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM]-(far)
  WHERE $similar OR r.similarity IS NULL
  WITH DISTINCT members, near, far
  WHERE NOT far IN members AND NOT far IN near AND far.scope IN $scopes
  RETURN collect(far) AS far
}
CALL (near, far) {
  UNWIND range(0, size(near) + size(far) - 1) AS place
  WITH (near + far)[place] AS m, CASE WHEN place < size(near) THEN 1 ELSE 2 END AS hop
  WHERE m.kind IN $kinds AND m.stratum IN $strata AND m.state IN $states
    AND m.phase IN $phases AND m.correct IN $correct
    AND m.importance >= $importance_min AND m.importance <= $importance_max
    AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
    AND m.recorded_at >= $recorded_from AND m.recorded_at < $recorded_to
    AND m.valid_from <= $valid_at AND m.valid_to > $valid_at
    AND m.expires_at > $unexpired_at
    AND m.agent_key >= $agent_from AND m.agent_key <= $agent_to
    AND m.session_key >= $session_from AND m.session_key <= $session_to
    AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
    AND m.model_key >= $model_from AND m.model_key <= $model_to
    AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN m.tags))
    AND all(tag IN $tags_all WHERE tag IN m.tags)
  RETURN collect(m) AS neighbours, collect(hop) AS hops
}
WITH members + neighbours AS pool, lexicals, [m IN members | 0] + hops AS hops
UNWIND range(0, size(pool) - 1) AS place
WITH pool[place] AS m, coalesce(lexicals[place], 0.0) AS lexical, hops[place] AS hop
WITH m, lexical, hop, m.embedding_a AS vector
RETURN collect(elementId(m)) AS id, collect(lexical) AS lexical, collect(hop) AS hop,
     collect(CASE WHEN size(vector) = $dimension
       THEN 1.5 - 0.5 / vector.similarity.euclidean(vector, $embedding) ELSE 0.0 END) AS cosine,
     collect(coalesce(m.uid, '')) AS uid, collect(coalesce(m.external_id, '')) AS external_id,
     collect(m.scope) AS scope, collect(coalesce(m.kind, '')) AS kind,
     collect(coalesce(m.stratum, '')) AS stratum, collect(coalesce(m.text, '')) AS text,
     collect(coalesce(m.speaker, '')) AS speaker,
     collect(coalesce(m.session_id, '')) AS session_id,
     collect(coalesce(m.tags, [])) AS tags, collect(coalesce(m.metadata, '')) AS metadata,
     collect(coalesce(m.importance, 3)) AS importance, collect(coalesce(m.q_value, 0.5)) AS q_value,
     collect(coalesce(m.q_count, 0)) AS q_count,
     collect(coalesce(m.access_count, 0)) AS access_count, collect(coalesce(m.w0, 1.0)) AS w0,
     collect(coalesce(m.w_at.epochMillis, 0)) AS w_at,
     collect(coalesce(m.occurred_at.epochMillis, 0)) AS occurred_at,
     collect([(m)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM]->(o)
       WHERE $hops > 0 AND ($similar OR r.similarity IS NULL)
       | [elementId(o), type(r), r.similarity]]) AS edges,
     collect(CASE WHEN $hops > 0 AND $mentioned > 0 THEN [(m)-[:MENTIONS]->(t:Term)
       WHERE t.document_frequency <= $mentioned | [elementId(t), t.document_frequency]]
       ELSE [] END) AS mentions
