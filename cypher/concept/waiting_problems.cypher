// Problems of a scope that were attempted and have no concept: those never looked at first, then the longest ago.
//
// Each comes with some of its attempts, the right ones first, and with the problems near it: by its vector, whatever
// their state, and those it was linked to. The problem itself is among them.
//
// params:  scope STRING, limit INTEGER, nearest INTEGER, dimension INTEGER
// returns: problem MAP {uid, name, text, domain, concept, attempts LIST of [uid, name, right BOOLEAN, actions]},
//          near LIST of MAP {problem MAP, similarity FLOAT [-1, 1]}, uid STRING
// mode:    read
// slots:   a b
CYPHER 25
MATCH (p:Problem)
WHERE p.scope = $scope AND p.uid > '' AND p.state <> 'hidden' AND size(p.embedding_a) = $dimension
  AND EXISTS { (p)<-[:SOLVED|ATTEMPTED]-(:Episode) } AND NOT EXISTS { (p)-[:REQUIRES]->(:Concept) }
WITH p
ORDER BY coalesce(p.matched_at, datetime({year: 1})), p.uid
LIMIT $limit
WITH p, p.scope AS scope, p.embedding_a AS vector
CALL (scope, vector) {
  MATCH (m:Memory)
    SEARCH m IN (
      VECTOR INDEX memory_embedding_a FOR vector
      WHERE m.scope = scope AND m.kind = 'problem' AND m.state IN ['active', 'archived']
      LIMIT $nearest
    ) SCORE AS nearness
  RETURN collect([m, 1.5 - 0.5 / vector.similarity.euclidean(vector, m.embedding_a)]) AS found
}
WITH p, found + [(p)-[link:SIMILAR_TO]-(m:Problem) WHERE m.scope = $scope AND m.state <> 'hidden' |
                 [m, coalesce(link.similarity, 1.0)]] AS found
UNWIND found AS pair
WITH p, pair[0] AS m, max(pair[1]) AS similarity
CALL (m) {
  OPTIONAL MATCH (e:Episode)-[way:SOLVED|ATTEMPTED]->(m)
  WHERE e.state <> 'hidden'
  WITH e, type(way) = 'SOLVED' AS right
  ORDER BY right DESC, e.q_value DESC, e.recorded_at DESC, e.uid
  LIMIT 20
  RETURN [row IN collect([e.uid, coalesce(e.external_id, e.uid), right, coalesce(e.actions, [])]) WHERE row[0] IS NOT NULL] AS attempts
}
WITH p, similarity, m {.uid, .text, .domain, name: coalesce(m.external_id, m.uid), attempts,
  concept: head([(m)-[:REQUIRES]->(c:Concept) WHERE c.state <> 'hidden' | c.uid])} AS problem
ORDER BY p.uid, similarity DESC, problem.uid
RETURN head(collect(CASE WHEN problem.uid = p.uid THEN problem END)) AS problem,
       collect({problem: problem, similarity: similarity}) AS near, p.uid AS uid
ORDER BY uid
