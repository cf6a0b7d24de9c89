// Remove sessions that no memory is left of.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING}
// returns: deleted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (s:Session {scope: row.scope, session_id: row.session_id})
DETACH DELETE s
RETURN count(*) AS deleted
