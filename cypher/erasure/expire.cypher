// Forget receipts whose time is over, the oldest first.
//
// params:  before ZONED DATETIME, limit INTEGER
// returns: expired INTEGER
// mode:    write
MATCH (r:Run)
  USING INDEX r:Run(kind, state)
WHERE r.kind = 'erasure' AND r.state = 'done' AND r.finished_at < $before
WITH r ORDER BY r.uid LIMIT $limit
DELETE r
RETURN count(*) AS expired
