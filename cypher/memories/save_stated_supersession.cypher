// Join locked memories to what somebody says they replace; what was said against it before goes.
//
// params:  pairs LIST<MAP> {newer STRING, older STRING, confidence FLOAT} (sorted), now ZONED DATETIME,
//          open ZONED DATETIME (what an open beginning of validity is stored as)
// returns: saved LIST of [newer, older, scope], those that nobody had stated before
// mode:    write
UNWIND $pairs AS pair
MATCH (newer:Memory {uid: pair.newer})
MATCH (older:Memory {uid: pair.older})
WHERE newer.scope = older.scope
OPTIONAL MATCH (newer)-[apart:DISTINCT_FROM]-(older)
DELETE apart
WITH DISTINCT newer, older, pair
MERGE (newer)-[r:SUPERSEDES]->(older)
WITH newer, older, pair, r, r.found_by = 'stated' AS known
FOREACH (_ IN CASE WHEN known THEN [] ELSE [1] END |
  SET r.confidence = pair.confidence, r.evidence = null, r.found_by = 'stated', r.found_at = $now,
      r.decisive = true, r.ends = false,
      r.since = CASE WHEN newer.valid_from > $open THEN newer.valid_from ELSE newer.occurred_at END)
RETURN [pair IN collect([newer.uid, older.uid, newer.scope, coalesce(known, false)]) WHERE NOT pair[3] | pair[..3]] AS saved
