// Remove a session that no memory is left of.
//
// params:  scope STRING, session_id STRING
// returns: deleted INTEGER
// mode:    write
MATCH (s:Session {scope: $scope, session_id: $session_id})
DETACH DELETE s
RETURN count(*) AS deleted
