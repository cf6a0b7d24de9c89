// How many of the memories that a run has hidden are as it left them.
//
// params:  run STRING
// returns: intact INTEGER
// mode:    read
MATCH (m:Memory {collected_by: $run})
WHERE m.state = 'hidden' AND coalesce(m.revision, 1) = m.collected_revision
RETURN count(*) AS intact
