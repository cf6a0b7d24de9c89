// Memory: where one came from, down to its sources, drawn
//
// params:  memory STRING (a uid or an external id; '' takes the latest that came from others), scope STRING (such as
//          agent/planner; '' is every scope), limit INTEGER (> 0, paths at most)
// returns: path PATH
// mode:    read
//
// :params {memory: '', scope: '', limit: 100}
MATCH (m:Memory)-[:PROMOTED_FROM|DERIVED_FROM|PUBLISHED_FROM]->(:Memory)
WHERE m.scope ENDS WITH $scope AND ($memory = '' OR m.uid = $memory OR m.external_id = $memory)
WITH DISTINCT m ORDER BY m.recorded_at DESC, m.uid LIMIT 1
MATCH path = (m)-[:PROMOTED_FROM|DERIVED_FROM|PUBLISHED_FROM]->{1,8}(s:Memory)
WHERE NOT (s)-[:PROMOTED_FROM|DERIVED_FROM|PUBLISHED_FROM]->(:Memory)
RETURN path
ORDER BY length(path), s.uid
LIMIT toInteger($limit)
