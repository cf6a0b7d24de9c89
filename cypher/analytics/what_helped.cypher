// Memories whose utility the outcomes raised or lowered most
//
// params:  scope STRING (such as agent/planner; '' is every scope), misled BOOLEAN (true: those it lowered),
//          limit INTEGER (> 0, rows at most)
// returns: text STRING, kind STRING, q_value FLOAT [0, 1], outcomes INTEGER, successes INTEGER,
//          failures INTEGER, scope STRING, uid STRING
// mode:    read
//
// :params {scope: '', misled: false, limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.q_count > 0
  AND CASE WHEN $misled THEN m.q_value < 0.5 ELSE m.q_value > 0.5 END
RETURN m.text AS text, m.kind AS kind, round(m.q_value, 3) AS q_value, m.q_count AS outcomes,
       m.success_count AS successes, m.failure_count AS failures, m.scope AS scope, m.uid AS uid
ORDER BY CASE WHEN $misled THEN q_value ELSE -q_value END, outcomes DESC, uid
LIMIT toInteger($limit)
