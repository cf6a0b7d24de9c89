// Knowledge of an agent, drawn: memories with their links
//
// Those with outcomes and links come first; the limit counts memories, before their links.
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: m Memory, r relationship, o Memory
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.state = 'active'
WITH m
ORDER BY m.q_count DESC, coalesce(m.link_count, 0) DESC, m.uid
LIMIT toInteger($limit)
OPTIONAL MATCH (m)-[r:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES]->(o:Memory)
RETURN m, r, o
