// Note where sessions end now.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, last_sequence INTEGER, tail_uid STRING}
// returns: updated INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (s:Session {scope: row.scope, session_id: row.session_id})
SET s.last_sequence = row.last_sequence, s.tail_uid = row.tail_uid
RETURN count(*) AS updated
