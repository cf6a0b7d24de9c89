// Write how locked concepts fare.
//
// params:  rows LIST<MAP> {uid STRING, attempts INTEGER, successes INTEGER, structured STRING} (sorted)
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (c:Memory {uid: row.uid})
SET c.attempts = row.attempts, c.successes = row.successes, c.structured = row.structured
RETURN count(*) AS saved
