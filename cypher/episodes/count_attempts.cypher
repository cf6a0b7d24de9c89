// Count attempts and successes of locked problems and strategies: by increments of new episodes, or again.
//
// Nodes without counts, and those to be recounted, are counted from their edges, in any state of the episodes; unjudged
// ones count as neither. Other changes of the edges cause a recount.
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
