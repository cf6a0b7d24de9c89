// Attempted problems of a scope without a concept: new ones first, then those examined the longest ago.
//
// Each comes with similar problems: by its vector, in any state, and by its links. The problem itself is among them.
//
// params:  scope STRING, limit INTEGER, nearest INTEGER, dimension INTEGER
// returns: uid STRING, near LIST of [uid, similarity FLOAT [-1, 1]]
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
WITH p, pair[0].uid AS near, max(pair[1]) AS similarity
ORDER BY p.uid, similarity DESC, near
RETURN p.uid AS uid, collect([near, similarity]) AS near
ORDER BY uid
