// Lock memories in the order given, by a write that reads nothing: what is read comes after.
//
// params:  uids LIST<STRING> (sorted)
// returns: locked INTEGER
// mode:    write
// slots:   a b
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
SET m.embedding_a_by = ''
RETURN count(*) AS locked
