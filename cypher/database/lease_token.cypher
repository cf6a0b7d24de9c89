// The highest token that a lease has given out.
//
// params:  name STRING
// returns: token INTEGER or NULL
// mode:    read
MATCH (l:Lease {name: $name})
RETURN l.token AS token
