// Read the neighbourhood of a memory, one or two hops away, as nodes and edges.
//
// Every node is in the scopes, and a term in that of its mention. From each node a limited number is followed, by uid,
// then the rarest terms; nodes with more links than hub_degree, and terms with more mentions than mentioned, are
// returned, but not followed, unless they are the start. A term has no uid: its id is made of its scope and name. The
// edges are all between two nodes of the answer.
//
// params:  scopes LIST<STRING>, uid STRING, external_id STRING, types LIST<STRING>, hops INTEGER (1-2),
//          hub_degree INTEGER (links), mentioned INTEGER (memories), fan_out INTEGER (per node),
//          limit INTEGER (nodes)
// returns: nodes LIST<MAP>, edges LIST<MAP> {start, end, type, similarity}, truncated BOOLEAN
// mode:    read
CYPHER 25
CALL () {
  MATCH (m:Memory {uid: $uid})
  RETURN m
UNION
  UNWIND $scopes AS scope
  MATCH (m:Memory {scope: scope, external_id: $external_id})
  RETURN m
}
WITH m
WHERE m.scope IN $scopes AND m.state <> 'hidden'
ORDER BY m.uid
LIMIT 1
CALL (m) {
  MATCH (m)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES|VERSION_OF|MENTIONS]-(n)
  WHERE type(r) IN $types AND (type(r) <> 'MENTIONS' OR n.scope = m.scope)
  WITH DISTINCT m, n
  WHERE n.scope IN $scopes AND coalesce(n.state, '') <> 'hidden' AND n <> m
  WITH n
  ORDER BY n.uid, n.document_frequency, n.scope, n.name
  WITH collect(n) AS found
  RETURN found[..$fan_out] AS near, size(found) > $fan_out AS cut_near
}
CALL (m, near) {
  UNWIND CASE WHEN $hops > 1 THEN near ELSE [] END AS seed
  WITH m, near, seed
  WHERE coalesce(seed.link_count, 0) <= $hub_degree
    AND coalesce(seed.document_frequency, 0) <= $mentioned
  CALL (m, near, seed) {
    MATCH (seed)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES|VERSION_OF|MENTIONS]-(n)
    WHERE type(r) IN $types AND (type(r) <> 'MENTIONS' OR n.scope = seed.scope)
    WITH DISTINCT m, near, n
    WHERE n.scope IN $scopes AND coalesce(n.state, '') <> 'hidden' AND n <> m AND NOT n IN near
    WITH n
    ORDER BY n.uid, n.document_frequency, n.scope, n.name
    WITH collect(n) AS found
    RETURN found[..$fan_out] AS some, size(found) > $fan_out AS cut
  }
  WITH collect(some) AS groups, collect(cut) AS cuts
  CALL (groups) {
    UNWIND groups AS some
    UNWIND some AS n
    WITH DISTINCT n
    ORDER BY n.uid, n.document_frequency, n.scope, n.name
    RETURN collect(n) AS far
  }
  RETURN far, any(cut IN cuts WHERE cut) AS cut_far
}
WITH ([m] + near + far)[..$limit] AS chosen, 1 + size(near) AS closer,
     cut_near OR cut_far OR 1 + size(near) + size(far) > $limit AS truncated
WITH chosen, closer, truncated,
     [n IN chosen | CASE WHEN n:Term
       THEN 'term:' + substring(n.scope, size(n.tenant) + 1) + '/' +
            replace(replace(n.name, '%', '%25'), '/', '%2F')
       ELSE n.uid END] AS ids
CALL (chosen, ids) {
  UNWIND range(0, size(chosen) - 1) AS place
  WITH chosen, ids, chosen[place] AS a, ids[place] AS start
  MATCH (a)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES|VERSION_OF|MENTIONS]->(b)
  WHERE type(r) IN $types AND b IN chosen AND (type(r) <> 'MENTIONS' OR b.scope = a.scope)
  WITH r, start, [at IN range(0, size(chosen) - 1) WHERE chosen[at] = b | ids[at]][0] AS end
  ORDER BY start, end, type(r)
  RETURN collect({start: start, end: end, type: type(r), similarity: r.similarity}) AS edges
}
CALL (chosen, ids, closer) {
  UNWIND range(0, size(chosen) - 1) AS place
  WITH chosen[place] AS n, ids[place] AS id, place, closer
  RETURN collect(n {.kind, .state, .importance, .q_value, .occurred_at, .document_frequency,
                    id: id, text: CASE WHEN n:Term THEN n.display ELSE n.text END,
                    label: CASE WHEN n:Version THEN 'Version' WHEN n:Term THEN 'Term' ELSE 'Memory' END,
                    hop: CASE WHEN place = 0 THEN 0 WHEN place < closer THEN 1 ELSE 2 END}) AS nodes
}
RETURN nodes, edges, truncated
