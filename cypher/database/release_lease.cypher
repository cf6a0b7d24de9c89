// Give back a lease that this transaction has locked.
//
// params:  name STRING, holder STRING, token INTEGER
// returns: released INTEGER
// mode:    write
MATCH (l:Lease {name: $name})
WHERE l.holder = $holder AND l.token = $token
REMOVE l.holder, l.until
RETURN count(*) AS released
