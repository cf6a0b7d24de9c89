// Scopes: memories, sessions and utility of each
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: scope STRING, memories INTEGER, kinds LIST<STRING>, sessions INTEGER, learned INTEGER
//          (memories with an outcome), mean_q FLOAT [0, 1], newest ZONED DATETIME
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
RETURN m.scope AS scope, count(*) AS memories, collect(DISTINCT m.kind) AS kinds,
       count(DISTINCT nullIf(m.session_id, '')) AS sessions,
       count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned,
       round(avg(m.q_value), 3) AS mean_q, max(m.recorded_at) AS newest
ORDER BY memories DESC, scope
LIMIT toInteger($limit)
