// Find the locked problems of a scope without a concept; hidden ones need none.
//
// params:  scope STRING, uids LIST<STRING>
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (p:Memory {uid: uid})
WHERE p.scope = $scope AND p.erased_by IS NULL AND NOT EXISTS { (p)-[:REQUIRES]->(:Concept) }
RETURN uid
