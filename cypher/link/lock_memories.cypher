// Lock memories in the order given, by a write that reads nothing: what they hold is read after.
//
// params:  uids LIST<STRING> (sorted), now ZONED DATETIME
// returns: locked INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
SET m.linked_at = $now
RETURN count(*) AS locked
