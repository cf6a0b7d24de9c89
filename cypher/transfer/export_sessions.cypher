// Sessions, a page by scope and name; the rest of the scope that was begun, then later ones.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, after_id STRING,
//          end STRING (behind the last scope), limit INTEGER
// returns: session MAP of properties
// mode:    read
CALL () {
  MATCH (n:Session)
    USING INDEX n:Session(scope, session_id)
  WHERE n.scope = $after AND n.session_id > $after_id
    AND n.tenant = $tenant AND ($whole OR n.scope IN $scopes)
  RETURN n ORDER BY n.scope, n.session_id LIMIT $limit
UNION ALL
  MATCH (n:Session)
    USING INDEX n:Session(scope, session_id)
  WHERE n.scope > $after AND n.scope < $end AND n.session_id IS NOT NULL
    AND n.tenant = $tenant AND ($whole OR n.scope IN $scopes)
  RETURN n ORDER BY n.scope, n.session_id LIMIT $limit
}
WITH n AS s ORDER BY s.scope, s.session_id LIMIT $limit
RETURN s {.*} AS session
ORDER BY session.scope, session.session_id
