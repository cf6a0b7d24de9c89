// Memories of a scope, in whatever state, that no erasure has marked.
//
// params:  scope STRING, limit INTEGER
// returns: uid STRING
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, recorded_at, uid)
WHERE m.scope = $scope AND m.recorded_at IS NOT NULL AND m.uid IS NOT NULL
WITH m WHERE m.erased_by IS NULL
RETURN m.uid AS uid
LIMIT $limit
