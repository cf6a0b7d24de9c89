// Which places in sessions are taken.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, sequence INTEGER}
// returns: place INTEGER (of the row)
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
MATCH (m:Memory)
  USING INDEX m:Memory(scope, session_id, sequence)
WHERE m.scope = row.scope AND m.session_id = row.session_id AND m.sequence = row.sequence
RETURN DISTINCT place
