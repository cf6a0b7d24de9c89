// Cycles of a scope that ended since a time, the latest first.
//
// params:  scope STRING, since ZONED DATETIME, limit INTEGER
// returns: cycle MAP of properties
// mode:    read
MATCH (c:Cycle)
  USING INDEX c:Cycle(scope, ended_at)
WHERE c.scope = $scope AND c.ended_at >= $since
WITH c ORDER BY c.ended_at DESC, c.uid DESC LIMIT $limit
RETURN c {.uid, .status, .state, .mode, .phase, .repairs, .failures, .parts, .confidence, .tools, .ended_at} AS cycle
