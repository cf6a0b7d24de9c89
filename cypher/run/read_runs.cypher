// Runs of one kind, the latest first.
//
// params:  tenant STRING, kind STRING, scopes LIST<STRING>, uids LIST<STRING> (empty: any),
//          states LIST<STRING> (empty: any), limit INTEGER
// returns: run MAP of properties
// mode:    read
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.started_at IS NOT NULL AND r.kind = $kind
  AND r.scope IN $scopes AND (size($states) = 0 OR r.state IN $states)
  AND (size($uids) = 0 OR r.uid IN $uids)
RETURN r {.*} AS run
ORDER BY r.started_at DESC, r.uid DESC
LIMIT $limit
