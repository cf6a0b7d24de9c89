// Channels as a graph: what was published in each, and its copies
//
// params:  scope STRING (such as channel/support or agent/planner; '' is every scope), limit INTEGER (> 0,
//          rows at most)
// returns: channel Channel, shared SHARED_WITH, m Memory (the original), published PUBLISHED_FROM,
//          copy Memory
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (copy:Memory)-[published:PUBLISHED_FROM]->(m:Memory)-[shared:SHARED_WITH]->(channel:Channel {scope: copy.scope})
WHERE copy.scope ENDS WITH $scope OR m.scope ENDS WITH $scope
RETURN channel, shared, m, published, copy
ORDER BY copy.published_at DESC, copy.uid
LIMIT toInteger($limit)
