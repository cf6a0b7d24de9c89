// One session to read, turn by turn
//
// params:  session_id STRING ('' takes the newest), scope STRING (such as agent/planner; '' is
//          every scope), limit INTEGER (> 0, rows at most)
// returns: session_id STRING, sequence INTEGER, occurred_at ZONED DATETIME, speaker STRING,
//          text STRING, q_value FLOAT [0, 1]
// mode:    read
//
// :params {session_id: '', scope: '', limit: 100}
MATCH (s:Session)
WHERE s.scope ENDS WITH $scope AND ($session_id = '' OR s.session_id = $session_id)
WITH s
ORDER BY s.started_at DESC, s.scope, s.session_id
LIMIT 1
MATCH (m:Memory {scope: s.scope, session_id: s.session_id})
RETURN m.session_id AS session_id, m.sequence AS sequence, m.occurred_at AS occurred_at,
       m.speaker AS speaker, m.text AS text, round(m.q_value, 3) AS q_value
ORDER BY sequence
LIMIT toInteger($limit)
