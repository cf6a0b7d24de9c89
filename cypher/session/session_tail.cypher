// Where a session ends, seen from its memories.
//
// params:  scope STRING, session_id STRING
// returns: uid STRING, sequence INTEGER
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, session_id, sequence)
WHERE m.scope = $scope AND m.session_id = $session_id AND m.sequence >= -9223372036854775807
RETURN m.uid AS uid, m.sequence AS sequence
ORDER BY m.sequence DESC
LIMIT 1
