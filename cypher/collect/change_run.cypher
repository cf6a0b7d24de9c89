// Move a run on that this transaction has locked.
//
// params:  uid STRING, state STRING, collected INTEGER, restored INTEGER, purged INTEGER, duplicate INTEGER,
//          low_confidence INTEGER, never_useful INTEGER (all added), finished_at ZONED DATETIME or NULL
// returns: changed INTEGER
// mode:    write
MATCH (r:Run {uid: $uid})
SET r.state = $state, r.collected = r.collected + $collected, r.restored = r.restored + $restored,
    r.purged = r.purged + $purged, r.duplicate = r.duplicate + $duplicate,
    r.low_confidence = r.low_confidence + $low_confidence,
    r.never_useful = r.never_useful + $never_useful,
    r.finished_at = coalesce($finished_at, r.finished_at)
RETURN count(*) AS changed
