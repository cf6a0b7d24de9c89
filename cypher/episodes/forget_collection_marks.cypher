// Take the marks of a run off memories that were changed since, and so are no longer its.
//
// params:  run STRING
// returns: freed INTEGER
// mode:    write
MATCH (m:Memory {collected_by: $run})
WITH m ORDER BY m.uid
REMOVE m.collected_by, m.collected_at, m.collected_for, m.collected_revision
RETURN count(*) AS freed
