// Give memories that were just written a vector in the other slot as well.
//
// params:  rows LIST<MAP> {uid STRING, embedder STRING, vector LIST<FLOAT> (d, unit length)}
// returns: saved INTEGER
// mode:    write
// slots:   a b
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
SET m.embedding_a_by = row.embedder
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
RETURN count(*) AS saved
