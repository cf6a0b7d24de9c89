// Archive locked attempts behind the concept that covers them, if they are as they were read.
//
// params:  concept STRING, rows LIST<MAP> {uid STRING, revision INTEGER} (sorted), active STRING,
//          archived STRING
// returns: uid STRING
// mode:    write
UNWIND $rows AS row
MATCH (e:Memory {uid: row.uid})-[:USED]->(c:Memory {uid: $concept})
WHERE e.state = 'active' AND coalesce(e.revision, 1) = row.revision
MERGE (c)-[covers:PROMOTED_FROM]->(e)
SET covers.revision = row.revision, e.state = 'archived',
    e.keys = [key IN e.keys WHERE key <> $active] + $archived
RETURN e.uid AS uid
