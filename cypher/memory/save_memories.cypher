// Create memories with their kind's label and their vector, if the slot is the one that is read.
//
// A replica that has not heard of a switch yet writes nothing.
//
// params:  rows LIST<MAP> {label STRING, properties MAP, embedder STRING,
//          vector LIST<FLOAT> (d, unit length)}
// returns: saved INTEGER
// mode:    write
// slots:   a b
CYPHER 25
MATCH (s:Schema {name: 'schema'})
WHERE 'embedding_' + s.slot = 'embedding_a'
UNWIND $rows AS row
CREATE (m:Memory)
SET m = row.properties, m:$(row.label), m.embedding_a_by = row.embedder
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
RETURN count(*) AS saved
