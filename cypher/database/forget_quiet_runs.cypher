// Forget the run of one kind in a scope that changed nothing: the next one takes its place.
//
// params:  scope STRING, kind STRING
// returns: forgotten INTEGER
// mode:    write
MATCH (r:Run)
  USING INDEX r:Run(scope, kind, started_at)
WHERE r.scope = $scope AND r.kind = $kind AND r.started_at IS NOT NULL AND r.quiet AND r.state = 'done'
DELETE r
RETURN count(*) AS forgotten
