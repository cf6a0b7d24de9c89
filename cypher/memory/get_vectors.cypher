// The vectors of memories.
//
// params:  uids LIST<STRING>
// returns: uid STRING, vector LIST<FLOAT> (d)
// mode:    read
// slots:   a b
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
RETURN m.uid AS uid, m.embedding_a AS vector
