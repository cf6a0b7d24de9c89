// Lock memories in the order given, by a write that reads nothing: what they hold is read after.
//
// Taking away a property that no memory has locks it and writes nothing.
//
// params:  uids LIST<STRING> (sorted)
// returns: locked INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
REMOVE m.reward_uid
RETURN count(*) AS locked
