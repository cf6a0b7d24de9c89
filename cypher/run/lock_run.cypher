// Lock a run, by a write that reads nothing: how it stands is read after.
//
// params:  uid STRING
// returns: locked INTEGER
// mode:    write
MATCH (r:Run {uid: $uid})
SET r.asked_at = datetime.realtime()
RETURN count(*) AS locked
