// Find the taken places in sessions, optionally with those of archived memories: their condensed memory may take them.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, sequence INTEGER}, kept BOOLEAN
// returns: place INTEGER (of the row)
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
WHERE EXISTS {
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, session_id, sequence)
  WHERE m.scope = row.scope AND m.session_id = row.session_id AND m.sequence = row.sequence
} OR $kept AND EXISTS {
  MATCH (s:Memory)
    USING INDEX s:Memory(scope, session_id, stood_at)
  WHERE s.scope = row.scope AND s.session_id = row.session_id AND s.stood_at = row.sequence
}
RETURN place
