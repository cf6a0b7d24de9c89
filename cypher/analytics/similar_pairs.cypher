// Near duplicates: the most similar pairs of memories
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: one Memory, near SIMILAR_TO, other Memory
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (one:Memory)-[near:SIMILAR_TO]->(other:Memory)
WHERE one.scope ENDS WITH $scope
RETURN one, near, other
ORDER BY coalesce(near.similarity, 1.0) DESC, one.uid, other.uid
LIMIT toInteger($limit)
