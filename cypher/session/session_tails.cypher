// Where sessions end, seen from their memories; an empty one is not in the answer.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING}
// returns: scope STRING, session_id STRING, tail_uid STRING, last_sequence INTEGER
// mode:    read
UNWIND $rows AS row
CALL (row) {
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, session_id, sequence)
  WHERE m.scope = row.scope AND m.session_id = row.session_id
    AND m.sequence >= -9223372036854775807
  RETURN m
  ORDER BY m.sequence DESC
  LIMIT 1
}
RETURN row.scope AS scope, row.session_id AS session_id, m.uid AS tail_uid,
       m.sequence AS last_sequence
