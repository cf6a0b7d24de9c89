// End the active runs of a scope, so that they write nothing more.
//
// params:  tenant STRING, scope STRING, now ZONED DATETIME
// returns: ended INTEGER
// mode:    write
MATCH (r:Run)
  USING INDEX r:Run(scope, kind, started_at)
WHERE r.scope = $scope AND r.kind IS NOT NULL AND r.started_at IS NOT NULL AND r.tenant = $tenant AND r.kind <> 'erasure'
  AND NOT r.state IN ['done', 'undone', 'purged', 'erased']
WITH r ORDER BY r.uid
SET r.state = 'erased', r.finished_at = $now
RETURN count(*) AS ended
