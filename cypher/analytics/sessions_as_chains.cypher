// Sessions as chains, drawn: the newest, each from its first turn to its last
//
// params:  session_id STRING ('' is every session), scope STRING (such as agent/planner; '' is
//          every scope), sessions INTEGER (> 0, how many)
// returns: m Memory, next NEXT, after Memory
// mode:    read
//
// :params {session_id: '', scope: '', sessions: 10}
MATCH (s:Session)
WHERE s.scope ENDS WITH $scope AND ($session_id = '' OR s.session_id = $session_id)
WITH s
ORDER BY s.started_at DESC, s.scope, s.session_id
LIMIT toInteger($sessions)
MATCH (m:Memory {scope: s.scope, session_id: s.session_id})
OPTIONAL MATCH (m)-[next:NEXT]->(after:Memory)
RETURN m, next, after
ORDER BY s.started_at DESC, s.session_id, m.sequence
