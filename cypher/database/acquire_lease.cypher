// Acquire or renew a lease that this transaction has locked, by the database's clock.
//
// A renewal keeps the token; a new holder, or a late renewal, gets a higher one.
//
// params:  name STRING, holder STRING, seconds INTEGER
// returns: token INTEGER, or no row while another holds it
// mode:    write
MATCH (l:Lease {name: $name})
WITH l, datetime.realtime() AS now
WHERE l.holder IS NULL OR l.holder = $holder OR l.until < now
// a higher token invalidates earlier holders
SET l.token = CASE WHEN l.holder = $holder AND l.until >= now THEN l.token
                   ELSE coalesce(l.token, 0) + 1 END
SET l.holder = $holder, l.until = now + duration({seconds: $seconds})
RETURN l.token AS token
