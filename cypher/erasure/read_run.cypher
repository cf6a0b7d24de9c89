// An erasure, by its uid.
//
// params:  uid STRING
// returns: run MAP of properties
// mode:    read
MATCH (r:Run {uid: $uid})
WHERE r.kind = 'erasure'
RETURN r {.*} AS run
