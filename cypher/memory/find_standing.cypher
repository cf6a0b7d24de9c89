// Which of some locked memories are there and on no erasure's way out.
//
// params:  uids LIST<STRING>
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.erased_by IS NULL
RETURN m.uid AS uid
