// Increase the counts of episodes that wait for the next extraction of concepts.
//
// params:  rows LIST<MAP> {scope STRING, solved INTEGER} (sorted by scope, which are locked)
// returns: added INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (s:Scope {scope: row.scope})
SET s.solved_waiting = coalesce(s.solved_waiting, 0) + row.solved
RETURN count(*) AS added
