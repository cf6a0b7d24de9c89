// End what is at work in a scope, so that it writes nothing more there.
//
// params:  tenant STRING, scope STRING, now ZONED DATETIME
// returns: ended INTEGER
// mode:    write
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.started_at IS NOT NULL AND r.scope = $scope AND r.kind <> 'erasure'
  AND NOT r.state IN ['done', 'undone', 'purged', 'erased']
WITH r ORDER BY r.uid
SET r.state = 'erased', r.finished_at = $now
RETURN count(*) AS ended
