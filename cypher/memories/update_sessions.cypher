// Note with which memories sessions end now. A place that was given once is not given again, whatever went since.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, last_sequence INTEGER, tail_uid STRING or NULL}
// returns: updated INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (s:Session {scope: row.scope, session_id: row.session_id})
SET s.last_sequence = CASE WHEN s.last_sequence > row.last_sequence THEN s.last_sequence ELSE row.last_sequence END,
    s.tail_uid = row.tail_uid
RETURN count(*) AS updated
