// Forget the oldest runs of one kind in a scope that are over: the latest stay.
//
// params:  scope STRING, tenant STRING, kind STRING, over LIST<STRING> (states), kept INTEGER
// returns: trimmed INTEGER
// mode:    write
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.started_at IS NOT NULL AND r.kind = $kind AND r.scope = $scope
  AND r.state IN $over
WITH r ORDER BY r.started_at DESC, r.uid DESC
SKIP $kept
DELETE r
RETURN count(*) AS trimmed
