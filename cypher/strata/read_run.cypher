// A run of the gates, by its uid.
//
// params:  uid STRING
// returns: run MAP of properties
// mode:    read
MATCH (r:Run {uid: $uid})
WHERE r.kind = 'gates'
RETURN r {.*} AS run
