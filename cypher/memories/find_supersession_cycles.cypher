// Find the pairs that would close a cycle: the older one already replaces the newer, perhaps indirectly.
//
// params:  pairs LIST<MAP> {newer STRING, older STRING}
// returns: newer STRING, older STRING
// mode:    read
UNWIND $pairs AS pair
MATCH (newer:Memory {uid: pair.newer})
MATCH (older:Memory {uid: pair.older})
WHERE newer <> older AND EXISTS { SHORTEST 1 (older)-[:SUPERSEDES {ends: true}]->+(newer) }
RETURN newer.uid AS newer, older.uid AS older
ORDER BY newer, older
