// Create rewards.
//
// params:  rows LIST<MAP> {properties MAP}
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
CREATE (w:Reward)
SET w = row.properties
RETURN count(*) AS saved
