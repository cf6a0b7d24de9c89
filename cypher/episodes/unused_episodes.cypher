// Attempts not yet linked to the concept of their problem.
//
// params:  scope STRING, limit INTEGER
// returns: episode STRING, concept STRING
// mode:    read
MATCH (c:Concept)
WHERE c.scope = $scope AND c.uid > ''
MATCH (c)<-[:REQUIRES]-(:Problem)<-[:SOLVED|ATTEMPTED]-(e:Episode)
WHERE e.scope = $scope AND NOT EXISTS { (e)-[:USED]->(c) }
RETURN DISTINCT e.uid AS episode, c.uid AS concept
ORDER BY episode, concept
LIMIT $limit
