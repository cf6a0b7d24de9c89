// Write values of a run that this transaction has locked, or that only its worker writes; a value that is null goes.
//
// params:  uid STRING, values MAP
// returns: run MAP of properties
// mode:    write
MATCH (r:Run {uid: $uid})
SET r += $values
RETURN r {.*} AS run
