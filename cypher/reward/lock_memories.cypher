// Lock memories in the order given, then read their Q; without the lock first, updates are lost.
//
// params:  uids LIST<STRING> (sorted)
// returns: uid STRING, q_value FLOAT [0, 1], q_count INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
SET m.q_count = coalesce(m.q_count, 0) + 1
WITH m
RETURN m.uid AS uid, coalesce(m.q_value, 0.5) AS q_value, m.q_count AS q_count
