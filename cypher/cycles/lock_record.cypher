// Lock a cycle or a patch, by a write that reads nothing: how it stands is read after.
//
// params:  uid STRING
// returns: locked INTEGER
// mode:    write
// choices: cycle patch
//= cycle
MATCH (n:Cycle {uid: $uid})
//= patch
//| MATCH (n:Patch {uid: $uid})
//=
SET n.asked_at = datetime.realtime()
RETURN count(*) AS locked
