// An erasure that is not done, of any tenant, the oldest first.
//
// params:
// returns: uid STRING
// mode:    read
MATCH (r:Run)
WHERE r.uid > '' AND r.kind = 'erasure' AND r.state = 'running'
RETURN r.uid AS uid
ORDER BY r.started_at, r.uid
LIMIT 1
