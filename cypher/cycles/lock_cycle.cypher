// Lock a cycle, by a write that reads nothing: how it stands is read after.
//
// params:  uid STRING
// returns: locked INTEGER
// mode:    write
MATCH (c:Cycle {uid: $uid})
SET c.asked_at = datetime.realtime()
RETURN count(*) AS locked
