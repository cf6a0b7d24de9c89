// Open cycles that nobody touched since a time, the longest first.
//
// params:  before ZONED DATETIME, limit INTEGER
// returns: uid STRING, scope STRING, touched_at ZONED DATETIME
// mode:    read
MATCH (c:Cycle)
  USING INDEX c:Cycle(state, touched_at)
WHERE c.state = 'open' AND c.touched_at < $before
RETURN c.uid AS uid, c.scope AS scope, c.touched_at AS touched_at
ORDER BY c.touched_at, c.uid
LIMIT $limit
