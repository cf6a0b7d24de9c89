// Write the ends of locked sessions, or those of an import. Places are never reused.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, last_sequence INTEGER or NULL; ended: tail_uid STRING or NULL;
//          imported: started_at ZONED}, tenant STRING
// returns: saved INTEGER
// mode:    write
// choices: ended (with which memories) imported (with when they began: the earlier time wins)
UNWIND $rows AS row
//= ended
MATCH (s:Session {scope: row.scope, session_id: row.session_id})
SET s.tail_uid = row.tail_uid,
//= imported
//| MERGE (s:Session {scope: row.scope, session_id: row.session_id})
//| SET s.tenant = $tenant, s.started_at = row.started_at,
//=
    s.last_sequence = CASE WHEN s.last_sequence > coalesce(row.last_sequence, s.last_sequence - 1) THEN s.last_sequence
                      ELSE row.last_sequence END
RETURN count(*) AS saved
