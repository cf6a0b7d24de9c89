// Remove a session's node that no removed memory removed.
//
// params:  scope STRING, session_id STRING
// returns: Session INTEGER
// mode:    write
MATCH (s:Session {scope: $scope, session_id: $session_id})
WHERE NOT EXISTS {
  MATCH (m:Memory)
  WHERE m.scope = $scope AND m.session_id = $session_id AND m.sequence IS NOT NULL
} AND NOT EXISTS {
  MATCH (m:Memory)
  WHERE m.scope = $scope AND m.session_id = $session_id AND m.stood_at IS NOT NULL
}
DETACH DELETE s
RETURN count(*) AS Session
