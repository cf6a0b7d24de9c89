// Note with which memory sessions end, after others took places in them; the places already given stay taken.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, tail_uid STRING}
// returns: moved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (s:Session {scope: row.scope, session_id: row.session_id})
SET s.tail_uid = row.tail_uid
RETURN count(*) AS moved
