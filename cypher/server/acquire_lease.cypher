// Take a lease by the database's clock, unless another holder's still runs.
//
// params:  name STRING, holder STRING, seconds INTEGER
// returns: token INTEGER, or no row while another holds it
// mode:    write
MERGE (l:Lease {name: $name})
SET l.asked = coalesce(l.asked, 0) + 1
WITH l
WHERE l.holder IS NULL OR l.holder = $holder OR l.until < datetime.realtime()
SET l.holder = $holder, l.token = coalesce(l.token, 0) + 1,
    l.until = datetime.realtime() + duration({seconds: $seconds})
RETURN l.token AS token
