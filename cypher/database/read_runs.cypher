// Runs of one kind.
//
// params:  kind STRING, scopes LIST<STRING>, states LIST<STRING> (empty: any), limit INTEGER, uid STRING
// returns: run MAP of properties
// mode:    read
// choices: latest (of scopes) one (by its uid)
//= latest
UNWIND $scopes AS scope
CALL (scope) {
  MATCH (r:Run)
    USING INDEX r:Run(scope, kind, started_at)
  WHERE r.scope = scope AND r.kind = $kind AND r.started_at IS NOT NULL
    AND (size($states) = 0 OR r.state IN $states)
  RETURN r
  ORDER BY r.started_at DESC, r.uid DESC
  LIMIT $limit
}
//= one
//| MATCH (r:Run {uid: $uid})
//| WHERE r.kind = $kind
//=
RETURN r {.*} AS run
//= latest
ORDER BY run.started_at DESC, run.uid DESC
LIMIT $limit
//=
