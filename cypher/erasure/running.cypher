// The active erasure of a subject.
//
// params:  tenant STRING, subject STRING
// returns: run MAP of properties
// mode:    read
MATCH (r:Run)
  USING INDEX r:Run(kind, state)
WHERE r.kind = 'erasure' AND r.state = 'running' AND r.tenant = $tenant AND r.subject = $subject
RETURN r {.*} AS run
ORDER BY r.started_at, r.uid
LIMIT 1
