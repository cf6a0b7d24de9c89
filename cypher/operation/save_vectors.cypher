// Write the vectors of one slot.
//
// A service that missed the removal of the other slot would leave vectors in it: new memories get one there only while
// it is kept.
//
// params:  rows LIST<MAP> {uid STRING, vector LIST<FLOAT> (d, unit length); unchanged: text STRING; new: embedder
//          STRING}, embedder STRING
// returns: saved INTEGER
// mode:    write
// slots:   a b
// choices: unchanged (each where the text still is the one it was made of) new (of memories that were just written, in
//          the slot that no recall reads)
//= new
//| MATCH (s:Schema {name: 'schema'})
//| WHERE s.other_state IN ['filling', 'retiring'] AND 'embedding_' + s.slot <> 'embedding_a'
//=
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
//= unchanged
WHERE m.text = row.text
SET m.embedding_a_by = $embedder
//= new
//| SET m.embedding_a_by = row.embedder
//=
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
RETURN count(*) AS saved
