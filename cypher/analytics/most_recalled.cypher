// Most recalled: memories by how often they were a result
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: text STRING, kind STRING, recalled INTEGER, last_recalled_at ZONED DATETIME,
//          q_value FLOAT [0, 1], outcomes INTEGER, uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.access_count > 0
RETURN left(m.text, 120) AS text, m.kind AS kind, m.access_count AS recalled,
       m.last_accessed_at AS last_recalled_at, round(m.q_value, 3) AS q_value,
       m.q_count AS outcomes, m.uid AS uid
ORDER BY recalled DESC, uid
LIMIT toInteger($limit)
