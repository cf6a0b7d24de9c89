// Write what outcomes did to Qs into the history; the Qs themselves stay.
//
// params:  rows LIST<MAP> {reward_uid STRING, memory_uid STRING, seq INTEGER, properties MAP}, tenant STRING
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (w:Reward {uid: row.reward_uid})
WHERE w.tenant = $tenant
MATCH (m:Memory {uid: row.memory_uid})
WHERE m.tenant = $tenant
MERGE (w)-[r:REWARDED {seq: row.seq}]->(m)
SET r = row.properties
RETURN count(*) AS saved
