// An interrupted run of one kind, or one to be purged after its period for undo, of any tenant.
//
// A run of a request is left to that request while it is active.
//
// params:  kind STRING, now ZONED DATETIME, idle_since ZONED DATETIME
// returns: run MAP of properties
// mode:    read
CALL () {
  MATCH (r:Run)
    USING INDEX r:Run(kind, state)
  WHERE r.kind = $kind AND r.state IN ['planning', 'running', 'undoing']
    AND (r.by <> 'hand' OR coalesce(r.asked_at, r.started_at) < $idle_since)
  RETURN r
UNION
  MATCH (r:Run)
    USING INDEX r:Run(kind, state, purge_at)
  WHERE r.kind = $kind AND r.state = 'done' AND r.purge_at <= $now
  RETURN r
}
WITH r
WHERE r.put_off_until IS NULL OR r.put_off_until <= $now
RETURN r {.*} AS run
ORDER BY run.started_at, run.uid
LIMIT 1
