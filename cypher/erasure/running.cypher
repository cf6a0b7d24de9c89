// The erasure of a subject that is under way.
//
// params:  tenant STRING, subject STRING
// returns: run MAP of properties
// mode:    read
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.started_at IS NOT NULL AND r.kind = 'erasure'
  AND r.state = 'running' AND r.subject = $subject
RETURN r {.*} AS run
ORDER BY r.started_at, r.uid
LIMIT 1
