// A run that collects, by its uid.
//
// params:  uid STRING
// returns: run MAP of properties
// mode:    read
MATCH (r:Run {uid: $uid})
WHERE r.kind = 'collect'
RETURN r {.*} AS run
