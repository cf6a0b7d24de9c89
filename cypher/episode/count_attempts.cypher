// Count anew how often problems and strategies were attempted, and how often with success.
//
// It counts what hangs on them now, in whatever state, so it is true whatever was done to the episodes;
// one that nobody judged counts as neither. The nodes are locked.
//
// params:  uids LIST<STRING> (sorted)
// returns: counted INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (t:Memory {uid: uid})
WHERE t:Problem OR t:Strategy
CALL (t) {
  OPTIONAL MATCH (e:Episode)-[:SOLVED|ATTEMPTED|USED]->(t)
  WITH DISTINCT e
  RETURN count(CASE WHEN e.correct <> '' THEN 1 END) AS attempts,
         count(CASE WHEN e.correct = 'true' THEN 1 END) AS successes
}
SET t.attempts = attempts, t.successes = successes
RETURN count(*) AS counted
