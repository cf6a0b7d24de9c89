// Lock sessions, in the order given, and say where each ends.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, tenant STRING}, now ZONED DATETIME
// returns: scope STRING, session_id STRING, last_sequence INTEGER or NULL, tail_uid STRING or NULL
// mode:    write
UNWIND $rows AS row
MERGE (s:Session {scope: row.scope, session_id: row.session_id})
ON CREATE SET s.tenant = row.tenant, s.started_at = $now
SET s.changes = coalesce(s.changes, 0) + 1
RETURN s.scope AS scope, s.session_id AS session_id, s.last_sequence AS last_sequence,
       s.tail_uid AS tail_uid
