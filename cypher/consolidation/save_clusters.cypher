// Add clusters to the plan of a run.
//
// params:  rows LIST<MAP> of properties, undo_until ZONED DATETIME
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MERGE (c:Cluster {uid: row.uid})
ON CREATE SET c = row, c.undo_until = $undo_until
RETURN count(*) AS saved
