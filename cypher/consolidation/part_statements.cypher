// Unlink locked agreements from statements that changed their meaning.
//
// params:  rows LIST<MAP> {uid STRING, statements LIST<STRING> (that stay)}
// returns: parted LIST<STRING> (both ends, whose links have to be counted anew)
// mode:    write
UNWIND $rows AS row
MATCH (a:Memory {uid: row.uid})-[r:DERIVED_FROM]->(m:Memory)
WHERE NOT m.uid IN row.statements
WITH r, [a.uid, m.uid] AS ends
DELETE r
WITH collect(ends) AS pairs
RETURN reduce(all = [], ends IN pairs | all + ends) AS parted
