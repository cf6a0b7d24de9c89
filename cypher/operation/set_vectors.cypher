// Give memories that were just written a vector in the other slot as well, while it is kept.
//
// A service that has not noticed yet that the other slot is being emptied would leave vectors in it.
//
// params:  rows LIST<MAP> {uid STRING, embedder STRING, vector LIST<FLOAT> (d, unit length)}
// returns: saved INTEGER
// mode:    write
// slots:   a b
MATCH (s:Schema {name: 'schema'})
WHERE s.other_state IN ['filling', 'retiring'] AND 'embedding_' + s.slot <> 'embedding_a'
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
SET m.embedding_a_by = row.embedder
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
RETURN count(*) AS saved
