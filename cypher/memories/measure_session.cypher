// Count the memories of a session in some scopes, up to a limit in each.
//
// params:  scopes LIST<STRING>, session_id STRING, limit INTEGER (> 0)
// returns: counted INTEGER
// mode:    read
UNWIND $scopes AS scope
CALL (scope) {
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, session_id, sequence)
  WHERE m.scope = scope AND m.session_id = $session_id AND m.sequence IS NOT NULL
  RETURN 1 AS one
  LIMIT $limit
}
RETURN count(*) AS counted
