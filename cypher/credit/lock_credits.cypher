// Lock credits in the order given, by a write that reads nothing: which of them still hold is read after.
//
// Taking away a property that no credit has locks it and writes nothing.
//
// params:  uids LIST<STRING> (sorted)
// returns: locked INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (c:Credit {uid: uid})
REMOVE c.reason
RETURN count(*) AS locked
