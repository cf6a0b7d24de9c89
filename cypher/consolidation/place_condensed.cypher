// Give condensed memories their place in their session.
//
// params:  rows LIST<MAP> {uid STRING, sequence INTEGER}
// returns: placed INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
SET m.sequence = row.sequence
RETURN count(*) AS placed
