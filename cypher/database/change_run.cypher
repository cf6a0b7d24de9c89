// Write values of a run that this transaction has locked, or that only its worker writes, and add to its counts; a value
// that is null goes.
//
// params:  uid STRING, values MAP, added MAP (of counts)
// returns: run MAP of properties
// mode:    write
// parts:   added
CYPHER 25
MATCH (r:Run {uid: $uid})
SET r += $values
//+ added
FOREACH (name IN keys($added) | SET r[name] = coalesce(r[name], 0) + $added[name])
//- added
RETURN r {.*} AS run
