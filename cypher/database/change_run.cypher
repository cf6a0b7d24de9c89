// Lock a run, or write values of one that this transaction has locked, or that only its worker writes; nulls remove
// values.
//
// params:  uid STRING, waited BOOLEAN (somebody waits for what is done to it now), values MAP, added MAP (of counts)
// returns: run MAP of properties
// mode:    write
// parts:   added (to its counts)
// choices: locked (by a write that reads nothing: it is read as it stands then) changed
CYPHER 25
MATCH (r:Run {uid: $uid})
//= locked
SET r.asked_at = CASE WHEN $waited THEN datetime.realtime() ELSE datetime({epochSeconds: 0}) END
//= changed
//| SET r += $values
//| //+ added
//| FOREACH (name IN keys($added) | SET r[name] = coalesce(r[name], 0) + $added[name])
//| //- added
//=
RETURN r {.*} AS run
