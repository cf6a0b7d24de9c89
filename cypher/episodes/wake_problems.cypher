// Make problems active again that were archived with their attempts and are attempted again.
//
// params:  scope STRING, limit INTEGER, active STRING, archived STRING
// returns: woken INTEGER
// mode:    write
MATCH (c:Concept)
WHERE c.scope = $scope AND c.uid > ''
MATCH (c)-[covers:PROMOTED_FROM]->(p:Problem)
WHERE p.state = 'archived' AND EXISTS { (p)<-[:SOLVED|ATTEMPTED]-(e:Episode) WHERE e.state = 'active' }
WITH p, covers ORDER BY p.uid LIMIT $limit
DELETE covers
SET p.state = 'active', p.keys = [key IN p.keys WHERE key <> $archived] + $active
RETURN count(*) AS woken
