// Write what locked surprise plugins have learned.
//
// params:  rows LIST<MAP> {scope STRING, values MAP of properties}
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (p:SurprisePlugin {scope: row.scope})
SET p += row.values
RETURN count(*) AS saved
