// Find the memories that concepts of a scope, or one of them, have archived.
//
// params:  scope STRING, concept STRING or NULL, limit INTEGER
// returns: uid STRING, concept STRING
// mode:    read
MATCH (c:Concept)
WHERE c.scope = $scope AND c.uid > '' AND ($concept IS NULL OR c.uid = $concept)
MATCH (c)-[:PROMOTED_FROM]->(m:Memory)
WHERE m:Episode OR m:Problem
RETURN m.uid AS uid, c.uid AS concept
ORDER BY uid, concept
LIMIT $limit
