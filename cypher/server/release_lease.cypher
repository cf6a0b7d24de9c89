// Give a lease back.
//
// params:  name STRING, holder STRING
// returns: released INTEGER
// mode:    write
MATCH (l:Lease {name: $name, holder: $holder})
REMOVE l.holder, l.until
RETURN count(*) AS released
