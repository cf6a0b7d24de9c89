// Write what is known of locked patterns now.
//
// params:  rows LIST<MAP> {uid STRING, type STRING, signature STRING, support INTEGER, confidence FLOAT,
//          structured STRING} (sorted)
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (p:Memory {uid: row.uid})
SET p.pattern_type = row.type, p.signature = row.signature, p.support = row.support,
    p.confidence = row.confidence, p.structured = row.structured
RETURN count(*) AS saved
