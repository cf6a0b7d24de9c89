// Restore locked memories that a concept archived; those changed since stay as they are.
//
// The edges are removed in both cases.
//
// params:  rows LIST<MAP> {uid STRING, concept STRING} (sorted), active STRING, archived STRING
// returns: uid STRING, restored BOOLEAN
// mode:    write
UNWIND $rows AS row
MATCH (c:Memory {uid: row.concept})-[covers:PROMOTED_FROM]->(m:Memory {uid: row.uid})
WITH c, m, covers, m.state = 'archived' AND covers.revision = coalesce(m.revision, 1) AS restored
DELETE covers
SET c.archives = false
FOREACH (_ IN CASE WHEN restored THEN [1] ELSE [] END |
  SET m.state = 'active', m.keys = [key IN m.keys WHERE key <> $archived] + $active)
RETURN m.uid AS uid, restored
