// Archive locked problems behind their concept.
//
// params:  concept STRING, uids LIST<STRING> (sorted), active STRING, archived STRING
// returns: archived INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (p:Memory {uid: uid})-[:REQUIRES]->(c:Memory {uid: $concept})
WHERE p.state = 'active' AND NOT EXISTS { (p)<-[:SOLVED|ATTEMPTED]-(e:Episode) WHERE e.state = 'active' }
MERGE (c)-[covers:PROMOTED_FROM]->(p)
SET covers.revision = coalesce(p.revision, 1), p.state = 'archived',
    p.keys = [key IN p.keys WHERE key <> $active] + $archived
RETURN count(*) AS archived
