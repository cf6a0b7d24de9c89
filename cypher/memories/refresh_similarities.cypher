// Recompute similarities of memories; those below the limit are removed.
//
// Links without a similarity are a client's, and are kept.
//
// params:  uids LIST<STRING> (sorted), least_similarity FLOAT [-1, 1], dimension INTEGER
// returns: parted LIST<STRING>, the other ends
// mode:    write
// slots:   a b
CYPHER 25
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})-[r:SIMILAR_TO]-(o:Memory)
WHERE r.similarity IS NOT NULL
WITH r, o, m.embedding_a AS a, o.embedding_a AS b
WITH r, o, CASE WHEN size(a) = $dimension AND size(b) = $dimension
  THEN 1.5 - 0.5 / vector.similarity.euclidean(a, b) ELSE -1.0 END AS similarity
WITH o, r, similarity, similarity < $least_similarity AS far
FOREACH (_ IN CASE WHEN far THEN [] ELSE [1] END | SET r.similarity = similarity)
FOREACH (_ IN CASE WHEN far THEN [1] ELSE [] END | DELETE r)
WITH o, far WHERE far
RETURN collect(DISTINCT o.uid) AS parted
