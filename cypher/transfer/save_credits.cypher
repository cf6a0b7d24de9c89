// Create credits that wait for the background.
//
// params:  rows LIST<MAP> {properties MAP}
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
CREATE (c:Credit)
SET c = row.properties
RETURN count(*) AS saved
