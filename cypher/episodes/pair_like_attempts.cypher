// Pairs of attempts whose problems are alike: near in meaning, or in need of one concept.
//
// params:  wrong LIST<STRING>, right LIST<STRING> (uids, one for each problem), scopes LIST<STRING>,
//          similarity FLOAT (least cosine)
// returns: wrong STRING, right STRING
// mode:    read
// slots:   a b
CYPHER 25
UNWIND $wrong AS uid
MATCH (w:Memory {uid: uid})
WHERE w.scope IN $scopes
WITH collect([uid, w.embedding_a, COLLECT {
  MATCH (w)-[:SOLVED|ATTEMPTED]->(:Problem)-[:REQUIRES]->(c:Concept)
  WHERE c.scope IN $scopes
  RETURN c.uid }]) AS lost
UNWIND $right AS uid
MATCH (r:Memory {uid: uid})
WHERE r.scope IN $scopes
WITH lost, uid, r.embedding_a AS embedding, COLLECT {
  MATCH (r)-[:SOLVED|ATTEMPTED]->(:Problem)-[:REQUIRES]->(c:Concept)
  WHERE c.scope IN $scopes
  RETURN c.uid } AS concepts
UNWIND lost AS row
WITH row[0] AS wrong, uid AS right, any(concept IN concepts WHERE concept IN row[2]) AS shares,
     CASE WHEN size(embedding) = size(row[1])
       THEN 1.5 - 0.5 / vector.similarity.euclidean(embedding, row[1]) ELSE 0.0 END AS nearness
WHERE shares OR nearness >= $similarity
RETURN wrong, right
ORDER BY wrong, right
