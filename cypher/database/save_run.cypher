// Note a run.
//
// params:  run MAP of properties
// returns: saved INTEGER
// mode:    write
CREATE (r:Run)
SET r = $run
RETURN count(*) AS saved
