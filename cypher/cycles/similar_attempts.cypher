// Judged attempts at problems like a goal, nearest first.
//
// All filters stand inside the vector index.
//
// params:  embedding VECTOR (d, unit length), dimension INTEGER, scopes LIST<STRING>, now ZONED DATETIME,
//          nearest INTEGER (> 0)
// returns: cosine FLOAT [-1, 1], correct BOOLEAN, actions LIST<STRING>
// mode:    read
// slots:   a b
CYPHER 25
CALL () {
  MATCH (m:Episode)
    SEARCH m IN (
      VECTOR INDEX episode_embedding_a FOR $embedding
      WHERE m.scope IN $scopes AND m.state = 'active' AND m.correct IN ['true', 'false'] AND m.expires_at > $now
      LIMIT $nearest
    ) SCORE AS nearness
  RETURN m
}
RETURN CASE WHEN size(m.embedding_a) = $dimension
  THEN 1.5 - 0.5 / vector.similarity.euclidean(m.embedding_a, $embedding)
  ELSE 0.0 END AS cosine, m.correct = 'true' AS correct, coalesce(m.actions, []) AS actions
ORDER BY cosine DESC, m.uid
