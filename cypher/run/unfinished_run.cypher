// A run of one kind that was cut off, or whose time for an undo is over and that purges then, of any tenant.
//
// params:  kind STRING, now ZONED DATETIME
// returns: run MAP of properties
// mode:    read
MATCH (r:Run)
WHERE r.uid > '' AND r.kind = $kind
  AND (r.state IN ['planning', 'running', 'undoing'] OR r.state = 'done' AND r.purge_at <= $now)
RETURN r {.*} AS run
ORDER BY r.started_at, r.uid
LIMIT 1
