// Lock sessions in the order given, by a write that reads nothing: where each ends is read after.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, tenant STRING}, now ZONED DATETIME
// returns: locked INTEGER
// mode:    write
UNWIND $rows AS row
MERGE (s:Session {scope: row.scope, session_id: row.session_id})
ON CREATE SET s.tenant = row.tenant, s.started_at = $now
SET s.changed_at = $now
RETURN count(*) AS locked
