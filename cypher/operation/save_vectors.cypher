// Write the vectors of one slot, each where the text still is the one it was made of.
//
// params:  rows LIST<MAP> {uid STRING, text STRING, vector LIST<FLOAT> (d, unit length)},
//          embedder STRING
// returns: saved INTEGER
// mode:    write
// slots:   a b
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
WHERE m.text = row.text
SET m.embedding_a_by = $embedder
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
RETURN count(*) AS saved
