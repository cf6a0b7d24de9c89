// Note sessions and when they began; the earlier time wins.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, started_at ZONED}, tenant STRING
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MERGE (s:Session {scope: row.scope, session_id: row.session_id})
SET s.tenant = $tenant, s.started_at = row.started_at
RETURN count(*) AS saved
