// Create tasks.
//
// params:  rows LIST<MAP> {properties MAP}
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
CREATE (t:Task)
SET t = row.properties
RETURN count(*) AS saved
