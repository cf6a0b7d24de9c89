// A memory that no erasure has marked.
//
// params:  uid STRING
// returns: uid STRING
// mode:    read
MATCH (m:Memory {uid: $uid})
WHERE m.erased_by IS NULL
RETURN m.uid AS uid
