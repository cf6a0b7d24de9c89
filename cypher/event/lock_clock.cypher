// Lock the clock of a tenant's events, by a write that reads nothing.
//
// params:  tenant STRING
// returns: locked INTEGER
// mode:    write
MERGE (c:EventClock {tenant: $tenant})
SET c.asked_at = datetime.realtime()
RETURN count(*) AS locked
