// Q and count of memories that this transaction has locked.
//
// params:  uids LIST<STRING> (sorted)
// returns: uid STRING, q_value FLOAT [0, 1], q_count INTEGER
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
RETURN m.uid AS uid, coalesce(m.q_value, 0.5) AS q_value, coalesce(m.q_count, 0) AS q_count
