// Find sources of marked memories that are kept: condensed ones, and problems that required a concept.
//
// params:  run STRING, limit INTEGER
// returns: uid STRING
// mode:    read
MATCH (made:Memory {erased_by: $run})
CALL (made) {
  MATCH (made)-[:PROMOTED_FROM]->(m:Memory)
  WHERE m.erased_by IS NULL
  RETURN m
UNION
  MATCH (made)<-[:REQUIRES]-(m:Problem)
  WHERE made:Concept AND m.erased_by IS NULL AND m.matched_at IS NOT NULL
  RETURN m
}
RETURN DISTINCT m.uid AS uid
LIMIT $limit
