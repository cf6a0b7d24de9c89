// Hubs: memories with the most links, which traversal may pass over
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: text STRING, kind STRING, links INTEGER (as counted for traversal), in_graph INTEGER
//          (all links and NEXT), q_value FLOAT [0, 1], uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
WITH m
ORDER BY coalesce(m.link_count, 0) DESC, m.uid
LIMIT toInteger($limit)
RETURN left(m.text, 120) AS text, m.kind AS kind, coalesce(m.link_count, 0) AS links,
       COUNT { (m)-[:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM]-(:Memory) } AS in_graph, round(m.q_value, 3) AS q_value, m.uid AS uid
ORDER BY links DESC, uid
