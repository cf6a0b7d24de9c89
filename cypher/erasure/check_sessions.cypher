// A page of sessions by scope and id, and those with a wrong end. Places are never reused.
//
// params:  scope STRING, name STRING, limit INTEGER
// returns: last LIST<STRING> [scope, session_id] or NULL, seen INTEGER, sessions LIST<LIST<STRING>>
// mode:    read
MATCH (n:Session)
WHERE n.scope >= $scope AND n.session_id IS NOT NULL
WITH n
WHERE n.scope > $scope OR n.session_id > $name
WITH n ORDER BY n.scope, n.session_id LIMIT $limit
CALL (n) {
  OPTIONAL MATCH (m:Memory)
    USING INDEX m:Memory(scope, session_id, sequence)
  WHERE m.scope = n.scope AND m.session_id = n.session_id AND m.sequence IS NOT NULL
  RETURN m
  ORDER BY m.sequence DESC
  LIMIT 1
}
CALL (n) {
  OPTIONAL MATCH (s:Memory)
    USING INDEX s:Memory(scope, session_id, stood_at)
  WHERE s.scope = n.scope AND s.session_id = n.session_id AND s.stood_at IS NOT NULL
  RETURN s.stood_at AS kept
  ORDER BY s.stood_at DESC
  LIMIT 1
}
WITH n, m IS NULL AND kept IS NULL OR coalesce(n.tail_uid, '') <> coalesce(m.uid, '')
  OR any(place IN [m.sequence, kept] WHERE place > coalesce(n.last_sequence, place - 1)) AS wrong
WITH collect([n.scope, n.session_id]) AS page, collect(CASE WHEN wrong THEN [n.scope, n.session_id] END) AS sessions
RETURN CASE WHEN size(page) > 0 THEN page[-1] END AS last, size(page) AS seen, sessions
