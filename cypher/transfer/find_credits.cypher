// Which credits are known, and whether their memories and rewards are there.
//
// params:  rows LIST<MAP> {uid STRING, scope STRING, memory_uid STRING, reward_uid STRING}, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL,
//          taken BOOLEAN (by another scope), known BOOLEAN
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
WHERE m.tenant = $tenant AND m.scope = row.scope
OPTIONAL MATCH (w:Reward {uid: row.reward_uid})
WHERE w.tenant = $tenant
OPTIONAL MATCH (c:Credit {uid: row.uid})
RETURN place, CASE WHEN m IS NULL THEN 'memory_uid' WHEN w IS NULL THEN 'reward_uid' END AS missing,
       c IS NOT NULL AND (c.tenant <> $tenant OR c.memory_uid <> row.memory_uid OR c.reward_uid <> row.reward_uid)
         AS taken, c IS NOT NULL AS known
ORDER BY place
