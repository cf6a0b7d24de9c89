// Lock a patch, by a write that reads nothing.
//
// params:  uid STRING
// returns: locked INTEGER
// mode:    write
MATCH (p:Patch {uid: $uid})
SET p.asked_at = datetime.realtime()
RETURN count(*) AS locked
