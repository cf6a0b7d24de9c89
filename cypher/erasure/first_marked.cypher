// The uid of the oldest memory that an erasure has marked; it begins with when that was stored.
//
// params:  run STRING
// returns: uid STRING or NULL
// mode:    read
MATCH (m:Memory {erased_by: $run})
RETURN min(m.uid) AS uid
