// Which changes of a Q are known, and whether outcome and memory are there.
//
// params:  rows LIST<MAP> {reward_uid STRING, memory_uid STRING, seq INTEGER}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (w:Reward {uid: row.reward_uid})
WHERE w.tenant = $tenant
OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
WHERE m.tenant = $tenant
RETURN place, CASE WHEN w IS NULL THEN 'reward_uid' WHEN m IS NULL THEN 'memory_uid' END AS missing,
       false AS taken, EXISTS { (w)-[r:REWARDED]->(m) WHERE r.seq = row.seq } AS known
ORDER BY place
