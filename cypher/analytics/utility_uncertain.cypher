// Utility: whose Q is least sure, though it was recalled
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: text STRING, kind STRING, q_value FLOAT, evidence FLOAT [0, 1] (share of the Q that rewards
//          have made), variance FLOAT, rewards INTEGER, recalled INTEGER, scope STRING, uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.access_count > 0 AND m.q_value >= 0
RETURN left(m.text, 120) AS text, m.kind AS kind, round(m.q_value, 4) AS q_value,
       round(1 - coalesce(m.q_left, 1.0), 4) AS evidence,
       round(coalesce(m.q_m2, 0.0), 4) AS variance, m.q_count AS rewards,
       m.access_count AS recalled, m.scope AS scope, m.uid AS uid
ORDER BY evidence, variance DESC, recalled DESC, uid
LIMIT toInteger($limit)
