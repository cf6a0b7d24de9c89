// Note where sessions end now, and the mean direction of their memories.
//
// params:  rows LIST<MAP> {scope STRING, session_id STRING, last_sequence INTEGER, tail_uid STRING,
//          vector_sum LIST<FLOAT> (d), mean LIST<FLOAT> (d, unit length or zero)}
// returns: updated INTEGER
// mode:    write
// slots:   a b
UNWIND $rows AS row
MATCH (s:Session {scope: row.scope, session_id: row.session_id})
SET s.last_sequence = row.last_sequence, s.tail_uid = row.tail_uid
WITH s, row
CALL db.create.setNodeVectorProperty(s, 'vector_sum', row.vector_sum)
CALL db.create.setNodeVectorProperty(s, 'embedding_a', row.mean)
RETURN count(*) AS updated
