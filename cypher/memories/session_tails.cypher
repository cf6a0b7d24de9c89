// Find the ends of sessions from their memories and from places of archived ones; empty sessions are not returned.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING}
// returns: scope STRING, session_id STRING, tail_uid STRING or NULL (only archived ones are left),
//          tail_sequence INTEGER or NULL, last_sequence INTEGER (the last place that anyone has)
// mode:    read
UNWIND $rows AS row
CALL (row) {
  OPTIONAL MATCH (m:Memory)
    USING INDEX m:Memory(scope, session_id, sequence)
  WHERE m.scope = row.scope AND m.session_id = row.session_id
    AND m.sequence >= -9223372036854775807
  RETURN m
  ORDER BY m.sequence DESC
  LIMIT 1
}
CALL (row) {
  OPTIONAL MATCH (s:Memory)
    USING INDEX s:Memory(scope, session_id, stood_at)
  WHERE s.scope = row.scope AND s.session_id = row.session_id
    AND s.stood_at >= -9223372036854775807
  RETURN s.stood_at AS kept
  ORDER BY s.stood_at DESC
  LIMIT 1
}
WITH row, m, CASE WHEN m.sequence IS NULL OR kept > m.sequence THEN kept ELSE m.sequence END AS last
WHERE last IS NOT NULL
RETURN row.scope AS scope, row.session_id AS session_id, m.uid AS tail_uid,
       m.sequence AS tail_sequence, last AS last_sequence
