// What surrounds a memory, one or two hops away, as nodes and edges to draw.
//
// Every node lies in the scopes. From each node at most so many are followed, in the order of their
// uids; what has more links than hub_degree is shown, but not passed, unless it is the one asked
// about. The edges are all that join two nodes of the answer.
//
// params:  scopes LIST<STRING>, uid STRING, external_id STRING, types LIST<STRING>, hops INTEGER (1-2),
//          hub_degree INTEGER (links), fan_out INTEGER (per node), limit INTEGER (nodes)
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
  MATCH (m)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|VERSION_OF]-(n)
  WHERE type(r) IN $types
  WITH DISTINCT m, n
  WHERE n.scope IN $scopes AND coalesce(n.state, '') <> 'hidden' AND n <> m
  WITH n
  ORDER BY n.uid
  WITH collect(n) AS found
  RETURN found[..$fan_out] AS near, size(found) > $fan_out AS cut_near
}
CALL (m, near) {
  UNWIND CASE WHEN $hops > 1 THEN near ELSE [] END AS seed
  WITH m, near, seed
  WHERE coalesce(seed.link_count, 0) <= $hub_degree
  CALL (m, near, seed) {
    MATCH (seed)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|VERSION_OF]-(n)
    WHERE type(r) IN $types
    WITH DISTINCT m, near, n
    WHERE n.scope IN $scopes AND coalesce(n.state, '') <> 'hidden' AND n <> m AND NOT n IN near
    WITH n
    ORDER BY n.uid
    WITH collect(n) AS found
    RETURN found[..$fan_out] AS some, size(found) > $fan_out AS cut
  }
  WITH collect(some) AS groups, collect(cut) AS cuts
  CALL (groups) {
    UNWIND groups AS some
    UNWIND some AS n
    WITH DISTINCT n
    ORDER BY n.uid
    RETURN collect(n) AS far
  }
  RETURN far, any(cut IN cuts WHERE cut) AS cut_far
}
WITH ([m] + near + far)[..$limit] AS chosen, 1 + size(near) AS closer,
     cut_near OR cut_far OR 1 + size(near) + size(far) > $limit AS truncated
CALL (chosen) {
  UNWIND chosen AS a
  MATCH (a)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|VERSION_OF]->(b)
  WHERE type(r) IN $types AND b IN chosen
  WITH a, r, b
  ORDER BY a.uid, b.uid, type(r)
  RETURN collect({start: a.uid, end: b.uid, type: type(r), similarity: r.similarity}) AS edges
}
CALL (chosen, closer) {
  UNWIND range(0, size(chosen) - 1) AS place
  WITH chosen[place] AS n, place, closer
  RETURN collect(n {.uid, .kind, .text, .state, .importance, .q_value, .occurred_at,
                    label: CASE WHEN n:Version THEN 'Version' ELSE 'Memory' END,
                    hop: CASE WHEN place = 0 THEN 0 WHEN place < closer THEN 1 ELSE 2 END}) AS nodes
}
RETURN nodes, edges, truncated
