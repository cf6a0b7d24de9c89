// Find those of some locked memories that are there and that no erasure is taking out.
//
// params:  uids LIST<STRING>
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.erased_by IS NULL
RETURN m.uid AS uid
