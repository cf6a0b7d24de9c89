// The neighbourhood of one memory, drawn two steps wide
//
// params:  memory STRING (uid or external id; '' takes the one with most links), scope STRING (such
//          as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: m Memory, path PATH
// mode:    read
//
// :params {memory: '', scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
  AND ($memory = '' OR m.uid = $memory OR m.external_id = $memory)
WITH m
ORDER BY coalesce(m.link_count, 0) DESC, m.uid
LIMIT 1
OPTIONAL MATCH path = (m)-[:NEXT|SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM|SUPERSEDES]-{1,2}(o:Memory)
RETURN m, path
ORDER BY length(path), o.uid
LIMIT toInteger($limit)
