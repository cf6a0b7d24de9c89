// Note sessions, when they began, and which place in them was given last: the earlier time wins, and the later place.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, started_at ZONED, last_sequence INTEGER or NULL},
//          tenant STRING
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MERGE (s:Session {scope: row.scope, session_id: row.session_id})
SET s.tenant = $tenant, s.started_at = row.started_at,
    s.last_sequence = CASE WHEN s.last_sequence > coalesce(row.last_sequence, s.last_sequence - 1) THEN s.last_sequence
                      ELSE row.last_sequence END
RETURN count(*) AS saved
