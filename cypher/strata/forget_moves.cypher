// Delete moves that can no longer be undone, the oldest first.
//
// params:  before ZONED DATETIME, now ZONED DATETIME, limit INTEGER
// returns: forgotten INTEGER
// mode:    write
MATCH (t:Transition)
WHERE t.at < $before
OPTIONAL MATCH (r:Run {uid: t.run_uid})
WITH t, r
WHERE r IS NULL OR r.undo_until < $now
WITH t ORDER BY t.at LIMIT $limit
DELETE t
RETURN count(*) AS forgotten
