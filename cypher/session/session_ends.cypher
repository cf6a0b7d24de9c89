// Where sessions end.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING}
// returns: scope STRING, session_id STRING, last_sequence INTEGER or NULL, tail_uid STRING or NULL
// mode:    read
UNWIND $rows AS row
MATCH (s:Session {scope: row.scope, session_id: row.session_id})
RETURN s.scope AS scope, s.session_id AS session_id, s.last_sequence AS last_sequence,
       s.tail_uid AS tail_uid
