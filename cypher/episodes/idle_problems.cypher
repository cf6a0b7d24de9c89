// The active problems of a concept whose attempts are all archived.
//
// params:  concept STRING, uids LIST<STRING> (of attempts)
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (:Memory {uid: uid})-[:SOLVED|ATTEMPTED]->(p:Problem)-[:REQUIRES]->(:Memory {uid: $concept})
WHERE p.state = 'active' AND NOT EXISTS { (p)<-[:SOLVED|ATTEMPTED]-(e:Episode) WHERE e.state = 'active' }
RETURN DISTINCT p.uid AS uid
ORDER BY uid
