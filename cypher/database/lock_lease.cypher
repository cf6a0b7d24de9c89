// Lock a lease, by a write that reads nothing: who holds it is read after.
//
// params:  name STRING
// returns: locked INTEGER
// mode:    write
MERGE (l:Lease {name: $name})
SET l.asked_at = datetime.realtime()
RETURN count(*) AS locked
