// A run of one kind that was cut off, or whose time for an undo is over and that purges then, of any tenant.
//
// One that was begun by hand is left to whoever waits for it, while that one is at it.
//
// params:  kind STRING, now ZONED DATETIME, idle_since ZONED DATETIME
// returns: run MAP of properties
// mode:    read
MATCH (r:Run)
WHERE r.uid > '' AND r.kind = $kind
  AND (r.state IN ['planning', 'running', 'undoing']
       AND (r.by <> 'hand' OR coalesce(r.asked_at, r.started_at) < $idle_since)
     OR r.state = 'done' AND r.purge_at <= $now)
RETURN r {.*} AS run
ORDER BY r.started_at, r.uid
LIMIT 1
