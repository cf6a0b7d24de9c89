// Note that memories have their links.
//
// params:  uids LIST<STRING> (sorted)
// returns: linked INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
REMOVE m.unlinked_since
RETURN count(*) AS linked
