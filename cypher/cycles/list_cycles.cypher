// Cycles, of some scopes the newest first.
//
// params:  scopes LIST<STRING>, states LIST<STRING> (empty: any), before STRING (a uid), limit INTEGER, scope STRING,
//          since ZONED DATETIME, untouched_since ZONED DATETIME
// returns: cycle MAP of properties (of ended and stale ones those that are looked at)
// mode:    read
// choices: newest (of some scopes) ended (of a scope since a time, the latest first) stale (open ones that nobody touched
//          since a time, the longest first)
//= newest
UNWIND $scopes AS scope
CALL (scope) {
  MATCH (c:Cycle)
    USING INDEX c:Cycle(scope, started_at, uid)
  WHERE c.scope = scope AND c.started_at IS NOT NULL AND c.uid < $before
    AND (size($states) = 0 OR c.state IN $states)
  RETURN c
  ORDER BY c.started_at DESC, c.uid DESC
  LIMIT $limit
}
RETURN c {.*} AS cycle
ORDER BY c.uid DESC
LIMIT $limit
//= ended stale
//| MATCH (c:Cycle)
//= ended
//|   USING INDEX c:Cycle(scope, ended_at)
//| WHERE c.scope = $scope AND c.ended_at >= $since
//| WITH c ORDER BY c.ended_at DESC, c.uid DESC LIMIT $limit
//= stale
//|   USING INDEX c:Cycle(state, touched_at)
//| WHERE c.state = 'open' AND c.touched_at < $untouched_since
//| WITH c ORDER BY c.touched_at, c.uid LIMIT $limit
//= ended stale
//| RETURN c {.uid, .scope, .status, .state, .mode, .phase, .repairs, .failures, .parts, .confidence, .tools, .touched_at,
//|           .ended_at} AS cycle
//= stale
//| ORDER BY c.touched_at, c.uid
//=
