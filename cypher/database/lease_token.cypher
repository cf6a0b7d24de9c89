// The highest token of a lease.
//
// params:  name STRING
// returns: token INTEGER or NULL
// mode:    read
MATCH (l:Lease {name: $name})
RETURN l.token AS token
