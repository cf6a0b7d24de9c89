// Utility: what memories are worth in a context, beside what they are worth at large
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: text STRING, context STRING, here FLOAT [0, 1], at_large FLOAT [0, 1],
//          difference FLOAT, rewards_here INTEGER, rewards INTEGER, uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)-[:ESTIMATED]->(e:Estimate)
WHERE m.scope ENDS WITH $scope
RETURN left(m.text, 120) AS text, e.context AS context, round(e.q_value, 4) AS here,
       round(m.q_value, 4) AS at_large, round(e.q_value - m.q_value, 4) AS difference,
       e.q_count AS rewards_here, m.q_count AS rewards, m.uid AS uid
ORDER BY abs(e.q_value - m.q_value) DESC, uid, context
LIMIT toInteger($limit)
