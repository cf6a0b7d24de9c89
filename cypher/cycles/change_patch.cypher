// Write how a locked patch stands.
//
// params:  uid STRING, values MAP of properties
// returns: changed INTEGER
// mode:    write
MATCH (p:Patch {uid: $uid})
SET p += $values
RETURN count(*) AS changed
