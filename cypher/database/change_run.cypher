// Move a run on that this transaction has locked.
//
// params:  uid STRING, state STRING, finished_at ZONED DATETIME or NULL, added MAP (of counts)
// returns: changed INTEGER
// mode:    write
CYPHER 25
MATCH (r:Run {uid: $uid})
SET r.state = $state, r.finished_at = coalesce($finished_at, r.finished_at)
FOREACH (name IN keys($added) | SET r[name] = coalesce(r[name], 0) + $added[name])
RETURN count(*) AS changed
