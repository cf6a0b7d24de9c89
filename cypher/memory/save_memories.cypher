// Create memories with their kind's label and their vector.
//
// params:  rows LIST<MAP> {label STRING, properties MAP, vector LIST<FLOAT> (d, unit length)}
// returns: saved INTEGER
// mode:    write
// slots:   a b
CYPHER 25
UNWIND $rows AS row
CREATE (m:Memory)
SET m = row.properties, m:$(row.label)
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
RETURN count(*) AS saved
