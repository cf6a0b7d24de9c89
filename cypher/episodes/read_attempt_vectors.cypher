// Read the vectors of attempts, and the concepts that their problems need.
//
// params:  uids LIST<STRING>, scopes LIST<STRING>
// returns: one row, which takes the driver less time than many: attempts LIST<MAP> {uid STRING,
//          embedding VECTOR (float32) or NULL, concepts LIST<STRING>}
// mode:    read
// slots:   a b
CYPHER 25
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.scope IN $scopes
WITH m.uid AS uid, vector(m.embedding_a, size(m.embedding_a), FLOAT32) AS embedding, COLLECT {
  MATCH (m)-[:SOLVED|ATTEMPTED]->(:Problem)-[:REQUIRES]->(c:Concept)
  WHERE c.scope IN $scopes
  RETURN c.uid } AS concepts
RETURN collect({uid: uid, embedding: embedding, concepts: concepts}) AS attempts
