// Read the last number of a tenant's events, the oldest stored one, and whether some events have no number.
//
// params:  tenant STRING
// returns: last INTEGER, oldest INTEGER or NULL, waiting BOOLEAN
// mode:    read
OPTIONAL MATCH (c:EventClock {tenant: $tenant})
RETURN coalesce(c.last_seq, 0) AS last, head(COLLECT {
         MATCH (e:Event)
         WHERE e.tenant = $tenant AND e.seq > 0
         RETURN e.seq AS seq ORDER BY seq LIMIT 1 }) AS oldest,
       EXISTS { MATCH (w:Event) WHERE w.waiting = $tenant AND w.uid > '' } AS waiting
