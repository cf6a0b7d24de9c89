// Count how often problems and strategies were attempted, and how often with success: on by what new episodes bring, or
// anew.
//
// What was never counted, or is to be counted anew, is counted from its edges, in whatever state the episodes are; one
// that nobody judged counts as neither. The nodes are locked; whatever else changes what hangs on them has them counted
// anew.
//
// params:  rows LIST<MAP> {uid STRING, attempts INTEGER or NULL, successes INTEGER or NULL} (sorted; what is added, or
//          NULL to count anew)
// returns: counted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (t:Memory {uid: row.uid})
WHERE t:Problem OR t:Strategy
CALL (t, row) {
  WITH t, row
  WHERE t.attempts IS NOT NULL AND row.attempts IS NOT NULL
  RETURN t.attempts + row.attempts AS attempts, t.successes + row.successes AS successes
UNION ALL
  WITH t, row
  WHERE t.attempts IS NULL OR row.attempts IS NULL
  OPTIONAL MATCH (e:Episode)-[:SOLVED|ATTEMPTED|USED]->(t)
  WITH DISTINCT t, e
  WITH t, count(CASE WHEN e.correct <> '' THEN 1 END) AS attempts,
       count(CASE WHEN e.correct = 'true' THEN 1 END) AS successes
  RETURN attempts, successes
}
SET t.attempts = attempts, t.successes = successes
RETURN count(*) AS counted
