// Bring locked memories back that stand archived behind what is gone.
//
// params:  uids LIST<STRING> (sorted), active STRING, archived STRING (keys of states)
// returns: scope STRING, back INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.state = 'archived' AND m.condensed_by IS NOT NULL AND NOT EXISTS { (m)<-[:PROMOTED_FROM]-(:Memory) }
SET m.state = 'active', m.keys = [key IN m.keys WHERE key <> $archived] + $active
REMOVE m.condensed_by
RETURN m.scope AS scope, count(*) AS back
ORDER BY scope
