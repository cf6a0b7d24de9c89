// Members of each channel, and their shared memories
//
// params:  scope STRING (such as channel/support or agent/planner; '' is every scope), limit INTEGER (> 0,
//          rows at most)
// returns: channel STRING, agent STRING, joined_at ZONED DATETIME, copies INTEGER, rewarded INTEGER
//          (copies with an outcome), mean_q FLOAT [0, 1] of the copies
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (a:Scope)-[member:MEMBER_OF]->(c:Scope)
WHERE c.scope ENDS WITH $scope OR a.scope ENDS WITH $scope
OPTIONAL MATCH (copy:Memory {scope: c.scope, published_by: a.name})
RETURN c.scope AS channel, a.scope AS agent, member.joined_at AS joined_at, count(copy) AS copies,
       count(CASE WHEN copy.q_count > 0 THEN 1 END) AS rewarded, round(avg(copy.q_value), 3) AS mean_q
ORDER BY channel, agent
LIMIT toInteger($limit)
