// A run of one kind, by its uid.
//
// params:  uid STRING, kind STRING
// returns: run MAP of properties
// mode:    read
MATCH (r:Run {uid: $uid})
WHERE r.kind = $kind
RETURN r {.*} AS run
