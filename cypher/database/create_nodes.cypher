// Create nodes.
//
// params:  rows LIST<MAP> of properties
// returns: saved INTEGER
// mode:    write
// choices: events runs
UNWIND $rows AS row
//= events
CREATE (n:Event)
//= runs
//| CREATE (n:Run)
//=
SET n = row
RETURN count(*) AS saved
