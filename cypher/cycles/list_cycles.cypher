// Cycles of some scopes, the newest first.
//
// params:  scopes LIST<STRING>, states LIST<STRING> (empty: any), before STRING (a uid), limit INTEGER
// returns: cycle MAP of properties
// mode:    read
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
