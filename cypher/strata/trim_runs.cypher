// Forget the oldest runs of a scope of the gates that are over: the latest stay.
//
// params:  scope STRING, tenant STRING, kept INTEGER
// returns: trimmed INTEGER
// mode:    write
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.started_at IS NOT NULL AND r.kind = 'gates' AND r.scope = $scope
  AND r.state IN ['undone', 'done']
WITH r ORDER BY r.started_at DESC, r.uid DESC
SKIP $kept
DELETE r
RETURN count(*) AS trimmed
