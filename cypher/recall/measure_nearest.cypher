// Measure the similarity of a vector to the nearest active memories of some scopes.
//
// All filters are inside the vector index; a vector of another length counts as dissimilar.
//
// params:  embedding VECTOR (d, unit length), dimension INTEGER, scopes LIST<STRING>, now ZONED DATETIME,
//          nearest INTEGER (> 0)
// returns: cosine FLOAT [-1, 1]; judged: cosine FLOAT [-1, 1], correct BOOLEAN, actions LIST<STRING>
// mode:    read
// slots:   a b
// choices: memories judged (attempts at problems, nearest first)
CYPHER 25
CALL () {
//= memories
  MATCH (m:Memory)
    SEARCH m IN (
      VECTOR INDEX memory_embedding_a FOR $embedding
      WHERE m.scope IN $scopes AND m.state = 'active' AND m.expires_at > $now
//= judged
//|   MATCH (m:Episode)
//|     SEARCH m IN (
//|       VECTOR INDEX episode_embedding_a FOR $embedding
//|       WHERE m.scope IN $scopes AND m.state = 'active' AND m.correct IN ['true', 'false'] AND m.expires_at > $now
//=
      LIMIT $nearest
    ) SCORE AS nearness
  RETURN m
}
RETURN CASE WHEN size(m.embedding_a) = $dimension
  THEN 1.5 - 0.5 / vector.similarity.euclidean(m.embedding_a, $embedding)
  ELSE 0.0 END AS cosine
//= judged
//|   , m.correct = 'true' AS correct, coalesce(m.actions, []) AS actions
//| ORDER BY cosine DESC, m.uid
//=
