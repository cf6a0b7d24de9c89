// A run that was cut off, or whose grace is over, of any tenant.
//
// params:  now ZONED DATETIME
// returns: run MAP of properties
// mode:    read
MATCH (r:Run)
WHERE r.uid > '' AND r.kind = 'collect'
  AND (r.state IN ['running', 'undoing'] OR r.state = 'done' AND r.purge_at <= $now)
RETURN r {.*} AS run
ORDER BY r.started_at, r.uid
LIMIT 1
