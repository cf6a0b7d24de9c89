// Tags, how often they are used, and what the outcomes say of them
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: tag STRING, memories INTEGER, learned INTEGER (memories with an outcome), mean_q FLOAT
//          [0, 1]
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
UNWIND m.tags AS tag
RETURN tag, count(*) AS memories, count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned,
       round(avg(m.q_value), 3) AS mean_q
ORDER BY memories DESC, tag
LIMIT toInteger($limit)
