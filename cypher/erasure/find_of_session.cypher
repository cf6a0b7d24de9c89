// Memories of a session, in whatever state, that no erasure has marked; also those that left their places in it to what
// they were condensed to.
//
// params:  scope STRING, session_id STRING, limit INTEGER
// returns: uid STRING
// mode:    read
CALL () {
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, session_id, sequence)
  WHERE m.scope = $scope AND m.session_id = $session_id AND m.sequence IS NOT NULL
  WITH m WHERE m.erased_by IS NULL
  RETURN m.uid AS uid
  LIMIT $limit
UNION
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, session_id, stood_at)
  WHERE m.scope = $scope AND m.session_id = $session_id AND m.stood_at IS NOT NULL
  WITH m WHERE m.erased_by IS NULL
  RETURN m.uid AS uid
  LIMIT $limit
}
RETURN uid
LIMIT $limit
